// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "wakelog.h"

/* The oldest that is whole: its place is not the one that is written next. */
static uint64_t oldest(uint64_t count)
{
	return count < WAKELOG_SIZE ? 0 : count - WAKELOG_SIZE + 1;
}

static void skip(uint64_t *next, uint64_t *lost, uint64_t to)
{
	if (*next >= to)
		return;
	*lost += to - *next;
	*next = to;
}

/* Those that were overwritten while they were copied are dropped again. */
unsigned wakelog_read(const struct wakelog *log, uint64_t *next, uint64_t *lost,
		      struct wakelog_entry *out, unsigned room)
{
	uint64_t count = atomic_load_explicit(&log->count, memory_order_acquire), from, torn;
	unsigned copied = 0;

	skip(next, lost, oldest(count));
	from = *next;
	while (copied < room && from + copied < count) {
		out[copied] = log->entries[(from + copied) % WAKELOG_SIZE];
		copied++;
	}
	atomic_thread_fence(memory_order_acquire);
	count = atomic_load_explicit(&log->count, memory_order_relaxed);
	skip(next, lost, oldest(count));
	torn = *next - from < copied ? *next - from : copied;
	memmove(out, out + torn, (copied - torn) * sizeof(*out));
	*next += copied - torn;
	return copied - torn;
}
