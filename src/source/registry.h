/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All sources, and what they have in common. */
#ifndef SOURCE_REGISTRY_H
#define SOURCE_REGISTRY_H

#include "base/diag.h"
#include "measure/source.h"

/* The names that --source takes. */
#define SOURCE_NAMES "auto, rtc, nanosleep, timerfd, alsa, thread, ring, workqueue[:global|unbound|private], " \
	"tasklet, kthread, task:ID|NAME"

extern const struct source_ops source_rtc, source_nanosleep, source_timerfd, source_alsa, source_thread, source_ring,
	source_workqueue_global, source_workqueue_unbound, source_workqueue_private, source_tasklet, source_kthread,
	source_task;

/* The source of that name; NULL for auto and for unknown names. */
const struct source_ops *source_find(const char *name);

/*
 * Open the source of that name, for a meter on each of that many CPUs. auto takes the RTC, or nanosleep where there
 * is none or several CPUs are to be measured; a device that is named must be an RTC. threads is the list of
 * --threads, or NULL. Returns EXIT_MEASURED (0) or, after a warning, what to exit with.
 */
int source_open(struct source *source, const char *name, const char *device, const char *threads, unsigned hz,
		int cpus);

/* Does the source take source->hz? Warns if not. */
bool source_takes_rate(const struct source *source);

/* Warn, and return what to exit with. */
int source_refuse(const struct source *source, const struct refusal *refusal);
int source_refuse_memory(const struct source *source);

/* For ops->open: open source->device, so that reading blocks. Returns as ops->open; group: its usual group. */
int source_open_device(struct source *source, const char *group);

/* Does this errno say that the machine has no such device? */
bool source_is_absent(int error);

/* For sources on a timer of CLOCK_MONOTONIC: set the anchor, on the grid of all meters if there is one. */
#define SOURCE_TIMER_MAX_HZ 100000
#define SOURCE_USUAL_HZ 2048		/* as in 2002 */
int source_start_timer(struct source *source);

/*
 * For ops->start, at most CHILDREN_MAX times: fork a process that wakes the meter by a request or a token. It does
 * not outlive the meter, however that ends; if it ends before the run does, the meter gets SIGCHLD. It keeps the
 * meter's policy, priority and CPU; locks its memory if the meter does; runs as the user that the meter will be; acts
 * on no signal but SIGKILL, faults and job control; and has the standard descriptors and those in kept. Returns as
 * fork(); -1 after a warning.
 */
pid_t source_fork(const struct source *source, const int *kept, unsigned count);

/* In a child: is the meter still alive? The parent-death signal to the child may have been lost. */
bool source_child_is_wanted(void);

/* For ops->finish: kill all of them and reap them. */
void source_end_children(struct source *source);

#endif
