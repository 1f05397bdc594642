/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All workers of the run: one for each CPU that is measured and, where there are
 * cells of a table, for each of these. The cells take turns: those of one are
 * measured on all CPUs at once, one cell after the other.
 */
#ifndef RUN_WORKERS_H
#define RUN_WORKERS_H

#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/types.h>

#include "base/options.h"
#include "report/report.h"
#include "run/worker.h"

struct workers {
	unsigned count, per_turn;	/* no more than CPU_SETSIZE */
	unsigned lost;			/* those that count had, too, before they were inherited */
	struct worker *first;
	struct worker *turn;		/* the first of those whose turn it is */
	unsigned turns_left;		/* behind it */
	pid_t meters[CPU_SETSIZE + 1];	/* those of the turn that are forked so far, and behind them a 0 */
};

#define for_each_worker(worker, workers) \
	for (struct worker *worker = (workers)->first; worker < (workers)->first + (workers)->count; worker++)

#define for_each_in_turn(worker, workers) \
	for (struct worker *worker = (workers)->turn; worker < (workers)->turn + (workers)->per_turn; worker++)

/*
 * With this source and others like it, whose phases are spread over the period
 * unless all are to wake together. Returns 0, or -1 with errno.
 */
int workers_open(struct workers *workers, const struct options *options, const struct source *source);

/* Fork the meters of the turn. Returns as fork(): in each of them 0, with self set to its worker. */
pid_t workers_fork(struct workers *workers, struct worker **self);

/* For the standby, which does not fork the meters: close their ends of the lifelines, so as to hear of their death. */
void workers_listen(struct workers *workers);

/* For the standby in the keeper's place. Workers whose totals cannot be mapped are removed, and counted in lost. */
void workers_inherit(struct workers *workers);

/* Is no meter of the turn alive? */
bool workers_are_over(const struct workers *workers);

/* When that is so: go on to the next turn. Returns false when there is none, or the run ends with this one. */
bool workers_begin_turn(struct workers *workers);

/* Did any meter await its first wake-up? Have all dropped their rights, in the last turn? */
bool workers_have_measured(const struct workers *workers);
bool workers_have_dropped(const struct workers *workers);

bool workers_have_samples(const struct workers *workers);

/* Fill in per_turn events to be polled; then take what came. When a meter has ended, its last buffer is added. */
void workers_listen_in(const struct workers *workers, struct pollfd *events);
void workers_hear(struct workers *workers, const struct pollfd *events, uint64_t elapsed_ns);

void workers_ask_flips(struct workers *workers);
bool workers_await_flips(const struct workers *workers);
void workers_collect(struct workers *workers, uint64_t elapsed_ns);

/* When to collect next: then or, with --explain, before the kernel's records are overwritten. */
uint64_t workers_collect_at(const struct workers *workers, uint64_t at_ns);

/* Once a second. */
void workers_look(struct workers *workers);

/* Signal the meters to end, and set this reason. No other turn begins. */
void workers_stop(struct workers *workers);
void workers_end(struct workers *workers, enum end why);

/* Signal them, and wait until they have ended: nothing is to be saved. */
void workers_give_up(struct workers *workers);

/* When the meters have ended: put the machine back as it was. */
void workers_stop_sources(struct workers *workers);

/* A report for each, with what is the same in all of them. Returns NULL with errno when there is no memory. */
struct report *workers_report(const struct workers *workers, const struct report *all);

#endif
