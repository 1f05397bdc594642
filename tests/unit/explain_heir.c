// SPDX-License-Identifier: GPL-2.0-or-later
/* A keeper is killed, and its heir reads the log of another program's wake-ups from the beginning: none counts twice. */
#include <stdlib.h>

#include "explain/tap.h"
#include "tap.h"

#define PERIOD 1000000
#define NUMBER(n) ((n) * (uint64_t)PERIOD)

static struct wakelog *wakelog;
static struct counters *live;

static void wake_up(uint64_t number)
{
	uint64_t due_ns = NUMBER(number), stamp_ns = due_ns + 4000;

	wakelog_put(wakelog, &(struct wakelog_entry){ due_ns, stamp_ns, 1, due_ns + 1000, due_ns + 2000 });
	counters_count_wakeup(live, stamp_ns, 1);
	counters_count_request(live, stamp_ns, due_ns, 0);
}

/* What a process does that has read nothing yet, after these wake-ups. */
static void read_all(struct tap_reader *reader, struct totals *totals)
{
	tap_reader_read(reader);
	totals_add(totals, live, 0);
	tap_reader_add(reader, totals);
	counters_clear(live);
}

static void measure(uint64_t first, uint64_t end)
{
	live->measures = SINCE_TIMER_OR_WAKING;
	live->from_ns = NUMBER(first);
	while (first < end)
		wake_up(first++);
}

int main(void)
{
	struct tap_reader keeper, heir;
	struct totals *totals = totals_create(32, false);
	const struct sums *sums;

	wakelog = calloc(1, sizeof(*wakelog));
	live = calloc(1, sizeof(*live));
	counters_clear(live);
	tap_reader_open(&keeper, -1, NULL, 0, wakelog, 0, false);
	tap_reader_open(&heir, -1, NULL, 0, wakelog, 0, false);
	measure(1, 101);
	read_all(&keeper, totals);
	is(totals_sums(totals)->matched, 100, "the keeper adds the parts");
	measure(101, 151);
	tap_reader_read(&keeper);
	totals_add(totals, live, 0);	/* and is killed here */
	counters_clear(live);
	measure(151, 161);
	read_all(&heir, totals);
	sums = totals_sums(totals);
	is(sums->samples, 160, "the heir adds what is left");
	is(sums->matched, 160, "the heir adds the parts that the keeper did not, and adds them once");
	is(sums_unmatched(sums), 0, "no wake-up is without its parts");
	is(sums->moments[COUNTED_SERIES + PART_SWITCH].sum.low, 160 * 2000, "the sums have no part twice");
	read_all(&heir, totals);
	is(totals_sums(totals)->matched, 160, "reading again adds nothing");
	tap_reader_close(&keeper);
	tap_reader_close(&heir);
	return done();
}
