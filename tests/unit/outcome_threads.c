// SPDX-License-Identifier: GPL-2.0-or-later
/* Threads of which the kernel did not record enough: what is judged has a part in the report, and nothing else. */
#include <stdlib.h>
#include <string.h>

#include "explain/tap.h"
#include "measure/clock.h"
#include "report/report.h"
#include "tap.h"

#define THREADS 4
#define PERIOD 1000000

static const struct source_ops ops = {
	.name = "task", .takes_target = true, .ordinary = true, .measures = SINCE_TIMER_OR_WAKING,
};
static struct thread thread;
static const struct source source = { .ops = &ops, .hz = 1000, .threads = &thread };
static struct counters *live;

/* state: as at each look. */
static struct totals *measured(unsigned samples, unsigned unmatched, char state)
{
	struct totals *totals = totals_create(32, false);

	counters_clear(live);
	live->measures = SINCE_TIMER_OR_WAKING;
	live->figures = (struct figures){ .unmatched = unmatched, .state = state };
	live->left = true;
	for (unsigned i = 0; i < samples; i++) {
		counters_count_wakeup(live, i * PERIOD, 1);
		counters_count_request(live, i * PERIOD, i * PERIOD, 0);
	}
	totals_add(totals, live, 0);
	return totals;
}

static void begin(struct report *report, const struct run *run, const struct disturbances *disturbances, unsigned number,
		  const struct totals *totals)
{
	static bool over = true;
	struct channel *channel = channel_create(SINCE_DUE, EXPLAIN_OFF);

	channel->measuring = true;
	channel->end = END_DURATION;
	channel->thread.id = 4710 + number;
	strcpy(channel->thread.cpus, "3");
	channel->tap_state = calloc(1, sizeof(*channel->tap_state));
	*report = (struct report){
		.run = run, .cpu = -1, .name = "4711 loop", .source = &source, .channel = channel,
		.totals = totals, .over = &over, .disturbances = disturbances, .number = number,
		.count = THREADS,
	};
}

int main(void)
{
	static const struct options options = { .policy = "other", .duration_ns = 1000000000 };
	static struct load load;
	static struct disturbances disturbances;
	const struct run run = { .options = &options, .load = &load };
	struct report reports[THREADS];

	live = calloc(1, sizeof(*live));
	begin(&reports[0], &run, &disturbances, 1, measured(100, 1, 0));
	begin(&reports[1], &run, &disturbances, 2, measured(0, 1, 0));
	begin(&reports[2], &run, &disturbances, 3, measured(0, 5, 0));
	begin(&reports[3], &run, &disturbances, 4, measured(0, 0, 0));
	report_sum_up(reports, false, NULL);
	is(reports->parts, 2, "two of four threads have a part");
	is(reports[0].part, 1, "a thread that was measured has a part");
	ok(reports[0].verdict.grade == VALID, "a thread that lacks one wake-up is valid");
	is(reports[1].part, 0, "a thread of which only one such wake-up is known has no part");
	ok(reports[1].verdict.grade == VALID, "a thread without a part is not judged");
	is(reports[2].part, 2, "a thread that lacks all of its wake-ups has a part");
	is_text(reports[2].verdict.reasons, "5 of 5 wake-ups of the thread have incomplete records, and may be the "
		"worst", "a thread that lacks all of its wake-ups is judged");
	is(reports[3].part, 0, "a thread that slept has no part");
	is(report_exit_status(reports, true), EXIT_MEASURED, "the exit status is that of valid runs");
	free(reports[0].channel->tap_state);
	begin(&reports[0], &run, &disturbances, 1, measured(200, 2, 'S'));
	report_sum_up(reports, false, NULL);
	is_text(reports[0].verdict.remarks, "2 of 202 wake-ups of the thread have incomplete records, and may be the worst",
		"a few incomplete records are only a remark");
	ok(reports[0].verdict.grade == VALID, "a run with a few incomplete records is valid");
	free(reports[0].channel->tap_state);
	begin(&reports[0], &run, &disturbances, 1, measured(0, 0, 'S'));
	reports->count = 1;
	report_sum_up(reports, false, NULL);
	is_text(reports->verdict.cause, "nothing was measured, because the thread woke up once at most",
		"a thread that never woke is judged so");
	free(reports[0].channel->tap_state);
	begin(&reports[0], &run, &disturbances, 1, measured(0, 0, 'R'));
	reports->count = 1;
	report_sum_up(reports, false, NULL);
	is_text(reports->verdict.cause, "nothing was measured, because the thread slept once at most (--explain shows what "
		"interrupts it if bound to a CPU)", "a thread that never slept is judged so");
	((struct channel *)reports->channel)->sleepless.late_ns = 1;
	report_sum_up(reports, false, NULL);
	is_text(reports->verdict.cause, "nothing was measured, because the thread never slept (what interrupted it: "
		"realfeel-analyze explain)", "if there are records, the verdict says how to read them");
	for (unsigned i = 0; i < THREADS; i++)
		free(reports[i].channel->tap_state);
	return done();
}
