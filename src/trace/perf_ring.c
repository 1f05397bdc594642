// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "trace/perf_ring.h"

#define RECORD_MAX 1024			/* bytes; what we ask for is not longer */

static size_t page_size(void)
{
	return sysconf(_SC_PAGESIZE);
}

static const unsigned char *data_of(const struct perf_ring *ring)
{
	return (const unsigned char *)ring->memory + page_size();
}

void perf_ring_init(struct perf_ring *ring, struct trace_layout *layout, int cpu, size_t size, bool backward)
{
	*ring = (struct perf_ring){ .cpu = cpu, .backward = backward, .layout = layout, .full_at = UINT64_MAX };
	for (ring->size = page_size(); ring->size < size; ring->size *= 2)
		;
}

void perf_ring_init_common(struct perf_ring *ring, struct trace_layout *layout, int cpu, size_t size)
{
	perf_ring_init(ring, layout, cpu, size, false);
	ring->common = true;
}

/* A page that is first touched while we measure would be a fault. */
static void touch(const struct perf_ring *ring)
{
	for (size_t at = 0; at <= ring->size; at += page_size())
		(void)*((const volatile unsigned char *)ring->memory + at);
}

/* The kernel overwrites a ring that cannot be written to. */
static int map(struct perf_ring *ring)
{
	bool overwritten = ring->backward || ring->common;

	ring->memory = mmap(NULL, page_size() + ring->size, PROT_READ | (overwritten ? 0 : PROT_WRITE), MAP_SHARED,
			    ring->event[0], 0);
	if (ring->memory == MAP_FAILED) {
		ring->memory = NULL;
		errno = errno == EPERM ? ENOBUFS : errno;
		return -1;
	}
	touch(ring);
	return 0;
}

static int join(struct perf_ring *ring, int event)
{
	if (ring->events)
		return ioctl(event, PERF_EVENT_IOC_SET_OUTPUT, ring->event[0]);
	ring->event[0] = event;
	return ring->common ? 0 : map(ring);
}

static int abandon(int event)
{
	int error = errno;

	close(event);
	errno = error;
	return -1;
}

