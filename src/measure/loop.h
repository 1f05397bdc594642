/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The measuring loop. */
#ifndef MEASURE_LOOP_H
#define MEASURE_LOOP_H

#include <stdint.h>

#include "measure/channel.h"
#include "measure/clock.h"
#include "measure/listener.h"
#include "measure/source.h"

struct loop {
	struct channel *channel;
	struct source *source;
	struct clock *clock;
	const struct listener *listener;
	int64_t break_ns;		/* a greater lateness ends the run; 0: none does */
	int smis;			/* of the meter's CPU: see smis_open() */
};

/*
 * Wait, stamp and count until so many samples were measured (0: no limit), or the
 * run ends for another reason of enum end. If the wait fails, channel->failure is
 * its errno. The source must have been started, and channel->live[0] must be clear.
 * Returns why the run ended.
 */
enum end loop_run(const struct loop *loop, uint64_t samples);

/*
 * The same for threads of another program, all at once; each has a loop with its
 * channel and its source, and the first source waits for all. Each has its end in
 * channel->end. They end together, with the first that has so many samples, but one
 * whose thread is gone ends before the others.
 */
void loop_observe(const struct loop *loops, unsigned count, uint64_t samples);

#endif
