/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A ring in which the kernel records tracepoints of one CPU (perf_event_open).
 *
 * Its layout is the kernel's: one page with the byte counters head and tail, then
 * a power of 2 of bytes with records of different sizes. lossy_ring.h differs too
 * much to share code: its writer is ours and its entries are numbered. The rule is
 * the same: a copy is valid only if the writer has not come near it since.
 *
 * A forked process inherits the descriptors but not the mapping. It can map the
 * ring by its descriptor, and the ring lasts while any process has it open.
 */
#ifndef TRACE_PERF_RING_H
#define TRACE_PERF_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/recording.h"
#include "trace/record.h"

#define PERF_RING_SIZE RECORDING_SIZE

enum perf_ring_kind {
	PERF_RING_DRAINED,		/* one reader makes room; records that find none are counted as lost */
	PERF_RING_COMMON,		/* overwritten; each of several processes reads all of it; it has one event */
	PERF_RING_BACKWARD,		/* overwritten; read from the newest record on, when there is a reason */
};

struct perf_ring {
	enum perf_ring_kind kind;
	int cpu;			/* whose events */
	size_t size;			/* bytes of data, a power of 2 and at least a page */
	struct trace_layout *layout;
	unsigned events;
	int event[TRACE_FORMATS];	/* descriptors; the first is that of the ring */
	void *memory;			/* the kernel's page, and the data behind it; NULL: not mapped */
	uint64_t full_at;		/* DRAINED: records may be missing behind this head; UINT64_MAX: nowhere */
	uint64_t tail;			/* COMMON: what this process reads next */
};

/* A ring of at least size bytes, without events. A layout may serve several rings. */
void perf_ring_init(struct perf_ring *ring, struct trace_layout *layout, int cpu, size_t size,
		    enum perf_ring_kind kind);

/*
 * Record the tracepoint ("sched/sched_switch") once it is enabled, and add it
 * to the layout. filter is the kernel's ("pid == 1"); NULL: none. Returns 0, or
 * -1 with errno: ENOENT when this kernel has no such tracepoint; EACCES, EPERM
 * without the right or in a kernel that is locked down; ENOBUFS when the user
 * may not map a ring of that size (perf_event_mlock_kb).
 */
int perf_ring_add(struct perf_ring *ring, const struct tracefs *tracefs, const char *tracepoint,
		  const char *filter, enum trace_detail detail);

/* Record all its events, or none. */
void perf_ring_enable(const struct perf_ring *ring, bool enable);

/*
 * In another process: map the DRAINED ring that has this event[0], layout and
 * size, to drain it. Returns 0, and the descriptor is the ring's; or -1 with
 * errno.
 */
int perf_ring_share(struct perf_ring *ring, int event, struct trace_layout *layout, size_t size);

/* In a process forked since the event was added: map a COMMON ring and read it from here on. Returns as above. */
int perf_ring_follow(struct perf_ring *ring);

/* Unmap it; the events stay open. */
void perf_ring_leave(struct perf_ring *ring);

/* Unmap it and close its events. */
void perf_ring_close(struct perf_ring *ring);

/*
 * Hand each new record of a DRAINED or COMMON ring to take(), the oldest first,
 * and make room. A record of kind TRACE_LOST stands where others are, or may
 * be, missing.
 */
void perf_ring_drain(struct perf_ring *ring,
		     void (*take)(void *context, const struct trace_record *record), void *context);

/* Write nothing any more. */
void perf_ring_pause(const struct perf_ring *ring);

/*
 * For a process on the CPU of a BACKWARD ring: copy the records from the stamp
 * of a wake-up back to the last switch of tasks before it was due into the
 * slot, the newest first, as far as there is room. Makes no system call.
 */
void perf_ring_keep(const struct perf_ring *ring, struct recordings *recordings, unsigned slot, uint64_t due_ns,
		    uint64_t stamp_ns);

/* Copy all that a paused BACKWARD ring holds. */
void perf_ring_copy(const struct perf_ring *ring, struct recording *copy);

#endif
