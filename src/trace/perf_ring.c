// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "trace/perf_ring.h"

#define RECORD_MAX 1024			/* bytes; no record that we ask for is longer */

static size_t page_size(void)
{
	return sysconf(_SC_PAGESIZE);
}

static const unsigned char *data_of(const struct perf_ring *ring)
{
	return (const unsigned char *)ring->memory + page_size();
}

/* The kernel's byte counter. After this load the records that it announces are visible. */
static uint64_t head_of(const struct perf_ring *ring)
{
	const struct perf_event_mmap_page *page = ring->memory;

	return __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
}

void perf_ring_init(struct perf_ring *ring, struct trace_layout *layout, int cpu, size_t size,
		    enum perf_ring_kind kind)
{
	*ring = (struct perf_ring){ .kind = kind, .cpu = cpu, .layout = layout, .full_at = UINT64_MAX };
	for (ring->size = page_size(); ring->size < size; ring->size *= 2)
		;
}

/* Touches each page, because the first access to one during the measurement would be a page fault. */
static int map(struct perf_ring *ring)
{
	bool drained = ring->kind == PERF_RING_DRAINED;	/* the kernel overwrites a ring mapped without PROT_WRITE */

	ring->memory = mmap(NULL, page_size() + ring->size, PROT_READ | (drained ? PROT_WRITE : 0), MAP_SHARED,
			    ring->event[0], 0);
	if (ring->memory == MAP_FAILED) {
		ring->memory = NULL;
		errno = errno == EPERM ? ENOBUFS : errno;
		return -1;
	}
	for (size_t at = 0; at <= ring->size; at += page_size())
		(void)*((const volatile unsigned char *)ring->memory + at);
	return 0;
}

/*
 * A wake-up of a reader would take time. The kernel cuts this watermark to the
 * ring's size, so it tries one at most once for each ring of bytes written.
 */
static int open_event(const struct perf_ring *ring, struct perf_event_attr *attr, int pid)
{
	attr->size = sizeof(*attr);
	attr->sample_type |= PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TIME;
	attr->sample_id_all = 1;
	attr->write_backward = ring->kind == PERF_RING_BACKWARD;
	attr->disabled = 1;
	attr->use_clockid = 1;
	attr->clockid = CLOCK_MONOTONIC;
	attr->watermark = 1;
	attr->wakeup_watermark = UINT32_MAX;
	return syscall(SYS_perf_event_open, attr, pid, ring->cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static int open_tracepoint(const struct perf_ring *ring, int id, enum trace_detail detail)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT, .config = id, .sample_period = 1,
		.sample_type = (detail >= TRACE_FIELDS ? PERF_SAMPLE_RAW : 0) |
			       (detail >= TRACE_STACK ? PERF_SAMPLE_CALLCHAIN : 0),
		.exclude_callchain_user = 1, .sample_max_stack = detail >= TRACE_STACK ? TRACE_FRAMES : 0,
	};

	return open_event(ring, &attr, -1);
}

/* All events write into the ring of the first. Each reader maps a COMMON ring itself. */
static int join(struct perf_ring *ring, int event, const char *filter, uint64_t *number)
{
	if (filter && ioctl(event, PERF_EVENT_IOC_SET_FILTER, filter) < 0) {
		errno = errno == EINVAL ? ENOMSG : errno;	/* by a field that the records do not have */
		return -1;
	}
	if (ioctl(event, PERF_EVENT_IOC_ID, number) < 0)
		return -1;
	if (ring->events)
		return ioctl(event, PERF_EVENT_IOC_SET_OUTPUT, ring->event[0]);
	ring->event[0] = event;
	return ring->kind == PERF_RING_COMMON ? 0 : map(ring);
}

/* The event is -1 if it could not be opened. Returns 0, or -1 with errno. */
static int add_event(struct perf_ring *ring, int event, const char *filter, uint64_t *number)
{
	if (event >= 0 && join(ring, event, filter, number) == 0) {
		ring->event[ring->events++] = event;
		return 0;
	}
	if (event >= 0)
		close(event);		/* leaves errno alone */
	return -1;
}

int perf_ring_add(struct perf_ring *ring, const struct tracefs *tracefs, const char *tracepoint,
		  const char *filter, enum trace_detail detail)
{
	struct trace_layout *layout = ring->layout;
	int id = trace_layout_add(layout, tracefs, tracepoint, detail);

	if (id < 0)
		return -1;
	if (add_event(ring, open_tracepoint(ring, id, detail), filter, &layout->format[layout->count - 1].number) == 0)
		return 0;
	layout->count--;
	return -1;
}

int perf_ring_add_switches(struct perf_ring *ring, pid_t thread, bool lives)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY, .context_switch = 1, .task = lives,
		.sample_type = thread < 0 ? PERF_SAMPLE_TID : PERF_SAMPLE_CPU,
	};
	uint64_t number;

	return add_event(ring, open_event(ring, &attr, thread), NULL, &number);
}

