// SPDX-License-Identifier: GPL-2.0-or-later
/* Keeps the worst wake-ups in a heap, and their recordings in chunks. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "measure/events.h"

/* A total order: no two events have the same stamp. */
static bool is_worse(const struct event *a, const struct event *b)
{
	return a->late_ns != b->late_ns ? a->late_ns > b->late_ns : a->stamp_ns < b->stamp_ns;
}

void events_clear(struct events *events)
{
	events->ordinary_ns = INT64_MIN;
	events->count = 0;
}

void events_go_on_from(struct events *events, const struct events *before)
{
	events->ordinary_ns = greater(events->ordinary_ns, events_ordinary(before));
}

int64_t events_ordinary(const struct events *events)
{
	return events->count < EVENTS_MAX ? events->ordinary_ns : events->worst[0].late_ns;
}

static void swap(struct event *a, struct event *b)
{
	struct event held = *a;

	*a = *b;
	*b = held;
}

static void sift_up(struct event *heap, unsigned child)
{
	while (child && is_worse(&heap[(child - 1) / 2], &heap[child])) {
		swap(&heap[child], &heap[(child - 1) / 2]);
		child = (child - 1) / 2;
	}
}

static void sift_down(struct event *heap, unsigned count, unsigned parent)
{
	unsigned child;

	while ((child = 2 * parent + 1) < count) {
		if (child + 1 < count && is_worse(&heap[child], &heap[child + 1]))
			child++;
		if (is_worse(&heap[child], &heap[parent]))
			return;
		swap(&heap[parent], &heap[child]);
		parent = child;
	}
}

/* Returns the place of the event's episode, a free one, or the first; -1 if it is no worse than what is there. */
static int place_for(const struct events *events, const struct event *event)
{
	unsigned place = 0;

	while (place < events->count && events->worst[place].episode != event->episode)
		place++;
	if (place == EVENTS_MAX)
		place = 0;
	return place == events->count || is_worse(event, &events->worst[place]) ? (int)place : -1;
}

static void keep(struct events *events, unsigned place, const struct event *event)
{
	events->worst[place] = *event;
	if (place == events->count)
		sift_up(events->worst, events->count++);
	else
		sift_down(events->worst, events->count, place);
}

/* While there is room, the events kept fill the slots below count. */
int events_add(struct events *events, const struct event *event)
{
	int place = place_for(events, event);
	struct event kept = *event;

	if (place < 0)
		return -1;
	kept.slot = (unsigned)place == events->count ? events->count : events->worst[place].slot;
	keep(events, place, &kept);
	return kept.slot;
}

void events_merge(struct events *into, const struct events *from)
{
	for (unsigned i = 0; i < from->count; i++) {
		int place = place_for(into, &from->worst[i]);

		if (place >= 0)
			keep(into, place, &from->worst[i]);
	}
}

static int compare(const void *a, const void *b)
{
	return is_worse(b, a) - is_worse(a, b);
}

void events_sort(struct events *events)
{
	qsort(events->worst, events->count, sizeof(*events->worst), compare);
}

/* The room is all free chunks, less the minimum of every other slot; but at least its own minimum. */
uint32_t recordings_begin(struct recordings *recordings, unsigned slot, uint32_t size)
{
	const int least = RECORDING_LEAST / RECORDING_CHUNK, others = (RECORDING_SLOTS - 1) * least;
	int chunks = (lesser(size, RECORDING_SIZE) + RECORDING_CHUNK - 1) / RECORDING_CHUNK, free = 0;

	for (unsigned i = 0; i < RECORDING_CHUNKS; i++) {
		if (recordings->holder[i] == slot + 1)
			recordings->holder[i] = 0;
		free += !recordings->holder[i];
	}
	chunks = lesser(chunks, greater(least, free - others));
	size = lesser(size, chunks * RECORDING_CHUNK);
	for (unsigned i = 0; chunks; i++)
		if (!recordings->holder[i]) {
			recordings->holder[i] = slot + 1;
			chunks--;
		}
	return size;
}

void recordings_write(struct recordings *recordings, unsigned slot, uint32_t at, const void *data, uint32_t size)
{
	const unsigned char *from = data;

	for (unsigned i = 0; size; i++) {
		uint32_t room = at < RECORDING_CHUNK ? RECORDING_CHUNK - at : 0, length = lesser(size, room);

		if (recordings->holder[i] != slot + 1)
			continue;
		memcpy(recordings->data[i] + RECORDING_CHUNK - room, from, length);
		from += length;
		size -= length;
		at -= RECORDING_CHUNK - room;
	}
}

void recordings_seal(struct recordings *recordings, unsigned slot, uint32_t used, uint64_t stamp_ns)
{
	recordings->slot[slot].used = used;
	atomic_store_explicit(&recordings->slot[slot].stamp_ns, stamp_ns, memory_order_release);
}

void recording_keep(struct recording *to, const struct recordings *from, unsigned slot, uint64_t stamp_ns)
{
	if (atomic_load_explicit(&from->slot[slot].stamp_ns, memory_order_acquire) != stamp_ns)
		return;
	to->used = from->slot[slot].used;
	for (uint32_t i = 0, at = 0; i < RECORDING_CHUNKS && at < to->used; i++)
		if (from->holder[i] == slot + 1) {
			memcpy(to->data + at, from->data[i], lesser(to->used - at, RECORDING_CHUNK));
			at += RECORDING_CHUNK;
		}
	atomic_store_explicit(&to->stamp_ns, stamp_ns, memory_order_release);
}
