/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel traced before a wake-up that is one of the worst: copied by
 * the meter when it happened, kept with the totals, decoded when the report is
 * written.
 */
#ifndef MEASURE_RECORDING_H
#define MEASURE_RECORDING_H

#include <stdbool.h>
#include <stdint.h>

#define RECORDING_SIZE (256 * 1024)	/* all that a ring holds */

/* One that is kept. */
struct recording {
	_Atomic uint64_t stamp_ns;	/* of the wake-up: written when all of the rest is there */
	uint32_t used;			/* bytes of data */
	unsigned char data[RECORDING_SIZE];	/* records of perf, the newest first */
};

/*
 * Those that the meter makes, in memory that it locks: a slot for each. Most
 * need some kB, few a hundred times that, so the slots share chunks. None gets
 * so many that there would not be two for each of the others.
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
		uint8_t chunk[RECORDING_SIZE / RECORDING_CHUNK];	/* whose data follow each other */
	} slot[RECORDING_SLOTS];
	uint64_t taken[RECORDING_CHUNKS / 64];	/* a bit for each chunk */
	unsigned char data[RECORDING_CHUNKS][RECORDING_CHUNK];
};

/* They belong to no wake-up any more. */
void recordings_clear(struct recordings *recordings);

/* Drop what the slot has, for one of so many bytes. Returns how many find room: all, or RECORDING_LEAST or more. */
uint32_t recordings_begin(struct recordings *recordings, unsigned slot, uint32_t size);

/* Write so many bytes at that place of it. */
void recordings_write(struct recordings *recordings, unsigned slot, uint32_t at, const void *data, uint32_t size);

/* Say that all of it is there. A process that is killed before leaves one that belongs to no event. */
void recordings_seal(struct recordings *recordings, unsigned slot, uint32_t used, uint64_t stamp_ns);

/* Was it made for an event with this stamp? */
bool recording_is_of(const struct recording *recording, uint64_t stamp_ns);
bool recordings_have(const struct recordings *recordings, unsigned slot, uint64_t stamp_ns);

/* Keep one in place of another that nobody needs any more. */
void recording_keep(struct recording *to, const struct recordings *from, unsigned slot);

#endif
