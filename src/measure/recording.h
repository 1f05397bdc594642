/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel traced before one of the worst wake-ups: the meter copies it at
 * once, the totals keep it, and it is decoded when the report is written.
 */
#ifndef MEASURE_RECORDING_H
#define MEASURE_RECORDING_H

#include <stdbool.h>
#include <stdint.h>

#define RECORDING_SIZE (256 * 1024)	/* all that a ring holds */

/* One of the totals. */
struct recording {
	_Atomic uint64_t stamp_ns;	/* of the wake-up; written last, when the rest is complete */
	uint32_t used;			/* bytes of data */
	unsigned char data[RECORDING_SIZE];	/* records of perf, the newest first */
};

/*
 * Those of the meter, in memory that it locks: one a slot. Most have a few kB,
 * some a hundred times as much, so slots share chunks. Whatever a slot gets, two
 * chunks are left for each of the others.
 */
#define RECORDING_SLOTS 32
#define RECORDING_CHUNK 4096
#define RECORDING_CHUNKS 256
#define RECORDING_LEAST (2 * RECORDING_CHUNK)

struct recordings {
	struct {
		_Atomic uint64_t stamp_ns;	/* as above */
		uint32_t used;
		unsigned chunks;
		uint8_t chunk[RECORDING_SIZE / RECORDING_CHUNK];	/* in the order of the data */
	} slot[RECORDING_SLOTS];
	uint64_t taken[RECORDING_CHUNKS / 64];	/* a bit for each chunk */
	unsigned char data[RECORDING_CHUNKS][RECORDING_CHUNK];
};

/* Empty all slots. */
void recordings_clear(struct recordings *recordings);

/* Empty a slot, to write size bytes. Returns for how many there is room: size, or at least RECORDING_LEAST. */
uint32_t recordings_begin(struct recordings *recordings, unsigned slot, uint32_t size);

/* Write size bytes from offset at of the recording. */
void recordings_write(struct recordings *recordings, unsigned slot, uint32_t at, const void *data, uint32_t size);

/* The recording is complete. If the meter is killed before, it belongs to no event. */
void recordings_seal(struct recordings *recordings, unsigned slot, uint32_t used, uint64_t stamp_ns);

/* Is it that of the wake-up with this stamp? */
bool recording_is_of(const struct recording *recording, uint64_t stamp_ns);

/* Copy the recording in a slot, if it is that of the wake-up with this stamp. */
void recording_keep(struct recording *to, const struct recordings *from, unsigned slot, uint64_t stamp_ns);

#endif
