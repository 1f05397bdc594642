// SPDX-License-Identifier: GPL-2.0-or-later
/* Opens, maps and closes the rings, and the events and programs that fill them. */
#include <errno.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "trace/perf_ring.h"

void perf_ring_init(struct perf_ring *ring, struct trace_layout *layout, int cpu, size_t size,
		    enum perf_ring_kind kind)
{
	*ring = (struct perf_ring){ .kind = kind, .cpu = cpu, .layout = layout, .full_at = UINT64_MAX };
	for (ring->size = sysconf(_SC_PAGESIZE); ring->size < size; ring->size *= 2)
		;
}

/* Touches each page, because the first access to one during the measurement would be a page fault. */
int perf_ring_map(struct perf_ring *ring)
{
	bool drained = ring->kind == PERF_RING_DRAINED;	/* the kernel overwrites a ring mapped without PROT_WRITE */
	size_t page = sysconf(_SC_PAGESIZE);

	ring->memory = mmap(NULL, page + ring->size, PROT_READ | (drained ? PROT_WRITE : 0), MAP_SHARED,
			    ring->event[0], 0);
	if (ring->memory == MAP_FAILED) {
		ring->memory = NULL;
		errno = errno == EPERM ? ENOBUFS : errno;
		return -1;
	}
	for (size_t at = 0; at <= ring->size; at += page)
		(void)*((const volatile unsigned char *)ring->memory + at);
	ring->tail = perf_ring_head(ring);
	return 0;
}

/* No reader is to be woken. The kernel limits this watermark to the ring's size, so it seldom tries. */
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

/* Opens an event that is sampled: a tracepoint, or what a program writes. */
static int open_samples(const struct perf_ring *ring, int id, enum trace_detail detail, bool by_program)
{
	struct perf_event_attr attr = {
		.type = by_program ? PERF_TYPE_SOFTWARE : PERF_TYPE_TRACEPOINT,
		.config = by_program ? PERF_COUNT_SW_BPF_OUTPUT : id, .sample_period = 1,
		.sample_type = (detail >= TRACE_FIELDS ? PERF_SAMPLE_RAW : 0) |
			       (detail >= TRACE_STACK ? PERF_SAMPLE_CALLCHAIN : 0),
		.exclude_callchain_user = 1, .sample_max_stack = detail >= TRACE_STACK ? TRACE_FRAMES : 0,
	};

	return open_event(ring, &attr, -1);
}

/* All events write into the first one's ring. Each reader maps a COMMON ring itself. event is -1 if it was refused. */
static int add_event(struct perf_ring *ring, int event, const struct trace_filter *filter, uint64_t *number)
{
	char text[TRACE_FILTER_SIZE];

	if (event < 0)
		return -1;
	ring->event[ring->events] = event;
	if (filter && trace_filter_text(filter, text) && ioctl(event, PERF_EVENT_IOC_SET_FILTER, text) < 0)
		errno = errno == EINVAL ? ENOMSG : errno;	/* by a field that the records do not have */
	else if (ioctl(event, PERF_EVENT_IOC_ID, number) == 0 &&
		 (ring->events ? ioctl(event, PERF_EVENT_IOC_SET_OUTPUT, ring->event[0]) == 0 :
		  ring->kind == PERF_RING_COMMON || perf_ring_map(ring) == 0)) {
		ring->events++;
		return 0;
	}
	close(event);			/* leaves errno alone */
	return -1;
}

/* A program has its own filter; the kernel needs text. */
int perf_ring_record(struct perf_ring *ring, const char *tracepoint, const struct trace_filter *filter,
		     enum trace_detail detail, bool by_program)
{
	struct trace_layout *layout = ring->layout;
	struct trace_format *format = &layout->format[layout->count];
	int id = trace_layout_add(layout, tracepoint, detail, filter->count ? filter->field : NULL);
	int event, added;

	if (id < 0)
		return -1;
	event = open_samples(ring, id, detail, by_program);
	if (by_program && event >= 0) {
		int program = trace_program_attach(event, ring->cpu, id, filter, format);

		if (program >= 0) {
			ring->program[ring->programs++] = program;
		} else {
			close(event);	/* leaves errno alone */
			event = -1;
		}
	}
	added = add_event(ring, event, by_program ? NULL : filter, &format->number);
	layout->count -= added < 0;
	return added;
}

int perf_ring_add_switches(struct perf_ring *ring, pid_t thread, bool lives)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY, .context_switch = 1, .task = lives,
		.sample_type = PERF_SAMPLE_CPU | (thread < 0 ? PERF_SAMPLE_TID : 0),
	};
	uint64_t number;

	return add_event(ring, open_event(ring, &attr, thread), NULL, &number);
}

void perf_ring_enable(const struct perf_ring *ring, bool enable)
{
	for (unsigned i = 0; i < ring->events; i++)
		ioctl(ring->event[i], enable ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}

void perf_ring_leave(struct perf_ring *ring)
{
	if (ring->memory)
		munmap(ring->memory, sysconf(_SC_PAGESIZE) + ring->size);
	ring->memory = NULL;
}

void perf_ring_close(struct perf_ring *ring)
{
	perf_ring_leave(ring);
	while (ring->programs)
		close(ring->program[--ring->programs]);
	while (ring->events)
		close(ring->event[--ring->events]);
}

void perf_ring_pause(const struct perf_ring *ring)
{
	ioctl(ring->event[0], PERF_EVENT_IOC_PAUSE_OUTPUT, 1);
}
