/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Can the run be believed, and if not, why? Pure. */
#ifndef REPORT_VERDICT_H
#define REPORT_VERDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/monitor.h"
#include "measure/channel.h"
#include "measure/source.h"
#include "measure/totals.h"

enum grade {
	VALID,
	SUSPECT,
	INVALID
};

struct evidence {
	const struct channel *channel;
	const struct sums *sums;
	const struct source *source;
	const char *policy;		/* that the user asked for: fifo, rr, deadline, other */
	int priority;			/* of that policy */
	bool idle;			/* nothing woke what it measures, but others of the run measured something */
	bool running;			/* this is a checkpoint */
	const struct sched_state *sched_state;	/* of the meter, at its end or now; without CPUs: unknown */
	const struct sched_state *children_state;	/* of the meter's children: the same */
	bool explained;			/* the kernel recorded of what each wake-up was made */
	int64_t late_ns, explained_ns;	/* of the wake-up whose records leave most of the lateness unexplained */
	bool schedule_kept;
	const struct disturbances *disturbances;
	int64_t steal_ms;		/* of its CPU, or MONITOR_UNKNOWN */
	uint32_t seen_ms[SEEN_KINDS];	/* for how long the run was disturbed in each way */
	unsigned at_latest;		/* the ways in which it was so at its latest wake-ups: bits 1 << enum seen */
	const char *changes;		/* of the environment, or "" */
	const char *load;		/* what is doubtful about the load, or "" */
};

/*
 * Did the source keep the schedule that lateness is measured against? It was too
 * fast if a wake-up came more than the uncertainty before its period was due. It was
 * too slow if in a whole slice every wake-up was late by a period and the
 * uncertainty, or more: the next period was then due, but was not counted as missed.
 * Writes "kept", or "contradicted: " and the reason. Returns whether it was kept.
 */
bool schedule_kept(const struct totals *totals, uint64_t period_ns, uint64_t uncertainty_ns,
		   char *text, size_t size);

/* Is a delay long enough to be the work of the guard that throttles real-time processes? */
bool guard_may_delay(const struct disturbances *disturbances, int64_t ns);

#define VERDICT_CAUSE 512
#define VERDICT_TEXT 4096

/* A text that has no room ends in "...". */
struct verdict {
	enum grade grade;
	unsigned reasons;		/* or, if it is valid, remarks */
	char cause[VERDICT_CAUSE];	/* the first reason for that grade, or the first remark; "": there is none */
	char text[VERDICT_TEXT];	/* "valid", "suspect: reasons" or "invalid: reasons", with "; " between two */
	char remarks[VERDICT_TEXT];	/* what disturbed the run, but not its figures; "": nothing */
};

/* What is found against a run, gathered for its verdict. */
struct finding {
	enum grade grade;
	unsigned reasons, remarks;
	char cause[VERDICT_CAUSE];
	char reason[VERDICT_TEXT], remark[VERDICT_TEXT];
};

/* The first reason of the worst grade is the cause. With the grade VALID it is a remark. */
void finding_add(struct finding *finding, enum grade grade, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Which disturbances may have made the figures? Those in whose slices at least half
 * of the wake-ups lie that are later than some value, which is ns or more. Returns
 * bits 1 << enum seen.
 */
unsigned disturbed_at_latest(const struct totals *totals, int64_t ns);

/* Add a reason or a remark for each disturbance. */
void disturbed_judge(struct finding *finding, const struct evidence *evidence);

/*
 * How late the machine was is a result. A reason against the run is what makes its
 * figures doubtful: of a disturbance, that it was there at the latest wake-ups, or
 * for more than 1 in 1,000 of the time. Otherwise it is a remark.
 */
void verdict_find(struct verdict *verdict, const struct evidence *evidence);

#endif
