// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The keeper's side of --explain joins the log of the meter's wake-ups with the kernel's records of its CPU, and so
 * finds the parts of each wake-up's lateness. Neither the meter nor the kernel waits for it. The parts are known only
 * if all records of the wake-up are there and their order is plain. Unknown ones are not guessed.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "explain/tap.h"

#define USUAL_NS UINT64_C(100000000)

/* No timer expires early, but perf's clock (ktime_get_mono_fast_ns) may step back when its slope is updated. */
#define STEP_BACK_NS 1000

/* The ring of the parts holds at least a second, or more wake-ups than the log: see tap.c. */
uint64_t tap_reader_interval_ns(unsigned hz)
{
	return lesser(USUAL_NS, UINT64_C(1000000000) * (WAKELOG_SIZE / 2) / (hz ? hz : 1));
}

/* Room for the wake-ups between two flips, which come once a second, and for those that wait in the log. */
int tap_reader_open(struct tap_reader *reader, int event, struct trace_layout *layout, size_t size,
		    const struct wakelog *log, unsigned hz, bool asked)
{
	int error;

	*reader = (struct tap_reader){
		.reported = event < 0, .log = log, .room = 2 * hz + WAKELOG_SIZE, .search.asked = asked,
	};
	reader->parts = malloc(reader->room * sizeof(*reader->parts));
	if (event >= 0) {
		perf_ring_init(&reader->ring, layout, -1, size, PERF_RING_DRAINED);
		reader->ring.event[reader->ring.events++] = event;
	}
	if (reader->parts && (event < 0 || perf_ring_map(&reader->ring) == 0))
		return 0;
	error = errno;
	close(event);
	free(reader->parts);
	*reader = (struct tap_reader){ .log = NULL };
	errno = error;
	return -1;
}

/* If no switch separates two wakings, one woke no sleeper, or a switch is missing. */
static void search_record(struct parts_search *search, const struct trace_record *record)
{
	search->losing = record->kind == TRACE_LOST;
	switch (record->kind) {
	case TRACE_EXPIRE:
		if (!search->waking_ns)
			search->expiry_ns = record->at_ns;
		break;
	case TRACE_WAKING:
		search->incomplete |= search->woken;
		search->woken = true;
		if (!search->waking_ns)
			search->waking_ns = record->at_ns;
		break;
	case TRACE_SWITCH:
		search->woken = false;
		if (!search->waking_ns)
			search->before_ns = record->at_ns;
		else if (!search->first_ns)
			search->first_ns = search->last_ns = record->at_ns;
		else
			search->last_ns = record->at_ns;
		break;
	default:
		search->incomplete = true;
	}
}

/*
 * All records up to the stamp have been searched. Begins the next search. Returns whether the parts are known. No
 * waking or switch: the timer expired before the meter slept. A switch between due and waking: it was awake.
 */
static bool find_parts(struct parts_search *search, uint64_t due_ns, uint64_t stamp_ns, struct parts *parts)
{
	bool losing = search->losing, plain;

	if (search->asked)
		search->expiry_ns = due_ns;
	plain = !search->incomplete && !search->woken && search->first_ns &&
		search->before_ns < due_ns && due_ns <= search->expiry_ns + STEP_BACK_NS &&
		search->expiry_ns <= search->waking_ns && search->waking_ns <= search->first_ns &&
		search->first_ns <= search->last_ns && search->last_ns <= stamp_ns;
	*parts = (struct parts){ .stamp_ns = stamp_ns, .ns = {
		[PART_EXPIRY] = search->expiry_ns - due_ns,
		[PART_WAKING] = search->waking_ns - search->expiry_ns,
		[PART_SWITCH] = search->first_ns - search->waking_ns,
		[PART_AGAIN] = search->last_ns - search->first_ns,
		[PART_STAMP] = stamp_ns - search->last_ns,
	} };
	*search = (struct parts_search){ .asked = search->asked, .incomplete = losing, .losing = losing };
	return plain;
}

/* Returns the oldest wake-up that is not matched; NULL when there is none. */
static const struct wakelog_entry *unmatched(struct tap_reader *reader)
{
	uint64_t lost = reader->logged.lost;

	if (!reader->has_oldest)
		reader->has_oldest = wakelog_read(reader->log, &reader->logged, &reader->oldest);
	if (reader->logged.lost > lost)
		reader->search.incomplete = true;
	return reader->has_oldest ? &reader->oldest : NULL;
}

/* The source's parts end with the switch, at the stamp. */
static void match(struct tap_reader *reader, const struct wakelog_entry *wakeup)
{
	struct parts parts;
	bool plain;

	if (reader->reported)
		reader->search = (struct parts_search){
			.expiry_ns = wakeup->expiry_ns, .waking_ns = wakeup->waking_ns,
			.first_ns = wakeup->stamp_ns, .last_ns = wakeup->stamp_ns,
		};
	plain = find_parts(&reader->search, wakeup->due_ns, wakeup->stamp_ns, &parts);
	reader->has_oldest = false;
	if ((plain || reader->reported) && wakeup->periods && reader->count < reader->room)
		reader->parts[reader->count++] = parts;
}

/* A record after a wake-up's stamp belongs to a later wake-up. */
static void take(void *context, const struct trace_record *record)
{
	struct tap_reader *reader = context;

	if (record->kind == TRACE_LOST)
		reader->lost += record->lost;
	else
		for (const struct wakelog_entry *next; (next = unmatched(reader)) && next->stamp_ns < record->at_ns;)
			match(reader, next);
	search_record(&reader->search, record);
}

/* When the ring is read, it has all records of the wake-ups logged so far. */
void tap_reader_read(struct tap_reader *reader)
{
	const struct wakelog_entry *wakeup;
	uint64_t count;

	if (!reader->parts)
		return;
	count = atomic_load_explicit(&reader->log->ring.written, memory_order_acquire);
	if (!reader->reported)
		perf_ring_drain(&reader->ring, take, reader);
	while ((wakeup = unmatched(reader)) && reader->logged.next <= count)
		match(reader, wakeup);
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
