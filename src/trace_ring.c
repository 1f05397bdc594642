// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "trace_ring.h"

#define RECORD_MAX 1024			/* bytes; what we ask for is not longer */

static size_t page_size(void)
{
	return sysconf(_SC_PAGESIZE);
}

static const unsigned char *data_of(const struct trace_ring *ring)
{
	return (const unsigned char *)ring->memory + page_size();
}

void trace_ring_init(struct trace_ring *ring, struct trace_layout *layout, int cpu, size_t size, bool backward)
{
	*ring = (struct trace_ring){ .cpu = cpu, .backward = backward, .layout = layout, .full_at = UINT64_MAX };
	for (ring->size = page_size(); ring->size < size; ring->size *= 2)
		;
}

/* A page that is first touched while we measure would be a fault. */
static void touch(const struct trace_ring *ring)
{
	for (size_t at = 0; at <= ring->size; at += page_size())
		(void)*((const volatile unsigned char *)ring->memory + at);
}

/* The kernel overwrites a ring that cannot be written to. */
static int map(struct trace_ring *ring)
{
	ring->memory = mmap(NULL, page_size() + ring->size, PROT_READ | (ring->backward ? 0 : PROT_WRITE),
			    MAP_SHARED, ring->event[0], 0);
	if (ring->memory == MAP_FAILED) {
		ring->memory = NULL;
		errno = errno == EPERM ? ENOBUFS : errno;
		return -1;
	}
	touch(ring);
	return 0;
}

static int join(struct trace_ring *ring, int event)
{
	if (ring->events)
		return ioctl(event, PERF_EVENT_IOC_SET_OUTPUT, ring->event[0]);
	ring->event[0] = event;
	return map(ring);
}

static int abandon(int event)
{
	int error = errno;

	close(event);
	errno = error;
	return -1;
}

int trace_ring_add(struct trace_ring *ring, const struct tracefs *tracefs, const char *tracepoint,
		   const char *filter, enum trace_detail detail)
{
	int id = tracefs_id(tracefs, tracepoint), event;

	if (id < 0)
		return -1;
	event = tracepoint_open(id, ring->cpu, detail, ring->backward, filter);
	if (event < 0)
		return -1;
	if (trace_layout_add(ring->layout, tracefs, tracepoint, tracepoint_number(event), detail) < 0)
		return abandon(event);
	if (join(ring, event) < 0) {
		ring->layout->count--;
		return abandon(event);
	}
	ring->event[ring->events++] = event;
	return 0;
}

