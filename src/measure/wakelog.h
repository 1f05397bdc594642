/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The log of a meter's wake-ups, in memory that it shares with the keeper,
 * which joins it with the kernel's records.
 */
#ifndef MEASURE_WAKELOG_H
#define MEASURE_WAKELOG_H

#include "measure/lossy_ring.h"

#define WAKELOG_SIZE 8192	/* 4 seconds at 2048 Hz */

struct wakelog_entry {
	uint64_t due_ns;		/* of the oldest period served, CLOCK_MONOTONIC */
	uint64_t stamp_ns;
	uint64_t periods;		/* served; 0: no sample, but the first wake-up or a signal */
	uint64_t expiry_ns, waking_ns;	/* if the source tells: of its timer, and of the thread */
};

struct wakelog {
	struct lossy_ring ring;
	struct wakelog_entry entries[WAKELOG_SIZE];
};

/* For the meter. */
static inline void wakelog_put(struct wakelog *log, const struct wakelog_entry *wakeup)
{
	uint64_t entry = lossy_ring_begin(&log->ring);

	log->entries[entry % WAKELOG_SIZE] = *wakeup;
	lossy_ring_end(&log->ring, entry);
}

static inline void wakelog_add(struct wakelog *log, uint64_t due_ns, uint64_t stamp_ns, uint64_t periods)
{
	wakelog_put(log, &(struct wakelog_entry){ .due_ns = due_ns, .stamp_ns = stamp_ns, .periods = periods });
}

/* For the keeper: as lossy_ring_read(). */
static inline bool wakelog_read(const struct wakelog *log, struct lossy_reader *reader, struct wakelog_entry *entry)
{
	return lossy_ring_read(&log->ring, log->entries, WAKELOG_SIZE, sizeof(*entry), reader, entry);
}

#endif
