// SPDX-License-Identifier: GPL-2.0-or-later
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evidence.h"
#include "tap.h"

static const struct source_ops ops = { .name = "fake", .child = "the fake's asker" };
static const bool over = false;

struct channel channel;
struct sums *sums;
struct options options;
const struct source source = { .ops = &ops, .period_ns = 488281 };
struct disturbances disturbances;
struct tap_state tap_state;
struct report report;
struct verdict found;

void be_well(void)
{
	static const struct run run = { .options = &options };
	struct totals *totals = totals_create(32, false);

	if (!totals)
		exit(1);
	memset(&channel, 0, sizeof(channel));
	channel.measuring = true;
	channel.end = END_SAMPLES;
	channel.began = (struct sched_state){ SCHED_FIFO, 95, 1, 3, 1 };
	channel.ended = channel.began;
	channel.tap_state = &tap_state;
	tap_state.level = EXPLAIN_OFF;
	options = (struct options){ .policy = "fifo", .priority = 95 };
	sums = (struct sums *)totals_sums(totals);
	sums->samples = 1000;
	sums->from_ns = 1;
	sums->to_ns = 999999999;
	sums->moments[LATENCY].max = 20000;
	disturbances = (struct disturbances){ 0 };
	report = (struct report){
		.run = &run, .cpu = -1, .source = &source, .channel = &channel, .totals = totals, .over = &over,
		.disturbances = &disturbances, .part = 1, .evidence.schedule = "kept",
	};
}

void judge(void)
{
	report.evidence.meter = channel.ended;
	report.evidence.children = channel.children.ended;
	report_judge(&report);
	found = report.verdict;
}

void be_disturbed(enum seen seen, int64_t ms)
{
	totals_see((struct totals *)report.totals, seen, ms);
}

void says(const char *expected, const char *name)
{
	char text[VERDICT_TEXT + 16];

	judge();
	snprintf(text, sizeof(text), "%s%s%s", grade_names[found.grade], *found.reasons ? ": " : "", found.reasons);
	is_text(text, expected, name);
	be_well();
}
