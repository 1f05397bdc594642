// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "explain_reader.h"

static int give_up(struct explain_reader *reader, int event)
{
	int error = errno;

	close(event);
	*reader = (struct explain_reader){ .join = { .log = NULL } };
	errno = error;
	return -1;
}

/* Between two flips, which come once a second, there are fewer rows, but for those that wait in the log meanwhile. */
int explain_reader_open(struct explain_reader *reader, int event, struct trace_layout *layout, size_t size,
			const struct wakelog *log, unsigned hz)
{
	unsigned room = 2 * hz + WAKELOG_SIZE;

	*reader = (struct explain_reader){ .join = { .log = log, .room = room } };
	reader->join.rows = malloc(room * sizeof(*reader->join.rows));
	if (!reader->join.rows)
		return give_up(reader, event);
	if (trace_ring_share(&reader->ring, event, layout, size) < 0) {
		free(reader->join.rows);
		return give_up(reader, event);
	}
	return 0;
}

void explain_read(struct explain_reader *reader)
{
	uint64_t count;

	if (!reader->ring.memory)
		return;
	count = atomic_load_explicit(&reader->join.log->count, memory_order_acquire);
	trace_ring_drain(&reader->ring, explain_join_take, &reader->join);
	explain_join_settle(&reader->join, count);
}

void explain_reader_add(struct explain_reader *reader, struct explanation *explanation, const struct sums *sums)
{
	struct explain_join *join = &reader->join;
	unsigned counted = 0;

	if (!join->rows)
		return;
	while (counted < join->count && join->rows[counted].stamp_ns <= sums->to_ns)
		counted++;
	explanation_add(explanation, join->rows, counted, join->lost, &sums->events);
	join->count -= counted;
	memmove(join->rows, join->rows + counted, join->count * sizeof(*join->rows));
}

void explain_reader_close(struct explain_reader *reader)
{
	if (!reader->ring.memory)
		return;
	trace_ring_close(&reader->ring);
	free(reader->join.rows);
	*reader = (struct explain_reader){ .join = { .log = NULL } };
}
