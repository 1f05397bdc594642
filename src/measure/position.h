/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The steps of the measuring loop between two waits, for loops that wait for one thing or for several. */
#ifndef MEASURE_POSITION_H
#define MEASURE_POSITION_H

#include "measure/loop.h"

/* Where the run is, between two wake-ups. */
struct position {
	struct counters *live;	/* the buffer being filled; live->to_ns is the last stamp */
	uint64_t due_ns;	/* of the oldest period not served yet */
	uint64_t first_due_ns;	/* of the first period measured */
	uint64_t requests;	/* without a schedule: served since the first wake-up */
	uint64_t served_ns;	/* the stamp of the last wake-up that the slow path counted, */
	uint64_t episode;	/* and the episode of that: see struct event */
	int cpu;		/* the meter's CPU, as last read; it is read at least about once a second */
	int64_t smis;		/* their count before the wait; set if wake-ups are explained */
	int64_t smis_counted;	/* up to which buffers have them */
	uint64_t ready_ns;	/* when the slow path had last counted a wake-up of the meter, if these are explained */
};

/*
 * Wake-ups that were due before the one before them was served are one episode. The
 * fast path has none that is late by a period, so the next is due after its stamp.
 */
static inline void position_find_episode(struct position *at, struct event *wakeup)
{
	at->episode += wakeup->stamp_ns - wakeup->late_ns >= at->served_ns;
	at->served_ns = wakeup->stamp_ns;
	wakeup->episode = at->episode;
}

/* The first wake-up was at now. */
void position_begin(const struct loop *loop, struct position *at, uint64_t now);

/* Count a wake-up without a schedule that served so many requests. Returns END_NONE, or why the run ends. */
enum end position_count_asked(const struct loop *loop, struct position *at, uint64_t requests);

/* A flip or the end of the run is wanted. Returns END_NONE, or why the run ends. */
enum end position_answer(const struct loop *loop, struct position *at);

/* Complete the buffer that the meter leaves. */
void position_leave(const struct loop *loop, struct position *at);

#endif
