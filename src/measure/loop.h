/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The measuring loop. */
#ifndef MEASURE_LOOP_H
#define MEASURE_LOOP_H

#include <stdint.h>

#include "measure/channel.h"
#include "measure/clock.h"
#include "measure/source.h"

/* Where the run is, between two wake-ups. */
struct position {
	struct counters *live;	/* the buffer being filled; live->to_ns is the last stamp */
	uint64_t left;		/* samples; with a schedule: before the second that is being measured */
	uint64_t due_ns;	/* of the oldest period not served yet */
	uint64_t first_due_ns;	/* of the first period measured */
	bool begun;		/* without a schedule: the first wake-up was discarded, */
	uint64_t requests;	/* and this many were served since then */
	uint64_t served_ns;	/* the stamp of the last wake-up that the slow path counted, */
	uint64_t episode;	/* and its episode: see struct event */
	int cpu;		/* the meter's CPU, as last read; it is read at least about once a second */
	int64_t smis;		/* their count before the wait; set if wake-ups are explained */
	int64_t smis_counted;	/* of these, how many are counted in buffers */
	uint64_t ready_ns;	/* when the slow path last finished counting one, if wake-ups are explained */
};

struct loop {
	struct channel *channel;
	struct source *source;
	struct clock *clock;
	struct wakelog *log;		/* of all wake-ups; NULL: none are explained, and nothing is kept */

	/* Keep in this slot what the kernel recorded before one of the worst wake-ups; recordings may be NULL. */
	void (*keep)(const void *tap, struct recordings *recordings, unsigned slot, const struct event *wakeup);
	const void *tap;
	int64_t break_ns;		/* a greater lateness ends the run; 0: none does */
	int smis;			/* of the meter's CPU: see smis_open() */
	struct position at;		/* of the loop alone */
};

/*
 * Wait, stamp and count until this many samples are measured (0: no limit) or the run ends for another reason, and set
 * channel->end. The source is started, and channel->live[0] is clear.
 *
 * There may be several loops, one for each thread of another program: the first source waits for all. They
 * end together, with the first that has its samples, but one whose thread is gone ends before the others.
 */
void loop_run(struct loop *loops, unsigned count, uint64_t samples);

/* The first wake-up was at now, and served these requests, which are discarded. */
void loop_begin(const struct loop *loop, struct position *at, uint64_t now, int64_t requests);

/* If the source gave no count (0), the wake-up served all periods due at the stamp, or else one. */
uint64_t loop_periods_served(int64_t counted, int64_t late, int64_t period_ns);

/*
 * Return END_NONE, or why the run ends: count any return of the wait, including a signal (-EINTR) or an error; count a
 * wake-up without a schedule; act if a flip or the end is wanted; note that the wait failed. loop_leave() completes the
 * buffer that the meter leaves.
 */
enum end loop_count(const struct loop *loop, struct position *at, int64_t served, uint64_t now);
enum end loop_count_asked(struct loop *loop, const struct wakeup *wakeup, uint64_t requests);
enum end loop_answer(const struct loop *loop, struct position *at);
enum end loop_fail(struct channel *channel, int64_t error);
void loop_leave(const struct loop *loop, struct position *at);

/*
 * System management interrupts, in which firmware has the CPU. Count those of a CPU, for the process that runs on
 * it: returns a descriptor; -1 if the machine cannot or this process may not. Then the count so far, and since an
 * earlier count, with 32 bits. Without a counter: EVENTS_UNKNOWN, and no system call.
 */
int smis_open(int cpu);
int64_t smis_count(int smis);
int64_t smis_since(int smis, int64_t before);

#endif
