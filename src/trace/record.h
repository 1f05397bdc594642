/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes the kernel's records: from tracepoints, and its own (of switches and of threads starting or ending). Pure
 * except where it reads tracefs.
 */
#ifndef TRACE_RECORD_H
#define TRACE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* tracefs, in which the kernel describes its tracepoints; it need not be mounted. */
extern struct tracefs {
	const char *path;		/* the mount point; NULL: a private mount, which no path reaches */
	int folder;			/* descriptor; -1: not open */
} tracefs;

/* Where a field is in a tracepoint's record, in bytes. size 0: the record has no such field. */
struct trace_field {
	unsigned short offset, size;
};

/* Open it where it is mounted, or mount it for this process alone; it stays open. Returns 0; or -1 with errno. */
int tracefs_open(void);

/*
 * ftrace, the kernel's own tracer: --break stops it while its buffer still holds what led to the break.
 * Open its files while this process has the rights. Later write the lateness into the trace and stop it;
 * outcome: the trace's path, or "not stopped: " and the reason.
 */
void ftrace_open(void);
void ftrace_stop(int64_t late_ns, char *outcome, size_t size);

enum trace_kind {
	TRACE_EXPIRE,			/* a timer expires */
	TRACE_EXPIRED,			/* its function has returned */
	TRACE_TIMER_START,
	TRACE_TIMER_CANCEL,
	TRACE_WAKING,			/* a task is being woken */
	TRACE_SWITCH,			/* the CPU goes from one task to another */
	TRACE_SWITCH_IN,		/* the kernel's own record: a thread has a CPU, */
	TRACE_SWITCH_OUT,		/* or leaves it */
	TRACE_IRQ_ENTRY,		/* the handler of a device begins */
	TRACE_IRQ_EXIT,
	TRACE_SOFTIRQ_ENTRY,
	TRACE_SOFTIRQ_EXIT,
	TRACE_VECTOR_ENTRY,		/* the local timer, an interrupt from another CPU: see name */
	TRACE_VECTOR_EXIT,
	TRACE_QUEUED,			/* deferred work is queued */
	TRACE_EXECUTED,			/* deferred work begins */
	TRACE_FORK,			/* a thread or a process begins, */
	TRACE_EXIT,			/* or ends */
	TRACE_LOST,			/* records are missing here */
};

/* What a record contains: its time, and more at each level. */
enum trace_detail {
	TRACE_TIME,
	TRACE_FIELDS,			/* and the tracepoint's fields */
	TRACE_STACK,			/* and the kernel's stack, up to TRACE_FRAMES */
};

#define TRACE_FRAMES 16
#define TRACE_LEAST_RT 99		/* the kernel's priorities: 0 to 99 are real-time, 0 the highest, */
#define TRACE_NICE_0 120		/* and 100 to 139 are nice -20 to 19 */

struct trace_task {
	int pid;			/* 0: idle */
	int prio;			/* the kernel's; below 0: deadline */
	char comm[16];
};

struct trace_record {
	enum trace_kind kind;
	int cpu;			/* of SWITCH_IN and SWITCH_OUT of one thread, and of what is drained; else 0 */
	uint64_t at_ns;			/* CLOCK_MONOTONIC */
	int thread;			/* that is woken, begins another, ends, starts or cancels a timer; SWITCH_IN, */
					/* SWITCH_OUT: that the record names; 0: none, or it is not named */
	int current;			/* WAKING, and of timers: the task that ran, or that was interrupted */
	int number;			/* of the IRQ, or of the softirq; FORK: of the new thread */
	bool runnable;			/* SWITCH_OUT: the thread was preempted */
	bool sibling;			/* FORK: a thread of the same process begins */
	uint64_t timer;			/* its address */
	int64_t expires_ns, latest_ns;	/* by the timer's clock: START: earliest and latest; EXPIRE: now, and 0 */
	uint64_t until_ns;		/* LOST, of several rings: records are missing from at_ns to here */
	union {				/* -s task keeps only what is before this */
		struct {		/* SWITCH; WAKING: next */
			struct trace_task prev, next;
		};
		char name[32];		/* of the handler ("eth0"), softirq ("NET_RX"), vector ("timer interrupt") */
	};
	unsigned prev_state;		/* SWITCH: bits for trace_state(), 0: runnable */
	uint64_t work;			/* its address; 0: the record has none */
	uint64_t lost;			/* LOST: how many; 0: unknown */
	uint64_t words;			/* of the kernel's stack, */
	const unsigned char *stack;	/* in the data that were decoded */
};

/* The kernel's stack, innermost first, valid as long as the decoded data. Returns its depth. */
unsigned trace_stack(const struct trace_record *record, uint64_t frame[TRACE_FRAMES]);

/* State of prev: R (runnable), or some of S, D (asleep), T (stopped), t (traced), X, Z (dead), P (parked), I (idle). */
#define TRACE_STATE 12
const char *trace_state(const struct trace_record *record, char text[TRACE_STATE]);

#define TRACE_FORMATS 32		/* at most, of all rings that share a layout */

/* The fields that are read; each tracepoint has some of them. */
enum record_field {
	PREV_COMM, PREV_PID, PREV_PRIO, PREV_STATE,
	NEXT_COMM, NEXT_PID, NEXT_PRIO,
	NUMBER, NAME, WORK,
	CURRENT, FLAGS, TIMER, EXPIRES, LATEST,
	RECORD_FIELDS, FILTERED = RECORD_FIELDS
};

/* How to decode the records of one perf event. */
struct trace_format {
	uint64_t number;		/* PERF_EVENT_IOC_ID: its records begin with it */
	enum trace_kind kind;
	enum trace_detail detail;
	char name[32];			/* of a vector */
	struct trace_field field[RECORD_FIELDS + 1];	/* and the one by which records are filtered */
};

/* It has no pointers, so that another process can decode records with it in shared memory. */
struct trace_layout {
	unsigned count;
	struct trace_format format[TRACE_FORMATS];
};

/*
 * Add the format of a tracepoint ("sched/sched_switch"); the caller sets its number. Returns the tracepoint's id; or
 * -1 with errno: ENOENT: this kernel has no such tracepoint; EINVAL: not known here, or no room; ENOMSG: the kernel's
 * records lack a field that is read, or the one by which they are filtered, unless that is NULL.
 */
int trace_layout_add(struct trace_layout *layout, const char *tracepoint, enum trace_detail detail,
		     const char *filtered);

/* How many bytes of the tracepoint's records hold what is read of them: a multiple of 8. */
unsigned trace_format_size(const struct trace_format *format);

/* Decode one of perf's records. Returns false if it is truncated, or neither a loss nor a switch nor in the layout. */
bool trace_decode_one(const struct trace_layout *layout, const void *data, uint32_t size,
		      struct trace_record *record);

/* Decode records, newest first, up to a truncated one. Returns count records by time, to be freed; NULL: none. */
struct trace_record *trace_decode(const struct trace_layout *layout, const unsigned char *data, uint32_t used,
				  unsigned *count);

#endif
