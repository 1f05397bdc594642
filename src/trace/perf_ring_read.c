// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads the rings: drains them, or copies what led up to a wake-up while the kernel goes on writing. */
#include <linux/perf_event.h>
#include <string.h>
#include <unistd.h>

#include "trace/perf_ring.h"

#define RECORD_MAX 1024			/* bytes; no record that we ask for is longer */

static const unsigned char *data_of(const struct perf_ring *ring)
{
	return (const unsigned char *)ring->memory + sysconf(_SC_PAGESIZE);
}

uint64_t perf_ring_head(const struct perf_ring *ring)
{
	const struct perf_event_mmap_page *page = ring->memory;

	return __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
}

/* Data that reach the end of the ring continue at its start. */
static void copy_from(const struct perf_ring *ring, uint64_t at, void *to, size_t size)
{
	size_t offset = at & (ring->size - 1);
	size_t first = size < ring->size - offset ? size : ring->size - offset;

	memcpy(to, data_of(ring) + offset, first);
	memcpy((unsigned char *)to + first, data_of(ring), size - first);
}

/* Copies the record if there is room. Returns its size. Records are aligned, so no header is split. */
static uint32_t copy_record(const struct perf_ring *ring, uint64_t at, void *to, uint32_t room)
{
	struct perf_event_header header;

	memcpy(&header, data_of(ring) + (at & (ring->size - 1)), sizeof(header));
	if (header.size <= room)
		copy_from(ring, at, to, header.size);
	return header.size;
}

/* Is there no room for a record of RECORD_MAX? Then the kernel may have dropped one, or overwritten one at tail. */
static bool is_full(const struct perf_ring *ring, uint64_t tail, uint64_t head)
{
	return head - tail > ring->size - RECORD_MAX;
}

/* Returns false if the kernel may have overwritten a copy from a COMMON ring: the check follows each copy. */
static bool take_records(const struct perf_ring *ring, uint64_t tail, uint64_t head,
			 void (*take)(void *context, const struct trace_record *record), void *context)
{
	unsigned char data[RECORD_MAX];
	struct trace_record record;
	uint32_t size;

	for (; tail < head && (size = copy_record(ring, tail, data, sizeof(data))); tail += size) {
		if (ring->kind == PERF_RING_COMMON && is_full(ring, tail, perf_ring_head(ring)))
			return false;
		if (size > sizeof(data) || !trace_decode_one(ring->layout, data, size, &record))
			continue;
		record.cpu = ring->cpu < 0 ? record.cpu : ring->cpu;
		take(context, &record);
	}
	return true;
}

static const struct trace_record loss = { .kind = TRACE_LOST };	/* of an unknown number */

static void drain_common(struct perf_ring *ring, void (*take)(void *context, const struct trace_record *record),
			 void *context)
{
	uint64_t head = perf_ring_head(ring);

	if (!take_records(ring, ring->tail, head, take, context)) {
		take(context, &loss);
		head = perf_ring_head(ring);
	}
	ring->tail = head;
}

/*
 * The kernel reports a loss with the next record that finds room, so a loss after the last record is not reported yet.
 * It is possible if the ring is full now, or was full at this same head when the ring was last drained.
 */
void perf_ring_drain(struct perf_ring *ring,
		     void (*take)(void *context, const struct trace_record *record), void *context)
{
	struct perf_event_mmap_page *page = ring->memory;
	uint64_t tail, head, after;

	if (ring->kind == PERF_RING_COMMON) {
		drain_common(ring, take, context);
		return;
	}
	tail = page->data_tail;
	head = perf_ring_head(ring);
	take_records(ring, tail, head, take, context);
	if (head == ring->full_at || is_full(ring, tail, head))
		take(context, &loss);
	__atomic_store_n(&page->data_tail, head, __ATOMIC_RELEASE);
	after = perf_ring_head(ring);
	ring->full_at = is_full(ring, tail, after) ? after : UINT64_MAX;
}

/* A record in a BACKWARD ring, which is read newest first. Records are aligned, so no word is split. */
struct view {
	const struct perf_ring *ring;
	const unsigned char *data;
	uint64_t at;			/* where it begins */
	struct perf_event_header header;
	uint64_t ns, number;		/* its time, and the number of a sample's event */
};

static uint64_t word(const struct view *view, unsigned number)
{
	uint64_t word;

	memcpy(&word, view->data + ((view->at + number * sizeof(word)) & (view->ring->size - 1)), sizeof(word));
	return word;
}

/*
 * Returns how many bytes from there on were intact while they were read. The kernel
 * may be overwriting the oldest with one more record, which it counts afterwards.
 */
static uint64_t intact_bytes(const struct perf_ring *ring, uint64_t from)
{
	uint64_t newer;

	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	newer = from - perf_ring_head(ring) + RECORD_MAX;
	return newer < ring->size ? ring->size - newer : 0;
}

/* The time is the third word of a sample, and the second to last of other records. Returns false past the oldest. */
static bool look(struct view *view)
{
	struct perf_event_header *header = &view->header;
	uint64_t first = word(view, 0);

	memcpy(header, &first, sizeof(first));
	view->number = word(view, 1);
	view->ns = word(view, header->type == PERF_RECORD_SAMPLE ? 2 : header->size / sizeof(first) - 2);
	return header->size > sizeof(first) && header->size <= intact_bytes(view->ring, view->at);
}

static bool is_switch(const struct view *view)
{
	const struct trace_layout *layout = view->ring->layout;

	for (unsigned i = 0; i < layout->count; i++)
		if (layout->format[i].number == view->number)
			return view->header.type == PERF_RECORD_SAMPLE && layout->format[i].kind == TRACE_SWITCH;
	return false;
}

/* Finds the records from the stamp back to the last switch before due. Returns their size; *from is their start. */
static uint64_t find_extent(const struct perf_ring *ring, uint64_t due_ns, uint64_t stamp_ns, uint64_t *from)
{
	struct view view = { .ring = ring, .data = data_of(ring), .at = perf_ring_head(ring) };
	bool complete = false;

	*from = view.at;
	while (!complete && look(&view)) {
		complete = view.ns < due_ns && is_switch(&view);
		view.at += view.header.size;
		if (view.ns > stamp_ns)
			*from = view.at;
	}
	return view.at - *from;
}

/* Copies in two parts across the ring's end. What was overwritten before it was copied is left out. */
void perf_ring_keep(const struct perf_ring *ring, struct recordings *recordings, unsigned slot, uint64_t due_ns,
		    uint64_t stamp_ns)
{
	uint64_t from, extent = find_extent(ring, due_ns, stamp_ns, &from), intact;
	uint32_t size = recordings_begin(recordings, slot, extent);
	size_t offset = from & (ring->size - 1);
	uint32_t first = size < ring->size - offset ? size : ring->size - offset;

	recordings_write(recordings, slot, 0, data_of(ring) + offset, first);
	recordings_write(recordings, slot, first, data_of(ring), size - first);
	intact = intact_bytes(ring, from);
	recordings_seal(recordings, slot, size < intact ? size : intact, stamp_ns);
}

/* The rest of a record that was partly overwritten may follow the oldest whole one. It is not decoded. */
void perf_ring_copy(const struct perf_ring *ring, struct recording *copy)
{
	copy->used = ring->size < sizeof(copy->data) ? ring->size : sizeof(copy->data);
	copy_from(ring, perf_ring_head(ring), copy->data, copy->used);
}