void trace_ring_enable(const struct trace_ring *ring, bool enable)
{
	for (unsigned i = 0; i < ring->events; i++)
		ioctl(ring->event[i], enable ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}

int trace_ring_share(struct trace_ring *ring, int event, struct trace_layout *layout, size_t size)
{
	*ring = (struct trace_ring){
		.size = size, .layout = layout, .events = 1, .event = { event }, .full_at = UINT64_MAX,
	};
	return map(ring);
}

void trace_ring_close(struct trace_ring *ring)
{
	if (ring->memory)
		munmap(ring->memory, page_size() + ring->size);
	ring->memory = NULL;
	while (ring->events)
		close(ring->event[--ring->events]);
}

/* A record may go on at the start of the ring. */
static void copy_from(const struct trace_ring *ring, uint64_t at, void *to, size_t size)
{
	size_t offset = at & (ring->size - 1);
	size_t first = size < ring->size - offset ? size : ring->size - offset;

	memcpy(to, data_of(ring) + offset, first);
	memcpy((unsigned char *)to + first, data_of(ring), size - first);
}

static uint64_t head_of(const struct trace_ring *ring)
{
	const struct perf_event_mmap_page *page = ring->memory;

	return __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
}

/* Returns its size; copies it if there is room. Records are aligned, so that a header is in one piece. */
static uint32_t record_at(const struct trace_ring *ring, uint64_t at, void *to, uint32_t room)
{
	struct perf_event_header header;

	memcpy(&header, data_of(ring) + (at & (ring->size - 1)), sizeof(header));
	if (header.size <= room)
		copy_from(ring, at, to, header.size);
	return header.size;
}

/* Hand over what stands between the two. */
static void hand_over(const struct trace_ring *ring, uint64_t tail, uint64_t head,
		      void (*take)(void *context, const struct trace_record *record), void *context)
{
	unsigned char data[RECORD_MAX];
	struct trace_record record;
	uint32_t size;

	for (; tail < head && (size = record_at(ring, tail, data, sizeof(data))); tail += size)
		if (size <= sizeof(data) && trace_decode_one(ring->layout, data, size, &record))
			take(context, &record);
}

/* May the kernel have dropped the next record? It counts in up to that tail. */
static bool is_full(const struct trace_ring *ring, uint64_t tail, uint64_t head)
{
	return head - tail > ring->size - RECORD_MAX;
}

/*
 * The kernel tells a loss before the next record that it writes, so one behind
 * the last is not told yet; and there is room again since, if we have made it.
 */
void trace_ring_drain(struct trace_ring *ring,
		      void (*take)(void *context, const struct trace_record *record), void *context)
{
	static const struct trace_record untold = { .kind = TRACE_LOST };
	struct perf_event_mmap_page *page = ring->memory;
	uint64_t tail = page->data_tail, head = head_of(ring), after;

	hand_over(ring, tail, head, take, context);
	if (head == ring->full_at || is_full(ring, tail, head))
		take(context, &untold);
	__atomic_store_n(&page->data_tail, head, __ATOMIC_RELEASE);
	after = head_of(ring);
	ring->full_at = is_full(ring, tail, after) ? after : UINT64_MAX;
}

void trace_ring_pause(const struct trace_ring *ring)
{
	ioctl(ring->event[0], PERF_EVENT_IOC_PAUSE_OUTPUT, 1);
}

/* On the way from the newest record of a backward ring to the oldest. */
struct walk {
	const struct trace_ring *ring;
	uint64_t head, at;
};

static struct walk walk_from_newest(const struct trace_ring *ring)
{
	uint64_t head = head_of(ring);

	return (struct walk){ ring, head, head };
}

/*
 * Copy the next older record. Returns its size, or 0 at the end of what there is.
 * The ring ends with what is left of a record that was overwritten; and an
 * interrupt may be writing over the oldest ones while we copy.
 */
static uint32_t walk_on(struct walk *walk, unsigned char *to, uint32_t room)
{
	uint64_t ring_size = walk->ring->size;
	uint32_t size;

	if (walk->at - walk->head >= ring_size)
		return 0;
	size = record_at(walk->ring, walk->at, to, room);
	walk->at += size;
	if (size > room || walk->at - walk->head > ring_size || walk->at - head_of(walk->ring) > ring_size)
		return 0;
	return size;
}

/* When it was written: the time is the second number of a sample, and the last but one of the others. */
static uint64_t written_ns(const unsigned char *data, uint32_t size)
{
	struct perf_event_header header;
	uint64_t ns;

	memcpy(&header, data, sizeof(header));
	memcpy(&ns, data + (header.type == PERF_RECORD_SAMPLE ? sizeof(header) + sizeof(ns) : size - 2 * sizeof(ns)),
	       sizeof(ns));
	return ns;
}

static bool is_switch(const struct trace_layout *layout, const unsigned char *data)
{
	struct perf_event_header header;
	uint64_t number;

	memcpy(&header, data, sizeof(header));
	memcpy(&number, data + sizeof(header), sizeof(number));
	for (unsigned i = 0; i < layout->count; i++)
		if (layout->event[i].number == number)
			return header.type == PERF_RECORD_SAMPLE && layout->event[i].kind == TRACE_SWITCH;
	return false;
}

void trace_ring_record(const struct trace_ring *ring, struct recording *recording, uint64_t due_ns, uint64_t stamp_ns)
{
	struct walk walk = walk_from_newest(ring);
	bool whole = false;

	recording->used = 0;
	while (!whole) {
		unsigned char *to = recording->data + recording->used;
		uint32_t size = walk_on(&walk, to, sizeof(recording->data) - recording->used);
		uint64_t ns;

		if (!size)
			break;
		ns = written_ns(to, size);
		if (ns <= stamp_ns)
			recording->used += size;
		whole = ns < due_ns && is_switch(ring->layout, to);
	}
	recording_seal(recording, stamp_ns);
}

void trace_ring_copy(const struct trace_ring *ring, struct trace_copy *copy)
{
	struct walk walk = walk_from_newest(ring);
	uint32_t size;

	copy->used = 0;
	while ((size = walk_on(&walk, copy->data + copy->used, sizeof(copy->data) - copy->used)))
		copy->used += size;
}
