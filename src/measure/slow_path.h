/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the measuring loop does between two waits, but for the samples that the fast path counts. */
#ifndef MEASURE_SLOW_PATH_H
#define MEASURE_SLOW_PATH_H

#include "measure/loop.h"

/* Of a wake-up of the meter itself. */
extern const struct wakeup no_thread;

/* The first wake-up was at now, and served these requests, which are discarded. */
void loop_begin(const struct loop *loop, struct position *at, uint64_t now, int64_t requests);

/* If the source did not count the periods (0), it served all that were due at the stamp, or one. */
uint64_t loop_periods_served(int64_t counted, int64_t late, int64_t period_ns);

/* All these return END_NONE, or why the run ends. Any return of the wait, also a signal (-EINTR) or an error: */
enum end loop_count(const struct loop *loop, struct position *at, int64_t served, uint64_t now);

/* A wake-up without a schedule: */
enum end loop_count_asked(struct loop *loop, const struct wakeup *wakeup, uint64_t requests);

/* A flip or the end of the run is wanted: */
enum end loop_answer(const struct loop *loop, struct position *at);

/* The wait failed: */
enum end loop_fail(struct channel *channel, int64_t error);

/* Complete the buffer that the meter leaves. */
void loop_leave(const struct loop *loop, struct position *at);

#endif
