/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Deferred work: what a process requests of the kernel, and which tracepoints record that it was queued and that it
 * is executed. deferred.c is the source; each deferred_*.c with a table of operations is one way to request work.
 */
#ifndef SOURCE_DEFERRED_H
#define SOURCE_DEFERRED_H

#include <stdbool.h>
#include <stdint.h>

#include "measure/source.h"

/* A tracepoint ("irq/softirq_raise"), and which of its records are ours. */
struct trigger_end {
	const char *tracepoint;
	const char *field;
	uint64_t number;		/* that the field holds; 0: the function, or the thread */
};

/* How one process requests work. What it opens for that is private to the file of ops. */
extern const struct trigger_ops {
	const char *function[2];	/* the kernel's, which do the work; a kernel has one or both; NULL: none */
	const char *loads;		/* a file that, when opened, loads their module; NULL: none */
	const char *absent, *denied;	/* remedies: where the machine has no such work; for all other errors */
	struct trigger_end queued, executed;
	struct trigger_end fallback;	/* replaces executed on kernels that lack that tracepoint */
	unsigned limit;			/* requests that may be pending, 1 to PAIRS_MAX */
	bool merged;			/* a request made while one is pending becomes part of it */
	bool anywhere;			/* the work may be executed on a CPU other than the one that queued it */

	/* Returns NULL, or what was refused, with errno. close() follows in either case. */
	const char *(*open)(void);

	/* Returns the thread that does the work; executed is the switch to it. NULL: a function does it. */
	pid_t (*thread)(void);

	/*
	 * Make one request, without waiting. Returns 0 or an errno; EAGAIN: the kernel takes none
	 * now; EALREADY: it was made, but its thread is awake, so the kernel queues nothing.
	 */
	int (*ask)(void);

	/* Returns how many requests have ended since the last call. NULL: unknown. */
	uint64_t (*collect)(void);

	void (*close)(void);
} trigger_global, trigger_unbound, trigger_private, trigger_tasklet, trigger_kthread;

/*
 * Matches each request with the kernel's records of its two ends: that it was queued, and that it is executed. Pure.
 *
 * One request is due at each instant of a grid. While the limit of pending requests is reached, none can be made:
 * those instants are missed, and count as served with the youngest pending request.
 */
#define PAIRS_MAX 256

struct pair {
	uint64_t work;			/* its address in the kernel; 0: there is only one */
	uint64_t due_ns;		/* the instant for which the request was made */
	uint64_t queued_ns, executed_ns;
	uint64_t missed;		/* instants at which no request could be made */
	uint64_t missed_ns;		/* the first of them; the others follow a period apart */
};

struct pairs {
	unsigned limit;			/* requests that may be pending, 1 to PAIRS_MAX; 1 where they are merged */
	bool merged;			/* what is requested while one is pending becomes part of it */
	uint64_t anchor_ns, period_ns;	/* the grid: anchor + k * period; all that follows is 0 at first */

	unsigned pending;
	struct pair queue[PAIRS_MAX + 1];	/* in the order of queued_ns */
	unsigned executed, taken;	/* how many are in done, and how many of these were taken */
	struct pair done[PAIRS_MAX + 1];	/* in the order of executed_ns */

	bool expecting;			/* the record that the last request was queued is yet to come */
	bool again;			/* it may not come: the request may have become part of another */
	uint64_t asked_ns, asked_due_ns;	/* just before the last request was made; for which instant */
	uint64_t merged_ns;		/* asked_ns of the last request that became part of the pending one; 0: none */

	uint64_t first_ns, last_ns;	/* the first and the last instant requested or missed; 0: none yet */
	uint64_t asked, missed;		/* instants since the first for which a request was made, or missed */
	uint64_t finished;		/* requests for which no more records are expected */
	uint64_t unmatched;		/* requests that lack the record of one end */
};

/* The first instant of the grid after now. */
uint64_t pairs_next_due(const struct pairs *pairs, uint64_t now_ns);

/*
 * Can a request be made for this instant? Also if it would be merged with one pending for two periods: if the kernel
 * queues the new one, the old one was executed without a record.
 */
bool pairs_may_ask(const struct pairs *pairs, uint64_t due_ns);

/* A request for this instant was made, no sooner than now_ns. */
void pairs_ask(struct pairs *pairs, uint64_t due_ns, uint64_t now_ns);

/* Report the kernel's records: each queueing before its execution, else in any order. Others are ignored. */
void pairs_queued(struct pairs *pairs, uint64_t work, uint64_t at_ns);
void pairs_executed(struct pairs *pairs, uint64_t work, uint64_t at_ns);

/* Records were lost, perhaps of the pending requests. */
void pairs_lost(struct pairs *pairs);

/* All records up to now were reported. ended requests have ended since the start; 0: not known. */
void pairs_complete(struct pairs *pairs, uint64_t ended);

/*
 * How long the oldest request has certainly been pending: up to now, or up to the last that became part of it, because
 * it may later have been executed without a record. 0: none is pending.
 */
uint64_t pairs_waited(const struct pairs *pairs, uint64_t now_ns);

/* Take the earliest request that was executed. False: there is none, and now more records may be reported. */
bool pairs_take(struct pairs *pairs, struct pair *pair);

/* When the i-th of the 1 + missed requests of a pair was made, or due; the 0th is the oldest. */
uint64_t pair_asked(const struct pair *pair, const struct pairs *pairs, uint64_t i);

/* How many instants had no request pending or made, up to now; while one is pending, up to the last instant. */
uint64_t pairs_unasked(const struct pairs *pairs, uint64_t now_ns);

#endif
