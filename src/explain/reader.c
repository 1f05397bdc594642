// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "explain/reader.h"

#define USUAL_NS UINT64_C(100000000)

/* The ring of the parts holds at least a second, or more wake-ups than the log: see tap.c. */
uint64_t tap_reader_interval_ns(unsigned hz)
{
	uint64_t half_log_ns = UINT64_C(1000000000) * (WAKELOG_SIZE / 2) / (hz ? hz : 1);

	return half_log_ns < USUAL_NS ? half_log_ns : USUAL_NS;
}

/* Room for the wake-ups between two flips, which come once a second, and for those that wait in the log. */
int tap_reader_open(struct tap_reader *reader, int event, struct trace_layout *layout, size_t size,
		    const struct wakelog *log, unsigned hz, bool asked)
{
	int error;

	*reader = (struct tap_reader){ .log = log, .room = 2 * hz + WAKELOG_SIZE, .search.asked = asked };
	reader->parts = malloc(reader->room * sizeof(*reader->parts));
	if (reader->parts && perf_ring_share(&reader->ring, event, layout, size) == 0)
		return 0;
	error = errno;
	close(event);
	free(reader->parts);
	*reader = (struct tap_reader){ .log = NULL };
	errno = error;
	return -1;
}

int tap_reader_open_told(struct tap_reader *reader, const struct wakelog *log)
{
	*reader = (struct tap_reader){ .told = true, .log = log, .room = WAKELOG_SIZE };
	reader->parts = malloc(reader->room * sizeof(*reader->parts));
	return reader->parts ? 0 : -1;
}

/* Returns the oldest wake-up that is not settled; NULL when there is none. */
static const struct wakelog_entry *oldest(struct tap_reader *reader)
{
	uint64_t lost = reader->logged.lost;

	if (!reader->has_oldest)
		reader->has_oldest = wakelog_read(reader->log, &reader->logged, &reader->oldest);
	if (reader->logged.lost > lost)
		parts_doubt(&reader->search);
	return reader->has_oldest ? &reader->oldest : NULL;
}

static void settle(struct tap_reader *reader, const struct wakelog_entry *entry)
{
	struct parts parts;
	bool known = true;

	if (reader->told)
		parts_told(entry, &parts);
	else
		known = parts_settle(&reader->search, entry->due_ns, entry->stamp_ns, &parts);
	reader->has_oldest = false;
	if (known && entry->periods && reader->count < reader->room)
		reader->parts[reader->count++] = parts;
}

/* A record after a wake-up's stamp belongs to a later wake-up. */
static void settle_before(struct tap_reader *reader, uint64_t at_ns)
{
	const struct wakelog_entry *entry;

	while ((entry = oldest(reader)) && entry->stamp_ns < at_ns)
		settle(reader, entry);
}

static void take(void *context, const struct trace_record *record)
{
	struct tap_reader *reader = context;

	if (record->kind == TRACE_LOST)
		reader->lost += record->lost;
	else
		settle_before(reader, record->at_ns);
	parts_take(&reader->search, record);
}

/* Settles the first count wake-ups of the log. The records that the ring held when they were logged must be taken. */
static void settle_first(struct tap_reader *reader, uint64_t count)
{
	const struct wakelog_entry *entry;

	while ((entry = oldest(reader)) && reader->logged.next <= count)
		settle(reader, entry);
}

void tap_reader_read(struct tap_reader *reader)
{
	uint64_t count;

	if (!reader->parts)
		return;
	count = atomic_load_explicit(&reader->log->ring.written, memory_order_acquire);
	if (!reader->told)
		perf_ring_drain(&reader->ring, take, reader);
	settle_first(reader, count);
}

void tap_reader_add(struct tap_reader *reader, struct totals *totals)
{
	uint64_t to_ns = totals_sums(totals)->to_ns;
	unsigned counted = 0;

	if (!reader->parts)
		return;
	while (counted < reader->count && reader->parts[counted].stamp_ns <= to_ns)
		counted++;
	totals_add_parts(totals, reader->parts, counted, reader->lost);
	reader->count -= counted;
	memmove(reader->parts, reader->parts + counted, reader->count * sizeof(*reader->parts));
}

void tap_reader_close(struct tap_reader *reader)
{
	if (!reader->parts)
		return;
	perf_ring_close(&reader->ring);
	free(reader->parts);
	*reader = (struct tap_reader){ .log = NULL };
}
