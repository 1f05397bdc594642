/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A ring in memory that one process writes and another reads. The writer never
 * waits: it overwrites the oldest entries, and the reader detects their loss.
 *
 * Entries are numbered from 0, and number n is in slot n modulo the count of
 * slots. The slots are an array beside the ring, of the owner's type.
 */
#ifndef MEASURE_LOSSY_RING_H
#define MEASURE_LOSSY_RING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lossy_ring {
	_Atomic uint64_t written;	/* entries written so far */
};

/* All 0: at the first entry. */
struct lossy_reader {
	uint64_t next;			/* number of the entry to read */
	uint64_t lost;			/* entries overwritten before they were read */
};

/*
 * For the writer: the number of the next entry, whose slot may be written now.
 * The fence makes written visible before the new content of the slot.
 */
static inline uint64_t lossy_ring_begin(const struct lossy_ring *ring)
{
	uint64_t written = atomic_load_explicit(&ring->written, memory_order_relaxed);

	atomic_thread_fence(memory_order_release);
	return written;
}

/* For the writer: entry number is in its slot, and those before it were written or given up. */
static inline void lossy_ring_end(struct lossy_ring *ring, uint64_t number)
{
	atomic_store_explicit(&ring->written, number + 1, memory_order_release);
}

/*
 * For the reader, after it copied an entry: the number of the oldest entry that is
 * still intact. The writer may be overwriting the entry before it.
 */
static inline uint64_t lossy_ring_oldest(const struct lossy_ring *ring, uint64_t slots)
{
	uint64_t written;

	atomic_thread_fence(memory_order_acquire);
	written = atomic_load_explicit(&ring->written, memory_order_relaxed);
	return written < slots ? 0 : written - slots + 1;
}

/*
 * For the reader: copy the next entry or, if that is lost, the oldest intact one
 * after it. size is that of a slot in bytes. Returns false if none is written yet.
 */
bool lossy_ring_read(const struct lossy_ring *ring, const void *slots, uint64_t count, size_t size,
		     struct lossy_reader *reader, void *entry);

#endif
