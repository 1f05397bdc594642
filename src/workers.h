/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All workers of the run: one for each CPU that is measured. */
#ifndef WORKERS_H
#define WORKERS_H

#include <sched.h>
#include <stdbool.h>
#include <sys/types.h>

#include "options.h"
#include "worker.h"

struct workers {
	unsigned count;
	struct worker *first;
	pid_t meters[CPU_SETSIZE + 1];	/* those that are forked so far, and behind them a 0 */
};

#define for_each_worker(worker, workers) \
	for (struct worker *worker = (workers)->first; worker < (workers)->first + (workers)->count; worker++)

/*
 * With this source and others like it, whose phases are spread over the period
 * unless all are to wake together. Returns 0, or -1 with errno.
 */
int workers_open(struct workers *workers, const struct options *options, const struct source *source);

/* Fork the meters. Returns as fork(): in each of them 0, with self set to its worker. */
pid_t workers_fork(struct workers *workers, struct worker **self);

/* For a process that does not fork the meters: hear of their end. */
void workers_listen(struct workers *workers);

/* For a process that takes the keeper's place. Returns 0, or -1 with errno. */
int workers_inherit(struct workers *workers);

/* Have all meters ended, or are dead? Did any of them measure? Did all drop their rights, and tell so? */
bool workers_are_over(const struct workers *workers);
bool workers_have_measured(const struct workers *workers);
bool workers_have_dropped(const struct workers *workers);

bool workers_have_samples(const struct workers *workers);

void workers_ask_flips(struct workers *workers);
bool workers_await_flips(const struct workers *workers);
void workers_collect(struct workers *workers, uint64_t elapsed_ns);

/* When to collect: then, or so often that nothing that the kernel records is lost. */
uint64_t workers_collect_at(const struct workers *workers, uint64_t at_ns);

/* Tell the meters to end, the second one for this reason. */
void workers_stop(struct workers *workers);
void workers_end(struct workers *workers, enum end why);

/* When the meters have ended: put everything back. */
void workers_stop_sources(struct workers *workers);

#endif
