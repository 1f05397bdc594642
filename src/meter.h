/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The process that is real-time: it takes its rights, sets the source going,
 * runs the loop, and gives them back.
 */
#ifndef METER_H
#define METER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "clock.h"
#include "privilege.h"
#include "setup.h"
#include "channel.h"
#include "source.h"

struct meter {
	struct channel *channel;
	struct source *source;
	struct clock *clock;
	struct setup setup;
	bool explain;
	uint64_t samples;		/* 0: no limit */
	uint64_t duration_ns;		/* 0: no limit */
	uint64_t break_ns;		/* 0: no limit */
	pid_t keeper;
	const struct caller *caller;
};

/*
 * The meter's life, from the fork until the keeper, at the other end of the
 * lifeline, has saved the report.
 * Exits when nothing could be measured. Returns true when the keeper was
 * killed before: then this process, ordinary again, is to take its place.
 */
bool meter_run(const struct meter *meter, int lifeline);

#endif
