// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "events.h"

int64_t events_ordinary(const struct events *events)
{
	return events->count < EVENTS_MAX ? INT64_MIN : events->worst[0].late_ns;
}

static void swap(struct event *a, struct event *b)
{
	struct event held = *a;

	*a = *b;
	*b = held;
}

static void sift_up(struct event *heap, unsigned child)
{
	while (child && heap[child].late_ns < heap[(child - 1) / 2].late_ns) {
		swap(&heap[child], &heap[(child - 1) / 2]);
		child = (child - 1) / 2;
	}
}

static void sift_down(struct event *heap, unsigned count)
{
	unsigned parent = 0, child;

	while ((child = 2 * parent + 1) < count) {
		if (child + 1 < count && heap[child + 1].late_ns < heap[child].late_ns)
			child++;
		if (heap[parent].late_ns <= heap[child].late_ns)
			return;
		swap(&heap[parent], &heap[child]);
		parent = child;
	}
}

void events_add(struct events *events, const struct event *event)
{
	events->added++;
	if (events->count < EVENTS_MAX) {
		events->worst[events->count] = *event;
		sift_up(events->worst, events->count++);
	} else if (event->late_ns > events->worst[0].late_ns) {
		events->worst[0] = *event;
		sift_down(events->worst, events->count);
	}
}

/* Equally late ones in the order in which they came. */
static int compare(const void *a, const void *b)
{
	const struct event *first = a, *second = b;

	if (first->late_ns != second->late_ns)
		return first->late_ns < second->late_ns ? 1 : -1;
	return first->stamp_ns > second->stamp_ns ? 1 : -1;
}

void events_sort(struct events *events)
{
	qsort(events->worst, events->count, sizeof(*events->worst), compare);
}

static int64_t difference(int64_t before, int64_t after)
{
	if (before == EVENTS_UNKNOWN || after == EVENTS_UNKNOWN)
		return EVENTS_UNKNOWN;
	return after - before;
}

struct counters counters_moved(const struct counters *before, const struct counters *after)
{
	return (struct counters){
		.cpu = after->cpu,
		.run_delay_ns = difference(before->run_delay_ns, after->run_delay_ns),
		.switches = difference(before->switches, after->switches),
		.faults = difference(before->faults, after->faults),
		.interrupts = difference(before->interrupts, after->interrupts),
		.smis = difference(before->smis, after->smis),
	};
}