int perf_ring_add(struct perf_ring *ring, const struct tracefs *tracefs, const char *tracepoint,
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

void perf_ring_enable(const struct perf_ring *ring, bool enable)
{
	for (unsigned i = 0; i < ring->events; i++)
		ioctl(ring->event[i], enable ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}

int perf_ring_share(struct perf_ring *ring, int event, struct trace_layout *layout, size_t size)
{
	*ring = (struct perf_ring){
		.size = size, .layout = layout, .events = 1, .event = { event }, .full_at = UINT64_MAX,
	};
	return map(ring);
}

void perf_ring_leave(struct perf_ring *ring)
{
	if (ring->memory)
		munmap(ring->memory, page_size() + ring->size);
	ring->memory = NULL;
}

void perf_ring_close(struct perf_ring *ring)
{
	perf_ring_leave(ring);
	while (ring->events)
		close(ring->event[--ring->events]);
}

/* A record may go on at the start of the ring. */
static void copy_from(const struct perf_ring *ring, uint64_t at, void *to, size_t size)
{
	size_t offset = at & (ring->size - 1);
	size_t first = size < ring->size - offset ? size : ring->size - offset;

	memcpy(to, data_of(ring) + offset, first);
	memcpy((unsigned char *)to + first, data_of(ring), size - first);
}

static uint64_t head_of(const struct perf_ring *ring)
{
	const struct perf_event_mmap_page *page = ring->memory;

	return __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
}

int perf_ring_follow(struct perf_ring *ring)
{
	if (map(ring) < 0)
		return -1;
	ring->tail = head_of(ring);
	return 0;
}

/* Returns its size; copies it if there is room. Records are aligned, so that a header is in one piece. */
static uint32_t record_at(const struct perf_ring *ring, uint64_t at, void *to, uint32_t room)
{
	struct perf_event_header header;

	memcpy(&header, data_of(ring) + (at & (ring->size - 1)), sizeof(header));
	if (header.size <= room)
		copy_from(ring, at, to, header.size);
	return header.size;
}

/* Hand over what stands between the two. */
static void hand_over(const struct perf_ring *ring, uint64_t tail, uint64_t head,
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
static bool is_full(const struct perf_ring *ring, uint64_t tail, uint64_t head)
{
	return head - tail > ring->size - RECORD_MAX;
}

static const struct trace_record untold = { .kind = TRACE_LOST };

/* What was copied counts if the kernel is not about to write over it, even now. */
static void drain_common(struct perf_ring *ring, void (*take)(void *context, const struct trace_record *record),
			 void *context)
{
	uint64_t head = head_of(ring);
	unsigned char data[RECORD_MAX];
	struct trace_record record;

	while (ring->tail < head) {
		uint32_t size = record_at(ring, ring->tail, data, sizeof(data));

		if (is_full(ring, ring->tail, head_of(ring))) {
			take(context, &untold);
			ring->tail = head_of(ring);
			return;
		}
		if (size <= sizeof(data) && trace_decode_one(ring->layout, data, size, &record))
			take(context, &record);
		ring->tail += size;
	}
}

/*
 * The kernel tells a loss before the next record that it writes, so one behind
 * the last is not told yet; and there is room again since, if we have made it.
 */
void perf_ring_drain(struct perf_ring *ring,
		     void (*take)(void *context, const struct trace_record *record), void *context)
{
	struct perf_event_mmap_page *page = ring->memory;
	uint64_t tail, head, after;

	if (ring->common) {
		drain_common(ring, take, context);
		return;
	}
	tail = page->data_tail;
	head = head_of(ring);
	hand_over(ring, tail, head, take, context);
	if (head == ring->full_at || is_full(ring, tail, head))
		take(context, &untold);
	__atomic_store_n(&page->data_tail, head, __ATOMIC_RELEASE);
	after = head_of(ring);
	ring->full_at = is_full(ring, tail, after) ? after : UINT64_MAX;
}

void perf_ring_pause(const struct perf_ring *ring)
{
	ioctl(ring->event[0], PERF_EVENT_IOC_PAUSE_OUTPUT, 1);
}

/* A backward ring from its newest record on. Records are aligned, so that no word of one is in two pieces. */
struct view {
	const struct perf_ring *ring;
	const unsigned char *data;
	uint64_t at;			/* where the record begins */
	struct perf_event_header header;
};

static uint64_t word(const struct view *view, unsigned number)
{
	uint64_t word;

	memcpy(&word, view->data + ((view->at + number * sizeof(word)) & (view->ring->size - 1)), sizeof(word));
	return word;
}

/* Returns false at the end of what there is: the oldest may be overwritten in part, and an interrupt may do so now. */
static bool look(struct view *view)
{
	uint64_t first = word(view, 0);

	memcpy(&view->header, &first, sizeof(first));
	return view->header.size > sizeof(first) &&
	       view->at + view->header.size - head_of(view->ring) <= view->ring->size;
}

/* The time is the second number of a sample, and the last but one of the others. */
static uint64_t written_ns(const struct view *view)
{
	return word(view, view->header.type == PERF_RECORD_SAMPLE ? 2 : view->header.size / sizeof(uint64_t) - 2);
}

static bool is_switch(const struct view *view)
{
	const struct trace_layout *layout = view->ring->layout;
	uint64_t number = word(view, 1);

	for (unsigned i = 0; i < layout->count; i++)
		if (layout->event[i].number == number)
			return view->header.type == PERF_RECORD_SAMPLE && layout->event[i].kind == TRACE_SWITCH;
	return false;
}

/* From where to where in the ring, the newest first. */
struct extent {
	uint64_t from, to;
};

static struct extent find_extent(const struct perf_ring *ring, uint64_t due_ns, uint64_t stamp_ns)
{
	struct view view = { .ring = ring, .data = data_of(ring), .at = head_of(ring) };
	uint64_t from = view.at;

	while (look(&view)) {
		uint64_t ns = written_ns(&view);
		bool whole = ns < due_ns && is_switch(&view);

		view.at += view.header.size;
		if (ns > stamp_ns)
			from = view.at;
		if (whole)
			break;
	}
	return (struct extent){ from, view.at };
}

/* In two pieces where the ring ends. */
static void copy_extent(const struct perf_ring *ring, uint64_t from, struct recordings *recordings, unsigned slot,
			uint32_t size)
{
	size_t offset = from & (ring->size - 1);
	uint32_t first = size < ring->size - offset ? size : ring->size - offset;

	recordings_write(recordings, slot, 0, data_of(ring) + offset, first);
	recordings_write(recordings, slot, first, data_of(ring), size - first);
}

/* A record at the end that is cut, as there was no more room or it was overwritten meanwhile, is not decoded. */
void perf_ring_record(const struct perf_ring *ring, struct recordings *recordings, unsigned slot, uint64_t due_ns,
		      uint64_t stamp_ns)
{
	struct extent extent = find_extent(ring, due_ns, stamp_ns);
	uint32_t size = recordings_begin(recordings, slot, extent.to - extent.from);
	uint64_t newer, intact;

	copy_extent(ring, extent.from, recordings, slot, size);
	newer = extent.from - head_of(ring);
	intact = newer < ring->size ? ring->size - newer : 0;
	recordings_seal(recordings, slot, size < intact ? size : intact, stamp_ns);
}

/* Behind the oldest record there is what is left of one that was overwritten, or nothing, which is not decoded. */
void perf_ring_copy(const struct perf_ring *ring, struct recording *copy)
{
	copy->used = ring->size < sizeof(copy->data) ? ring->size : sizeof(copy->data);
	copy_from(ring, head_of(ring), copy->data, copy->used);
}
