/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a record of the kernel's says, in words of ours. Pure, but for the description of the tracepoints. */
#ifndef TRACE_RECORD_H
#define TRACE_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/tracefs.h"
#include "trace/tracepoint.h"

enum trace_kind {
	TRACE_EXPIRE,			/* a timer expires */
	TRACE_WAKING,			/* a task is being woken */
	TRACE_SWITCH,			/* the CPU goes from one task to another */
	TRACE_IRQ_ENTRY,		/* a device's handler */
	TRACE_IRQ_EXIT,
	TRACE_SOFTIRQ_ENTRY,
	TRACE_SOFTIRQ_EXIT,
	TRACE_VECTOR_ENTRY,		/* the local timer, an interrupt from another CPU: see name */
	TRACE_VECTOR_EXIT,
	TRACE_QUEUED,			/* work that is to be done later */
	TRACE_EXECUTED,			/* it begins */
	TRACE_LOST,			/* records that found no room */
};

#define TRACE_LEAST_RT 99		/* the kernel's priorities of real-time tasks go from there down, */
#define TRACE_NICE_0 120		/* and those of all others up and down from here */

struct trace_task {
	int pid;			/* 0: idle */
	int prio;			/* to 99: real-time, 99 - prio; from 100: nice, prio - 120; < 0: deadline */
	char comm[16];
};

struct trace_record {
	enum trace_kind kind;
	uint64_t at_ns;			/* CLOCK_MONOTONIC */
	struct trace_task prev, next;	/* SWITCH; WAKING: next */
	unsigned prev_state;		/* SWITCH: in which prev left, bits: see trace_state(); 0: it could run */
	int number;			/* of the IRQ, or of the softirq */
	uint64_t work;			/* its address; 0: not told */
	char name[32];			/* of the handler ("eth0"), softirq ("NET_RX"), vector ("timer interrupt") */
	uint64_t lost;			/* LOST: so many */
	unsigned frames;
	uint64_t frame[TRACE_FRAMES];	/* the kernel's stack, innermost first */
};

#define TRACE_PRIORITY 20		/* room for any number */

/* Its priority as in "rt:97", "nice:-5", "deadline". */
const char *trace_priority(const struct trace_task *task, char text[TRACE_PRIORITY]);

#define TRACE_STATE 12			/* room for all letters */

/*
 * The state in which the first task of a switch left, in the kernel's letters:
 * R, or S, D (asleep), T (stopped), t (traced), X, Z (dead), P (parked), I (idle).
 */
const char *trace_state(const struct trace_record *record, char text[TRACE_STATE]);

#define TRACE_FORMATS 32			/* of all rings that have the layout */

/* What we read of the tracepoints; each has some. */
enum record_field {
	PREV_COMM, PREV_PID, PREV_PRIO, PREV_STATE,
	NEXT_COMM, NEXT_PID, NEXT_PRIO,
	NUMBER, NAME, WORK,
	RECORD_FIELDS
};

/* How to read the records of one event. */
struct trace_format {
	uint64_t number;		/* what they begin with */
	enum trace_kind kind;
	enum trace_detail detail;
	char name[32];			/* of a vector */
	struct trace_field field[RECORD_FIELDS];
};

/* Memory that is shared, so that others can decode what this process recorded. */
struct trace_layout {
	unsigned count;
	struct trace_format event[TRACE_FORMATS];
};

/*
 * Add the event that was opened with this number for the tracepoint, one of
 * those that have a kind. Returns 0, or -1 with errno.
 */
int trace_layout_add(struct trace_layout *layout, const struct tracefs *tracefs, const char *tracepoint,
		     uint64_t number, enum trace_detail detail);

/* How many records there are in the data at most. */
unsigned trace_count(const unsigned char *data, uint32_t used);

/* The one record of perf. Returns false when it is none of those in the layout, or cut. */
bool trace_decode_one(const struct trace_layout *layout, const void *data, uint32_t size,
		      struct trace_record *record);

/*
 * Records that follow each other, the newest first. Returns how many came out:
 * the oldest first, and the newest if there is not room for all.
 */
unsigned trace_decode(const struct trace_layout *layout, const unsigned char *data, uint32_t used,
		      struct trace_record *out, unsigned room);

/* All of them in the order of time, in memory to be freed. NULL, and count is 0: no record, or no memory. */
struct trace_record *trace_decode_all(const struct trace_layout *layout, const unsigned char *data, uint32_t used,
				      unsigned *count);

#endif
