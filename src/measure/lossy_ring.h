/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A ring that one process writes and another reads, and the log of a meter's wake-ups, which is one. The writer
 * overwrites the oldest entries, and the reader detects their loss. Entry n is in slot n modulo the slots.
 */
#ifndef MEASURE_LOSSY_RING_H
#define MEASURE_LOSSY_RING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct lossy_ring {
	_Atomic uint64_t written;	/* entries written so far */
};

/* All 0: at the first entry. */
struct lossy_reader {
	uint64_t next;			/* number of the entry to read */
	uint64_t lost;			/* entries overwritten before they were read */
};

/* The number of the next entry, whose slot may be written now: the reader sees written change before the slot. */
static inline uint64_t lossy_ring_begin(const struct lossy_ring *ring)
{
	uint64_t written = atomic_load_explicit(&ring->written, memory_order_relaxed);

	atomic_thread_fence(memory_order_release);
	return written;
}

/* The entry is in its slot, and those before it were written or given up. */
static inline void lossy_ring_end(struct lossy_ring *ring, uint64_t number)
{
	atomic_store_explicit(&ring->written, number + 1, memory_order_release);
}

/* After a copy: the oldest entry still intact. The writer may be overwriting the one before it. */
static inline uint64_t lossy_ring_oldest(const struct lossy_ring *ring, uint64_t slots)
{
	uint64_t written;

	atomic_thread_fence(memory_order_acquire);
	written = atomic_load_explicit(&ring->written, memory_order_relaxed);
	return written < slots ? 0 : written - slots + 1;
}

#define WAKELOG_SIZE 8192	/* 4 seconds at 2048 Hz */

struct wakelog_entry {
	uint64_t due_ns;		/* of the oldest period served, CLOCK_MONOTONIC */
	uint64_t stamp_ns;
	uint64_t periods;		/* served; 0: no sample, but the first wake-up or a signal */
	uint64_t expiry_ns, waking_ns;	/* if the source reports them: of its timer, and of the thread */
};

struct wakelog {
	struct lossy_ring ring;
	struct wakelog_entry entries[WAKELOG_SIZE];
};

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

/* Copy the next entry or, if that is lost, the oldest intact one after it. Returns false if none is written yet. */
static inline bool wakelog_read(const struct wakelog *log, struct lossy_reader *reader, struct wakelog_entry *entry)
{
	while (reader->next < atomic_load_explicit(&log->ring.written, memory_order_acquire)) {
		uint64_t intact;

		memcpy(entry, &log->entries[reader->next % WAKELOG_SIZE], sizeof(*entry));
		intact = lossy_ring_oldest(&log->ring, WAKELOG_SIZE);
		if (reader->next >= intact) {
			reader->next++;
			return true;
		}
		reader->lost += intact - reader->next;
		reader->next = intact;
	}
	return false;
}

#endif
