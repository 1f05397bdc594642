/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel recorded before one of the worst wake-ups. The meter copies it
 * at once, the totals keep it, and the report decodes it.
 */
#ifndef MEASURE_RECORDING_H
#define MEASURE_RECORDING_H

#include <stdbool.h>
#include <stdint.h>

#define RECORDING_SIZE (256 * 1024)	/* all that a ring holds */

/* A recording that the totals keep. */
struct recording {
	_Atomic uint64_t stamp_ns;	/* of the wake-up; written last, when the rest is complete */
	uint32_t used;			/* bytes of data */
	unsigned char data[RECORDING_SIZE];	/* records of perf, the newest first */
};

/*
 * The recordings of the meter, one in each slot, in memory that it locks. Most
 * take a few kB, some a hundred times as much, so slots share a pool of chunks.
 * Whatever one slot takes, two chunks are left for each of the others.
 */
#define RECORDING_SLOTS 32
#define RECORDING_CHUNK 4096
#define RECORDING_CHUNKS 256
#define RECORDING_LEAST (2 * RECORDING_CHUNK)

struct recordings {
	struct {
		_Atomic uint64_t stamp_ns;	/* as in struct recording */
		uint32_t used;
		unsigned chunks;
		uint8_t chunk[RECORDING_SIZE / RECORDING_CHUNK];	/* in the order of the data */
	} slot[RECORDING_SLOTS];
	uint64_t taken[RECORDING_CHUNKS / 64];	/* a bit for each chunk */
	unsigned char data[RECORDING_CHUNKS][RECORDING_CHUNK];
};

/* Empty all slots. */
void recordings_clear(struct recordings *recordings);

/* Empty a slot, and make room for size bytes. Returns the room: size or less, but at least RECORDING_LEAST. */
uint32_t recordings_begin(struct recordings *recordings, unsigned slot, uint32_t size);

/* Write size bytes to the recording, from the offset at. */
void recordings_write(struct recordings *recordings, unsigned slot, uint32_t at, const void *data, uint32_t size);

/* Mark the recording complete. If the meter is killed before that, it belongs to no event. */
void recordings_seal(struct recordings *recordings, unsigned slot, uint32_t used, uint64_t stamp_ns);

/* Does the recording belong to the wake-up with this stamp? */
bool recording_is_of(const struct recording *recording, uint64_t stamp_ns);

/* Copy the recording in a slot, if it is that of the wake-up with this stamp. */
void recording_keep(struct recording *to, const struct recordings *from, unsigned slot, uint64_t stamp_ns);

#endif
