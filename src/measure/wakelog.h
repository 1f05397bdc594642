/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The wake-ups of a meter, one after the other, for a reader that looks for
 * what the kernel's trace says of each. The meter never waits: where the reader
 * is too slow, the oldest are overwritten, and the reader knows how many.
 * Memory that both share.
 */
#ifndef MEASURE_WAKELOG_H
#define MEASURE_WAKELOG_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define WAKELOG_SIZE 8192	/* 4 seconds at 2048 Hz */

struct wakelog_entry {
	uint64_t due_ns;		/* of the oldest period served, CLOCK_MONOTONIC */
	uint64_t stamp_ns;
	uint64_t periods;		/* how many were served; 0: no sample, but the first wake-up or a signal */
};

struct wakelog {
	_Atomic uint64_t count;		/* of those written so far */
	struct wakelog_entry entries[WAKELOG_SIZE];
};

/* For the meter. The fence keeps what is overwritten from being so before the count tells it. */
static inline void wakelog_add(struct wakelog *log, uint64_t due_ns, uint64_t stamp_ns, uint64_t periods)
{
	uint64_t written = atomic_load_explicit(&log->count, memory_order_relaxed);
	struct wakelog_entry *entry = &log->entries[written % WAKELOG_SIZE];

	atomic_thread_fence(memory_order_release);
	*entry = (struct wakelog_entry){ due_ns, stamp_ns, periods };
	atomic_store_explicit(&log->count, written + 1, memory_order_release);
}

/*
 * For the reader: copy number *next, or the oldest that is left if that was
 * overwritten, and move *next behind it; *lost grows by those that are skipped.
 * Returns false when there is no newer one.
 */
bool wakelog_read(const struct wakelog *log, uint64_t *next, uint64_t *lost, struct wakelog_entry *entry);

#endif
