// SPDX-License-Identifier: GPL-2.0-or-later
#include <sched.h>
#include <string.h>

#include "evidence.h"
#include "tap.h"

static const struct source_ops ops = { .name = "fake", .child = "the fake's asker" };

struct channel channel;
struct sums sums;
const struct source source = { .ops = &ops, .period_ns = 488281 };
struct disturbances disturbances;
struct evidence evidence;
struct verdict found;

void be_well(void)
{
	memset(&channel, 0, sizeof(channel));
	memset(&sums, 0, sizeof(sums));
	channel.measuring = true;
	channel.end = END_SAMPLES;
	channel.began = (struct sched_state){ SCHED_FIFO, 95, 1, 3, 1 };
	channel.ended = channel.began;
	sums.samples = 1000;
	sums.from_ns = 1;
	sums.to_ns = 999999999;
	sums.moments[LATENCY].max = 20000;
	disturbances = (struct disturbances){ 0 };
	evidence = (struct evidence){
		.channel = &channel, .sums = &sums, .source = &source, .policy = "fifo",
		.priority = 95, .sched_state = &channel.ended,
		.children_state = &channel.children.ended, .schedule_kept = true, .disturbances = &disturbances,
		.changes = "", .load = "",
	};
}

void says(const char *expected, const char *name)
{
	verdict_find(&found, &evidence);
	is_text(found.text, expected, name);
	be_well();
}
