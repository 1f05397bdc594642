/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All sources, and what they have in common. */
#ifndef SOURCE_REGISTRY_H
#define SOURCE_REGISTRY_H

#include "measure/source.h"

/* All that --source may name. */
#define SOURCE_NAMES "auto, rtc, nanosleep, timerfd, alsa, thread, ring, workqueue[:global|unbound|private], " \
	"tasklet, kthread"

extern const struct source_ops source_rtc, source_nanosleep, source_timerfd, source_alsa, source_thread, source_ring,
	source_workqueue_global, source_workqueue_unbound, source_workqueue_private, source_tasklet, source_kthread;

/* The source of that name; NULL for auto, and where there is none. */
const struct source_ops *source_find(const char *name);

/*
 * Open the source of that name, for a meter on each of so many CPUs; auto is the first of the
 * registry that they can have: the RTC or, where there is none or several would
 * need it, and none was asked for, nanosleep. Returns EXIT_MEASURED (0) or,
 * after a warning, what to exit with.
 */
int source_open(struct source *source, const char *name, const char *device, unsigned hz, int cpus);

/* Returns false, after a warning, when the source does not take such a rate. */
bool source_takes_rate(const struct source *source);

/* For sources that have no device, and of which nothing is to be put back. */
int source_open_no_device(struct source *source, const char *device);
void source_stop_nothing(struct source *source);

/* For those whose schedule is a timer on CLOCK_MONOTONIC. */
#define SOURCE_TIMER_MAX_HZ 100000
#define SOURCE_USUAL_HZ 2048		/* as in 2002 */
int source_start_timer(struct source *source);

#endif