void perf_ring_enable(const struct perf_ring *ring, bool enable)
{
	for (unsigned i = 0; i < ring->events; i++)
		ioctl(ring->event[i], enable ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}

int perf_ring_share(struct perf_ring *ring, int event, struct trace_layout *layout, size_t size)
{
	perf_ring_init(ring, layout, -1, size, PERF_RING_DRAINED);
	ring->event[ring->events++] = event;
	return map(ring);
}

int perf_ring_follow(struct perf_ring *ring)
{
	if (map(ring) < 0)
		return -1;
	ring->tail = head_of(ring);
	return 0;
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
		if (ring->kind == PERF_RING_COMMON && is_full(ring, tail, head_of(ring)))
			return false;
		if (size <= sizeof(data) && trace_decode_one(ring->layout, data, size, &record))
			take(context, &record);
	}
	return true;
}

static const struct trace_record loss = { .kind = TRACE_LOST };	/* of an unknown number */

static void drain_common(struct perf_ring *ring, void (*take)(void *context, const struct trace_record *record),
			 void *context)
{
	uint64_t head = head_of(ring);

	if (!take_records(ring, ring->tail, head, take, context)) {
		take(context, &loss);
		head = head_of(ring);
	}
	ring->tail = head;
}

/*
 * The kernel reports a loss with the next record that finds room, so a loss
 * after the last record is not reported yet. It is possible if the ring is full
 * now, or was full at this same head when the ring was last drained.
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
	head = head_of(ring);
	take_records(ring, tail, head, take, context);
	if (head == ring->full_at || is_full(ring, tail, head))
		take(context, &loss);
	__atomic_store_n(&page->data_tail, head, __ATOMIC_RELEASE);
	after = head_of(ring);
	ring->full_at = is_full(ring, tail, after) ? after : UINT64_MAX;
}

void perf_ring_pause(const struct perf_ring *ring)
{
	ioctl(ring->event[0], PERF_EVENT_IOC_PAUSE_OUTPUT, 1);
}

/* A place in a BACKWARD ring, which is read from the newest record on. Records are aligned, so no word is split. */
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

/* Reads the header. Returns false past the oldest whole record; an interrupt may be overwriting the next right now. */
static bool look(struct view *view)
{
	uint64_t first = word(view, 0);

	memcpy(&view->header, &first, sizeof(first));
	return view->header.size > sizeof(first) &&
	       view->at + view->header.size - head_of(view->ring) <= view->ring->size;
}

/* The time is the third word of a sample, and the second to last of other records. */
static uint64_t recorded_ns(const struct view *view)
{
	return word(view, view->header.type == PERF_RECORD_SAMPLE ? 2 : view->header.size / sizeof(uint64_t) - 2);
}

static bool is_switch(const struct view *view)
{
	const struct trace_layout *layout = view->ring->layout;
	uint64_t number = word(view, 1);

	if (view->header.type == PERF_RECORD_SWITCH_CPU_WIDE)
		return true;
	for (unsigned i = 0; i < layout->count; i++)
		if (layout->format[i].number == number)
			return view->header.type == PERF_RECORD_SAMPLE && layout->format[i].kind == TRACE_SWITCH;
	return false;
}

/* Finds the records from the stamp back to the last switch before due. Returns their size; *from is their start. */
static uint64_t find_extent(const struct perf_ring *ring, uint64_t due_ns, uint64_t stamp_ns, uint64_t *from)
{
	struct view view = { .ring = ring, .data = data_of(ring), .at = head_of(ring) };
	bool complete = false;

	*from = view.at;
	while (!complete && look(&view)) {
		uint64_t ns = recorded_ns(&view);

		complete = ns < due_ns && is_switch(&view);
		view.at += view.header.size;
		if (ns > stamp_ns)
			*from = view.at;
	}
	return view.at - *from;
}

/* Copies two pieces where the ring ends. The oldest record is not decoded if it is cut, or overwritten meanwhile. */
void perf_ring_keep(const struct perf_ring *ring, struct recordings *recordings, unsigned slot, uint64_t due_ns,
		    uint64_t stamp_ns)
{
	uint64_t from, extent = find_extent(ring, due_ns, stamp_ns, &from), newer, intact;
	uint32_t size = recordings_begin(recordings, slot, extent);
	size_t offset = from & (ring->size - 1);
	uint32_t first = size < ring->size - offset ? size : ring->size - offset;

	recordings_write(recordings, slot, 0, data_of(ring) + offset, first);
	recordings_write(recordings, slot, first, data_of(ring), size - first);
	newer = from - head_of(ring);
	intact = newer < ring->size ? ring->size - newer : 0;
	recordings_seal(recordings, slot, size < intact ? size : intact, stamp_ns);
}

/* The rest of a record that was partly overwritten may follow the oldest whole one. It is not decoded. */
void perf_ring_copy(const struct perf_ring *ring, struct recording *copy)
{
	copy->used = ring->size < sizeof(copy->data) ? ring->size : sizeof(copy->data);
	copy_from(ring, head_of(ring), copy->data, copy->used);
}
