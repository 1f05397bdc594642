/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All workers of the run: one for each measured CPU, or for each thread of another program. */
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
	unsigned count;			/* no more than CPUS_MAX */
	unsigned lost;			/* workers that were removed when they were inherited */
	struct worker *first;
};

/*
 * Each worker gets a copy of the source, and all have the monitor; NULL: none. Their
 * phases are spread over the period, unless all are to wake together. Returns 0, or
 * -1 with errno.
 */
int workers_open(struct workers *workers, const struct options *options, const struct source *source,
		 struct monitor *monitor);

/* Fork the meters. Returns as fork() does: 0 in each meter, with self set to its worker. */
pid_t workers_fork(struct workers *workers, struct worker **self);

/* For the standby: close the meters' ends of the lifelines. While it has them open, it gets no end of file. */
void workers_listen(struct workers *workers);

/*
 * For the standby that replaces the keeper: await what the meters write, and restore
 * the machine. Workers whose totals cannot be mapped are removed, and counted in lost.
 */
void workers_inherit(struct workers *workers);

/* Is no meter alive? */
bool workers_are_over(const struct workers *workers);

/* Has any meter begun to await its first wake-up? Have all dropped their rights? */
bool workers_have_measured(const struct workers *workers);
bool workers_have_dropped(const struct workers *workers);

bool workers_have_samples(const struct workers *workers);

/* Fill in an event each for poll(); afterwards handle what came. When a meter has ended, its last buffer is added. */
void workers_listen_in(const struct workers *workers, struct pollfd *events);
void workers_hear(struct workers *workers, const struct pollfd *events, uint64_t elapsed_ns);

void workers_ask_flips(struct workers *workers);
bool workers_await_flips(const struct workers *workers);
void workers_collect(struct workers *workers, uint64_t elapsed_ns);

/* How many there is something to show of: of a command, as many as it has had threads. */
unsigned workers_shown(const struct workers *workers);

/* When to collect next: at_ns or, with --explain, earlier, before the kernel overwrites its records. */
uint64_t workers_collect_at(const struct workers *workers, uint64_t at_ns);

/* To be called once a second: see worker_look(). */
void workers_look(struct workers *workers, enum end overdue);

/* Signal the meters to end; workers_end() also sets the reason. */
void workers_stop(struct workers *workers);
void workers_end(struct workers *workers, enum end why);

/* Signal the meters and wait until they have ended. Nothing is saved. */
void workers_give_up(struct workers *workers);

/* When the meters have ended: restore what the sources and --idle-latency changed on the machine. */
void workers_restore_machine(struct workers *workers);

/* Returns a report for each worker: a copy of *all with the worker's own members. NULL with errno: no memory. */
struct report *workers_report(const struct workers *workers, const struct report *all);

#endif
