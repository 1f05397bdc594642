/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The memory that the kernel writes records of tracepoints into.
 *
 * A forward ring is for a reader who keeps up: what finds no room is counted
 * as lost, but in a common one, which is overwritten. So is a backward one,
 * which is looked into when there is a reason. The memory is not inherited
 * over a fork; a descriptor of it is, or can be handed to another process,
 * which maps it, too. The ring lasts as long as somebody has it open.
 */
#ifndef TRACE_PERF_RING_H
#define TRACE_PERF_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/recording.h"
#include "trace/record.h"

#define PERF_RING_SIZE RECORDING_SIZE

struct perf_ring {
	int cpu;			/* whose events */
	size_t size;			/* bytes of data, a power of 2 and at least a page */
	bool backward;
	bool common;			/* several processes read it, each for itself */
	struct trace_layout *layout;
	unsigned events;
	int event[TRACE_FORMATS];	/* descriptors; the first is that of the ring */
	void *memory;			/* the kernel's page, and the data behind it */
	uint64_t full_at;		/* for the reader: records may have been dropped behind this one */
	uint64_t tail;			/* for a reader of a common one: what comes next */
};

/* A ring without events. What is added to it is added to the layout, too, which may serve several rings. */
void perf_ring_init(struct perf_ring *ring, struct trace_layout *layout, int cpu, size_t size, bool backward);

/*
 * The same, forward, for several readers, and with one event. One process opens
 * it; those that are forked later follow it.
 */
void perf_ring_init_common(struct perf_ring *ring, struct trace_layout *layout, int cpu, size_t size);

/* Map a common ring, and read it from here on. Returns 0, or -1 with errno. */
int perf_ring_follow(struct perf_ring *ring);

/* Do so no more; the events stay open. */
void perf_ring_leave(struct perf_ring *ring);

/*
 * Record the tracepoint ("sched/sched_switch") into the ring, as soon as it is
 * enabled; the filter may be NULL. Returns 0, or -1 with errno: ENOENT when
 * the machine has none, ENOBUFS when the user may have no ring of that size
 * (perf_event_mlock_kb), and those of tracepoint_open().
 */
int perf_ring_add(struct perf_ring *ring, const struct tracefs *tracefs, const char *tracepoint,
		  const char *filter, enum trace_detail detail);

/* Let all its events happen, or none. */
void perf_ring_enable(const struct perf_ring *ring, bool enable);

/* In another process: the forward ring that has this event[0], layout and size. Returns 0, or -1 with errno. */
int perf_ring_share(struct perf_ring *ring, int event, struct trace_layout *layout, size_t size);

/* Close and unmap. */
void perf_ring_close(struct perf_ring *ring);

/*
 * Hand over what a forward ring holds, the oldest first, and make room. LOST
 * stands where the records are missing: behind the last if that may be so. In a
 * common ring those are missing that were overwritten before they were read.
 */
void perf_ring_drain(struct perf_ring *ring,
		     void (*take)(void *context, const struct trace_record *record), void *context);

/* From now on, nothing is written. */
void perf_ring_pause(const struct perf_ring *ring);

/*
 * For the process on the CPU of a backward ring: copy what is between the
 * stamp of a wake-up and its due time, and on to the first switch of tasks
 * before that, into the slot, as far as there is room. No system call, no more
 * than is there.
 */
void perf_ring_record(const struct perf_ring *ring, struct recordings *recordings, unsigned slot, uint64_t due_ns,
		      uint64_t stamp_ns);

/* Copy all that a backward ring holds which is paused. */
void perf_ring_copy(const struct perf_ring *ring, struct recording *copy);

#endif
