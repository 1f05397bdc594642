/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who had the CPU between the due time of a wake-up and its stamp: what is found, and what it is called. Pure. */
#ifndef EXPLAIN_BLAME_H
#define EXPLAIN_BLAME_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "trace_record.h"

/* Of a recording: its data hold no more records than that. */
#define BLAME_SEGMENTS 1024

/*
 * Time in which records say nothing belongs to whom the last one left the CPU
 * with, unless that one cannot have had it.
 */
enum blame_kind {
	BLAME_TASK,
	BLAME_IDLE,
	BLAME_INTERRUPT,
	BLAME_SOFTIRQ,
	BLAME_SELF,			/* the meter */
	BLAME_RING_ENDS,		/* unknown: before the oldest record */
	BLAME_NO_RECORD,		/* unknown: who should have run would have left a record */
	BLAME_LOST			/* unknown: records are missing */
};

/* What the meter was waiting for meanwhile. */
enum blame_phase {
	PHASE_UNKNOWN,
	PHASE_TIMER,			/* the timer's interrupt */
	PHASE_TIMER_LATE,		/* the same, while other interrupts came */
	PHASE_WAKING,			/* to be woken: that interrupt has come, or none is to, for a thread wakes it */
	PHASE_READY,			/* the CPU */
	PHASE_TAKEN,			/* the CPU, which it had had already */
	PHASE_PASSED_OVER,		/* the CPU, which was given to a task of lower priority */
	PHASE_BLOCKED,			/* to be woken once more */
	PHASE_RUNNING,			/* nothing */
	PHASES
};

#define BLAME_NOBODY -1
#define BLAME_PRIO_UNKNOWN INT_MAX

struct segment {
	int64_t from_ns, to_ns;		/* since due */
	enum blame_kind kind;
	enum blame_phase phase;
	char name[32];			/* of an interrupt or a softirq */
	int number;			/* of an interrupt; -1: it has none */
	bool lent;			/* the priority of the task is not its own */
	struct trace_task task;		/* that had the CPU, or was interrupted; or BLAME_NOBODY */
};

static inline int64_t segment_ns(const struct segment *segment)
{
	return segment->to_ns - segment->from_ns;
}

struct blame {
	bool asked;			/* due is when somebody asked for the wake-up, not when a timer was to expire */
	uint64_t due_ns;
	int64_t late_ns;
	struct trace_task meter;	/* its pid; the rest as far as known */
	struct trace_record expiry;	/* the first timer that expired after due, and */
	struct trace_task interrupted;	/* by that; or BLAME_NOBODY */
	struct trace_record arrival;	/* the first switch to the meter after that; of both, at_ns 0: unknown */
	unsigned count;
	struct segment segment[BLAME_SEGMENTS];	/* in order; they cover 0 to late_ns without a gap */
};

/* Longer than a sound machine takes for its own part in a wake-up, traced, if it is a slow one. */
#define BLAME_USUAL_NS 200000

/* Is the task one that a meter of this priority goes before? */
bool blame_is_lower(const struct trace_task *task, const struct trace_task *meter);

/* Is it the thread that runs softirqs which are too many, or on PREEMPT_RT all? */
bool blame_is_softirq_thread(const struct trace_task *task);

/* In the words of realfeel(5); the name of what is unknown says why. */
const char *blame_kind(const struct segment *segment);
const char *blame_name(const struct segment *segment);

#endif
