/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A ring in which the kernel records tracepoints and switches of one CPU: a page with the byte counters head and
 * tail, then the data. A copy is valid only if the writer has not come near it since. A forked process inherits
 * the descriptors, and maps the ring itself.
 */
#ifndef TRACE_PERF_RING_H
#define TRACE_PERF_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/diag.h"
#include "measure/events.h"
#include "trace/record.h"

#define PERF_RING_SIZE RECORDING_SIZE
#define TRACE_FILTERED 16
#define TRACE_FILTER_SIZE (TRACE_FILTERED * 48)	/* bytes for trace_filter_text() */

/* The records whose field has one of the values or, with others, none of them. No values: all records. */
struct trace_filter {
	const char *field;
	bool others;
	pid_t by;			/* and only what this thread does; 0: any. A program ignores it */
	unsigned count;
	uint64_t value[TRACE_FILTERED];
};

/* In the kernel's syntax: "pid == 0xc || pid == 0xd". Returns text; NULL: no filter. */
const char *trace_filter_text(const struct trace_filter *filter, char text[TRACE_FILTER_SIZE]);

enum perf_ring_kind {
	PERF_RING_DRAINED,		/* one reader makes room; the kernel counts the records that find none */
	PERF_RING_COMMON,		/* overwritten; several processes read all of it; it has one event */
	PERF_RING_BACKWARD,		/* overwritten; read on demand, newest record first */
};

struct perf_ring {
	enum perf_ring_kind kind;
	int cpu;			/* whose events are recorded; -1: all, or not known, in a ring that is shared */
	size_t size;			/* bytes of data, a power of 2 and at least a page */
	struct trace_layout *layout;	/* which may serve several rings */
	unsigned events;
	int event[TRACE_FORMATS];	/* descriptors; the ring is mapped by the first */
	unsigned programs;
	int program[TRACE_FORMATS];	/* descriptors, by trace_program_attach() */
	void *memory;			/* the kernel's page, then the data; NULL: not mapped */
	uint64_t full_at;		/* DRAINED: records may be missing after this head; UINT64_MAX: nowhere */
	uint64_t tail;			/* COMMON: what this process reads next */
};

/* A ring of at least size bytes, without events. */
void perf_ring_init(struct perf_ring *ring, struct trace_layout *layout, int cpu, size_t size,
		    enum perf_ring_kind kind);

/*
 * Some kernels call programs (BPF) at each tracepoint, but write no perf record of what happens in the context of some
 * tasks, most often the idle task. Have a program write the tracepoint's records of a CPU into the ring of output, a
 * PERF_COUNT_SW_BPF_OUTPUT event of that CPU; they have only common_pid of the fields that all tracepoints share.
 * Returns a descriptor that keeps the program alive; or -1 with errno: EPERM without CAP_BPF, EINVAL before Linux 5.11,
 * ENOSYS where the kernel has no BPF.
 */
int trace_program_attach(int output, int cpu, int id, const struct trace_filter *filter,
			 const struct trace_format *format);

/*
 * Add the tracepoint to the ring, disabled, and to the layout. Returns 0, or -1 with the errno of trace_layout_add(),
 * trace_program_attach(), or: EACCES, EPERM without the privilege or in a kernel that is locked down; ENOBUFS when
 * the user may not map such a ring (perf_event_mlock_kb).
 */
int perf_ring_record(struct perf_ring *ring, const char *tracepoint, const struct trace_filter *filter,
		     enum trace_detail detail, bool by_program);

/*
 * Add the kernel's own records of switches, disabled: for a thread (0: the calling one), when it gets or loses the
 * ring's CPU (-1: any CPU); for all tasks on the CPU (-1), each switch, once or twice; with lives, also when the thread
 * (or any) starts another or ends. They need neither tracefs nor a layout. Returns as perf_ring_record(); ESRCH when
 * there is no such thread, EINVAL before Linux 4.3.
 */
int perf_ring_add_switches(struct perf_ring *ring, pid_t thread, bool lives);

void perf_ring_enable(const struct perf_ring *ring, bool enable);

/* In another process: map the ring, and read it from here on. Returns 0, or -1 with errno. */
int perf_ring_map(struct perf_ring *ring);

/* Unmap the ring; close its events, too, or leave them open. */
void perf_ring_close(struct perf_ring *ring);
void perf_ring_leave(struct perf_ring *ring);

/* A ring for each CPU, with a layout of its own; without events on a CPU that is offline. */
struct perf_rings {
	unsigned count;			/* 0: not open */
	struct cpu_ring {
		struct perf_ring ring;
		struct trace_layout layout;
	} *cpu;
};

/* Adds what a ring is to record. Returns NULL, or the tracepoint that was refused, with errno. */
typedef const char *perf_ring_fill(struct perf_ring *ring, const void *context);

/* Open a ring on this CPU; -1: on each; and begin to record. Returns 0; or -1 with the refusal, and none is open. */
int perf_rings_open(struct perf_rings *rings, int cpu, size_t size, enum perf_ring_kind kind,
		    perf_ring_fill *fill, const void *context, struct refusal *refusal);
void perf_rings_close(struct perf_rings *rings);

/* How many bytes the kernel has written. After this read, the records it counts are visible. */
uint64_t perf_ring_head(const struct perf_ring *ring);

/*
 * Hand each new record of a DRAINED or COMMON ring to take(), the oldest first, and make room. A TRACE_LOST record
 * marks where some are, or may be, missing.
 */
void perf_ring_drain(struct perf_ring *ring,
		     void (*take)(void *context, const struct trace_record *record), void *context);

/*
 * Copy the records of a wake-up from a BACKWARD ring into the slot, the newest first: from the stamp back to the
 * last switch of tasks before the wake-up was due, if there is room, less what the kernel may have overwritten.
 */
void perf_ring_keep(const struct perf_ring *ring, struct recordings *recordings, unsigned slot, uint64_t due_ns,
		    uint64_t stamp_ns);

/* Have the kernel write no more records into a BACKWARD ring, and copy what it holds, the newest record first. */
void perf_ring_pause(const struct perf_ring *ring);
void perf_ring_copy(const struct perf_ring *ring, struct recording *copy);

/* What was refused, why, and the remedy. error is the errno of tracefs_open(), perf_ring_record(), symbols_load(). */
void trace_refuse_tracefs(struct refusal *refusal, int error);
void trace_refuse_tracepoint(struct refusal *refusal, const char *tracepoint, int error);
void trace_refuse_names(struct refusal *refusal, int error);

/* Refuse if the kernel's records number this process differently from its PID namespace. Returns whether it did. */
bool trace_refuse_namespace(struct refusal *refusal);

/* Returns the CPU of the calling process on which a meter can be recorded; -1, with the refusal: there is none. */
int trace_find_cpu(struct refusal *refusal);

#endif
