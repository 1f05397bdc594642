/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A meter as the keeper sees it; all meters of the run; and the meter itself. */
#ifndef RUN_WORKER_H
#define RUN_WORKER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/options.h"
#include "explain/tap.h"
#include "host/cgroup.h"
#include "host/monitor.h"
#include "measure/channel.h"
#include "measure/source.h"
#include "measure/totals.h"
#include "report/report.h"

#define REFUSED_SIZE 2500

/* What a meter was refused, in shared memory until the run begins: lines, as the user will see them. */
struct refused {
	int unbound;			/* errno of binding it to its CPU: the keeper explains all in one line */
	char rights[REFUSED_SIZE], explain[REFUSED_SIZE];
};

struct worker {
	int cpu;			/* the measured CPU; -1: any */
	char name[32];			/* among several: the CPU, or the thread that is measured */
	struct channel *channel;
	struct refused *refused;
	struct totals *totals;
	struct source source;		/* the meter starts it, and goes on with a copy */
	int lifeline;			/* to the meter; end of file: it has ended; -1 after that */
	int end;			/* the meter's; -1: closed in this process */
	unsigned group;			/* workers its meter serves, from this one on; 0: not the first */
	struct monitor *monitor;	/* of the machine, shared by all; NULL: none */

	/* the keeper's own, once the meter runs */
	pid_t pid;
	int stat;			/* of the meter: see process_open(); -1 when it has ended */
	struct freezer freezer;
	uint64_t seen_ns;		/* when disturbances of the meter were last looked for; 0: not yet */
	struct cgroup_throttled throttled;	/* by then */
	uint64_t throttled_us;		/* since the meter began */
	bool ready;			/* the meter has asked for all that it needs, and waits for the run to begin */
	bool measures;			/* it has reported that it does */
	bool over;			/* it has ended, or was killed */
	int status;			/* once over: as waitpid() has it; SIGKILL if that is unknown */
	struct tap_reader reader;
	uint32_t flips_asked;
	unsigned silent_ticks;		/* since the meter was last seen awake */
	unsigned held_ticks;		/* it should have ended, but is stopped or frozen */
};

/* In the keeper: the meter has been forked, and has not ended. */
static inline bool worker_is_alive(const struct worker *worker)
{
	return worker->pid > 0 && !worker->over;
}

/* Close what this process has open for a meter that is not its own, or has ended. */
void worker_close(struct worker *worker);

/* When the lifeline is readable: the meter is ready, measures, left because its keeper died, or has ended. */
void worker_receive(struct worker *worker);

/*
 * In disturbances.c: note in the totals what disturbs the meter, its children or the thread that it measures: when it
 * begins to measure, then once a second, and before the last buffer is added.
 */
void worker_look_for_disturbances(struct worker *worker);

/* Ask for the buffer that the meter is filling, unless one is asked for already. */
void worker_ask_flip(struct worker *worker);
bool worker_awaits_flip(const struct worker *worker);

/* Read what the kernel has recorded, and add the buffer that the meter has left, if any, to the totals. */
void worker_collect(struct worker *worker);

/* When the meter has ended: add the buffer that it was filling, too, if it is whole. */
void worker_collect_last(struct worker *worker);

/*
 * Once a second: look whether the meter is disturbed, frozen or silent. Signal it if it is to end. overdue: why it
 * should have ended by now, or END_NONE; if only being stopped or frozen keeps it from ending, it is made to end, or
 * killed if that fails.
 */
void worker_look(struct worker *worker, enum end overdue);

/* Signal the meter to end, if it is alive. Repeat this: a signal just before the wait does not interrupt the wait. */
void worker_stop(struct worker *worker);

/* Wait until a meter has ended or, if it may wait, has nothing more to write. Kill it if that takes too long. */
void worker_await(struct worker *worker, bool may_wait);

/* All workers of the run: one for each measured CPU, or for each thread of another program. */
struct workers {
	unsigned count;			/* no more than CPUS_MAX */
	struct worker *first;
};

#define for_each_worker(worker, workers) \
	for (struct worker *worker = (workers)->first; worker < (workers)->first + (workers)->count; worker++)

/* Does the condition, on "worker", hold for any of the workers? */
#define any_worker(workers, condition) \
	({ \
		bool any = false; \
		for_each_worker(worker, workers) \
			any = any || (condition); \
		any; \
	})

#define workers_are_over(workers) (!any_worker(workers, worker_is_alive(worker)))

/* Has any meter begun to await its first wake-up? */
#define workers_have_measured(workers) any_worker(workers, worker->channel->measuring)

#define workers_await_flips(workers) any_worker(workers, worker_is_alive(worker) && worker_awaits_flip(worker))

/*
 * In fork.c. Each worker gets a copy of the source, and all share the monitor; NULL: none. Their phases are spread over
 * the period, unless all are to wake together. Returns 0, or -1 after a warning.
 */
int workers_open(struct workers *workers, const struct options *options, const struct source *source,
		 struct monitor *monitor);

/* Fork the meters. Returns as fork() does: 0 in each meter, with self set to its worker. */
pid_t workers_fork(struct workers *workers, struct worker **self);

/* For the standby that replaces the keeper: restore the machine, let the meters end, and add their last buffers. */
void workers_inherit(struct workers *workers);

/* Signal the meters to end; workers_end() also sets the reason. */
void workers_stop(struct workers *workers);
void workers_end(struct workers *workers, enum end why);

/* Signal the meters, wait until they have ended, and restore the machine. Nothing is saved. */
void workers_give_up(struct workers *workers);

/* When the meters have ended: restore what the sources changed on the machine. */
void workers_restore_machine(struct workers *workers);

/*
 * In lifeline.c: a socket pair by which one process watches another. A byte, with or without a descriptor, means that
 * the other has reached the agreed point; end of file means that it is dead.
 */

#define LIFELINE_NO_ROOM -2	/* in place of a descriptor: too many files are open to receive it */

/* Open two ends, closed on exec; each can send and receive. Returns 0, or -1 with errno. */
int lifeline_open(int ends[2]);

/* Send a byte with this descriptor; -1: with none. Returns false when the other process is dead. */
bool lifeline_send(int end, int descriptor);

/* Is the other process alive? One being killed may live on for a moment. */
bool lifeline_is_open(int end);

/* Wait for a byte. Returns false at end of file. *descriptor is -1 if it came without one. NULL: it has none. */
bool lifeline_receive(int end, int *descriptor);

/* The whole life of a meter, from the fork to its exit. It ends early if the keeper, its parent, dies. */
void meter_run(const struct run *run, struct worker *worker, pid_t keeper) __attribute__((noreturn));

#endif
