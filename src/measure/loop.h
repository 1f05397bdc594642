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
	const struct listener *listener;	/* without a log: nobody listens */
	int64_t break_ns;		/* the greatest lateness that lets the run go on; 0: any */
};

/*
 * Wait, stamp and record until so many samples were measured (0: no limit),
 * or channel->stop is set, or something fails: then channel->failure is set. The
 * source must have been started and channel->live[0] be clear. Returns why the
 * run ended.
 */
enum end loop_run(const struct loop *loop, uint64_t samples);

#endif
