// SPDX-License-Identifier: GPL-2.0-or-later
/* A request that is made while another is pending becomes part of it, as with a tasklet; the records are made up. */
#include "source/deferred_pairs.h"
#include "tap.h"

#define PERIOD 10000
#define DUE(k) ((k) * (uint64_t)PERIOD)	/* the grid begins at 0 */
#define A 0xffff8880a0				/* the address of the work */

static struct pairs pairs;
static struct pair pair;

static void ask(unsigned k, uint64_t work, uint64_t after_ns)
{
	pairs_ask(&pairs, DUE(k), DUE(k) + after_ns - 1);
	pairs_queued(&pairs, work, DUE(k) + after_ns);
}

static void begin(void)
{
	pairs_init(&pairs, 1, true, 0, PERIOD);
}

/* The kernel does not queue again what is pending. */
static void test_merged(void)
{
	begin();
	ask(1, A, 10);
	ok(!pairs_may_ask(&pairs, DUE(2)), "one is pending");
	ok(!pairs_may_ask(&pairs, DUE(3)), "and has been for less than two periods");
	ok(pairs_may_ask(&pairs, DUE(4)), "for more, it may be asked for again");
	pairs_ask(&pairs, DUE(4), DUE(4) + 5);
	pairs_settle(&pairs, 0);
	is(pairs.pending, 1, "which tells no more than that it is pending when nothing was queued");
	is(pairs_waited(&pairs, DUE(5)), DUE(3) - 5, "until then");
	ok(pairs_may_ask(&pairs, DUE(5)), "and may be done once more");
	pairs_queued(&pairs, A, DUE(4) + 90);
	is(pairs.pending, 1, "what is queued later, in another's name, is not ours");
	pairs_executed(&pairs, A, DUE(5) + 3);
	ok(pairs_take(&pairs, &pair), "it was only late");
	is(1 + pair.missed, 5, "and served all that were asked for meanwhile");
	ask(6, A, 10);
	is(pairs.unmatched + pairs_unasked(&pairs, 0), 0, "nothing is left over");
}

static void test_merged_until_the_end(void)
{
	begin();
	ask(1, A, 10);
	pairs_ask(&pairs, DUE(4), DUE(4) + 5);
	pairs_executed(&pairs, A, DUE(4) + 20);
	pairs_settle(&pairs, 0);
	is(pairs.unmatched, 0, "what was part of the first needs no record");
	ok(pairs_take(&pairs, &pair) && 1 + pair.missed == 4, "and is one of those that it served");
	is(pairs_unasked(&pairs, DUE(4) + 30), 0, "so it is not missing elsewhere");
	ask(5, A, 10);
	is(pairs_unasked(&pairs, 0), 0, "nor later");
}

static void test_unrecorded_end(void)
{
	begin();
	ask(1, A, 10);
	pairs_settle(&pairs, 0);
	is(pairs_waited(&pairs, DUE(4)), 0, "what was asked for may be served, and its record be missing");
	ask(4, A, 20);
	pairs_settle(&pairs, 0);
	is(pairs_waited(&pairs, DUE(5)), 0, "and so may the next");
	is(pairs.unmatched, 1, "a second one is queued, so the first had ended");
	is(pairs_unasked(&pairs, 0), 2, "and nothing was asked at the instants between");
	pairs_executed(&pairs, A, DUE(4) + 70);
	ok(pairs_take(&pairs, &pair), "the second has ended");
	is(pair.executed_ns - pair.queued_ns, 50, "with its own latency");
	is(1 + pair.missed, 1, "of one request");
	pairs_executed(&pairs, A, DUE(4) + 80);
	ok(!pairs_take(&pairs, &pair), "once");
	ask(5, A, 10);
	is(pairs_unasked(&pairs, 0), 2, "it goes on");
	pairs_executed(&pairs, A, DUE(5) + 20);
	is(pairs.unmatched, 1, "each is counted once");
}

/* The second is reported as queued before the first has ended; but the first ended before it, after it was due. */
static void test_late_end(void)
{
	begin();
	ask(1, A, 10);
	ask(4, A, 70);
	pairs_executed(&pairs, A, DUE(4) + 50);
	is(pairs.unmatched, 0, "both have an end");
	ok(pairs_take(&pairs, &pair) && pair.executed_ns == DUE(4) + 50, "the first has its own");
	is(1 + pair.missed, 3, "and serves the instants before that of the second");
	pairs_executed(&pairs, A, DUE(4) + 90);
	ok(pairs_take(&pairs, &pair) && 1 + pair.missed == 1, "which serves its own");
	ask(5, A, 10);
	is(pairs_unasked(&pairs, 0), 0, "each instant was asked for");
	is(pairs_unasked(&pairs, DUE(6)), 0, "up to the last");
}

/* The second is requested late: the first ends after a later instant than that of the second. */
static void test_later_end(void)
{
	begin();
	ask(1, A, 10);
	ask(4, A, 2 * PERIOD + 70);
	pairs_executed(&pairs, A, DUE(6) + 50);
	ok(pairs_take(&pairs, &pair), "the first has ended");
	is(1 + pair.missed, 5, "and serves all instants before the last");
	ok(!pairs_may_ask(&pairs, DUE(6)), "which is the second's");
	pairs_executed(&pairs, A, DUE(6) + 90);
	ask(7, A, 10);
	is(pairs_unasked(&pairs, 0), 0, "each instant was asked for");
}

int main(void)
{
	test_merged();
	test_merged_until_the_end();
	test_unrecorded_end();
	test_late_end();
	test_later_end();
	return done();
}
