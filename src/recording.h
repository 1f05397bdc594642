/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel traced before a wake-up that is one of the worst: copied by
 * the meter when it happened, decoded when the report is written.
 */
#ifndef RECORDING_H
#define RECORDING_H

#include <stdbool.h>
#include <stdint.h>

#define RECORDING_SIZE 32768
#define RECORDING_ROOM (RECORDING_SIZE - 16)

struct recording {
	_Atomic uint64_t stamp_ns;	/* of the wake-up: written when all of the rest is there */
	uint32_t used;			/* bytes of data */
	unsigned char data[RECORDING_ROOM];	/* records of perf, the newest first */
};

/* Say that all of it is there. A process that is killed before leaves one that belongs to no event. */
void recording_seal(struct recording *recording, uint64_t stamp_ns);

/* Was it made for an event with this stamp? */
bool recording_is_of(const struct recording *recording, uint64_t stamp_ns);

/* Copy it over one that nobody needs any more; of the data no more than what is used. */
void recording_copy(struct recording *to, const struct recording *from);

#endif
