// SPDX-License-Identifier: GPL-2.0-or-later
/* The data sets of the report: one that explains its wake-ups, and one of a source that stamps its requests. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "measure/channel.h"
#include "report/report.h"
#include "tap.h"

#define PERIOD 1000000
#define START UINT64_C(5000000000)

static const char *data_of(const struct totals *totals, enum measures measures, bool explained)
{
	static char text[4096];
	FILE *file = fmemopen(text, sizeof(text), "w");

	report_print_data(file, totals, measures, explained);
	fclose(file);
	return text;
}

static void count(struct counters *live, uint64_t number, int64_t late, int64_t error, uint64_t periods)
{
	struct event event = {
		.stamp_ns = START + number * PERIOD + late, .utc_ns = INT64_C(86400000000000) + number * PERIOD,
		.period = number, .periods = periods, .late_ns = late, .error_ns = error, .cpu_before = -1, .cpu = 3,
		.smis = EVENTS_UNKNOWN, .stamped_ns = 700, .episode = number,
	};

	counters_count(live, event.stamp_ns, late, error, periods, PERIOD);
	for (uint64_t i = 0; live->stamped && i < periods; i++)
		counters_count_request(live, event.stamp_ns, event.stamp_ns - event.stamped_ns, PERIOD);
	counters_keep(live, &event);
}

/* Two wake-ups, of which the second has served two periods. */
static struct totals *measured(enum measures measures)
{
	struct channel *channel = channel_create(measures, EXPLAIN_OFF);
	struct totals *totals = totals_create(TOTALS_SLICES, false);
	struct counters *live = &channel->live[0];

	live->from_ns = START;
	count(live, 1, 2000, -30, 1);
	count(live, 2, 1003010, 1000, 2);
	totals_add(totals, live, PERIOD);
	munmap(channel, channel->size);
	return totals;
}

static void test_explained(void)
{
	static const struct parts parts[] = {
		{ START + 1 * PERIOD + 2000, { -100, 500, 600, 0, 1000 } },
		{ START + 7 * PERIOD, { 400, 500, 600, 7000, 1000 } },
	};
	struct totals *totals = measured(SINCE_DUE);

	totals_add_parts(totals, parts, 2, 0);
	is_text(data_of(totals, SINCE_DUE, true),
		"\n\n# histogram\n# from_us to_us interval early lateness\n"
		"0.03 0.04 0 1 0\n"
		"1.00 1.01 1 0 0\n"
		"2.00 2.01 0 0 1\n"
		"3.01 3.02 0 0 1\n"
		"1003.00 1004.00 0 0 1\n"
		"\n\n# slices\n# start_s seconds wakeups periods missed lateness_max_us interval_max_us\n"
		"0.000000 0.003003 2 3 1 1003.010 1.000\n"
		"\n\n# slice_bins\n# start_s seconds from_us to_us lateness\n"
		"0.000000 0.003003 2.00 2.10 1\n"
		"0.000000 0.003003 3.00 3.10 1\n"
		"0.000000 0.003003 1000.00 1100.00 1\n"
		"\n\n# events\n# at_s utc period lateness_us interval_us periods cpu_before cpu smis counting_us"
		" expiry_us waking_us switch_us again_us stamp_us\n"
		"0.003003 1970-01-02T00:00:00.002000Z 2 1003.010 1.000 2 unknown 3 unknown 0.000"
		" unknown unknown unknown unknown unknown\n"
		"0.001002 1970-01-02T00:00:00.001000Z 1 2.000 -0.030 1 unknown 3 unknown 0.000"
		" -0.100 0.500 0.600 0.000 1.000\n"
		"\n\n# parts\n# from_us to_us expiry waking switch again stamp\n"
		"0.00 0.01 1 0 0 1 0\n"
		"0.40 0.41 1 0 0 0 0\n"
		"0.50 0.51 0 2 0 0 0\n"
		"0.60 0.61 0 0 2 0 0\n"
		"1.00 1.01 0 0 0 0 2\n"
		"7.00 7.01 0 0 0 1 0\n"
		"\n\n# parts_by_lateness\n# from_us to_us wakeups expiry waking switch again stamp\n"
		"2.00 2.10 1 -0.100 0.500 0.600 0.000 1.000\n"
		"9.50 9.60 1 0.400 0.500 0.600 7.000 1.000\n",
		"explained wake-ups have their parts");
	totals_forget(totals);
}

static void test_stamped(void)
{
	struct totals *totals = measured(SINCE_DUE_AND_STAMP);

	is_text(data_of(totals, SINCE_DUE_AND_STAMP, false),
		"\n\n# histogram\n# from_us to_us interval early lateness wakeup\n"
		"0.03 0.04 0 1 0 0\n"
		"0.70 0.71 0 0 0 3\n"
		"1.00 1.01 1 0 0 0\n"
		"2.00 2.01 0 0 1 0\n"
		"3.01 3.02 0 0 1 0\n"
		"1003.00 1004.00 0 0 1 0\n"
		"\n\n# slices\n# start_s seconds wakeups periods missed lateness_max_us interval_max_us wakeup_max_us\n"
		"0.000000 0.003003 2 3 1 1003.010 1.000 0.700\n"
		"\n\n# slice_bins\n# start_s seconds from_us to_us lateness\n"
		"0.000000 0.003003 2.00 2.10 1\n"
		"0.000000 0.003003 3.00 3.10 1\n"
		"0.000000 0.003003 1000.00 1100.00 1\n"
		"\n\n# events\n# at_s utc period lateness_us interval_us periods cpu_before cpu wakeup_us\n"
		"0.003003 1970-01-02T00:00:00.002000Z 2 1003.010 1.000 2 unknown 3 0.700\n"
		"0.001002 1970-01-02T00:00:00.001000Z 1 2.000 -0.030 1 unknown 3 0.700\n",
		"requests with stamps have one more column, and no parts");
	totals_forget(totals);
}

/* What was counted stands last, and unknown is what one of two slices does not know. */
static void test_smis(void)
{
	struct totals *totals = totals_create(TOTALS_SLICES, false);
	struct channel *channel = channel_create(SINCE_DUE, EXPLAIN_OFF);

	for (int slice = 0; slice < 2; slice++) {
		struct counters *live = &channel->live[slice];

		live->from_ns = START + 2 * slice * PERIOD;
		count(live, 2 * slice + 1, 2000, 0, 1);
		live->smis = slice ? 3 : EVENTS_UNKNOWN;
		totals_add(totals, live, PERIOD);
	}
	munmap(channel, channel->size);
	ok(strstr(data_of(totals, SINCE_DUE, false),
		  "\n\n# slices\n# start_s seconds wakeups periods missed lateness_max_us interval_max_us smis\n"
		  "0.000000 0.001002 1 1 0 2.000 0.000 unknown\n"
		  "0.002000 0.001002 1 1 0 2.000 0.000 3\n"), "the SMIs of slices are a column where they are known");
	totals_forget(totals);
}

int main(void)
{
	test_explained();
	test_stamped();
	test_smis();
	return done();
}
