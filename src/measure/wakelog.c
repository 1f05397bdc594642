// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/wakelog.h"

/* The oldest that is whole: its place is not the one that is written next. */
static uint64_t oldest(uint64_t count)
{
	return count < WAKELOG_SIZE ? 0 : count - WAKELOG_SIZE + 1;
}

/* One that was overwritten while it was copied is dropped again. */
bool wakelog_read(const struct wakelog *log, uint64_t *next, uint64_t *lost, struct wakelog_entry *entry)
{
	uint64_t count = atomic_load_explicit(&log->count, memory_order_acquire);

	for (;;) {
		uint64_t whole = oldest(count);

		if (*next < whole) {
			*lost += whole - *next;
			*next = whole;
		}
		if (*next == count)
			return false;
		*entry = log->entries[*next % WAKELOG_SIZE];
		atomic_thread_fence(memory_order_acquire);
		count = atomic_load_explicit(&log->count, memory_order_relaxed);
		if (*next >= oldest(count))
			break;
	}
	++*next;
	return true;
}
