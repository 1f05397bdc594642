// SPDX-License-Identifier: GPL-2.0-or-later
/* A request that is made while another is pending becomes part of it, as with a tasklet; the records are made up. */
#include "source/deferred.h"
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
	pairs = (struct pairs){ .limit = 1, .merged = true, .anchor_ns = 0, .period_ns = PERIOD };
}

/* The kernel does not queue again what is pending. */
static void test_merged(void)
{
	begin();
	ask(1, A, 10);
	ok(!pairs_may_ask(&pairs, DUE(2)), "a work that is pending is not requested again");
	ok(!pairs_may_ask(&pairs, DUE(3)), "a work that is pending for less than two periods is not requested again");
	ok(pairs_may_ask(&pairs, DUE(4)), "a work that is pending for longer is requested again");
	pairs_ask(&pairs, DUE(4), DUE(4) + 5);
	pairs_complete(&pairs, 0);
	is(pairs.pending, 1, "a request that queued nothing tells that the work is still pending");
	is(pairs_waited(&pairs, DUE(5)), DUE(3) - 5, "a work that is still pending has waited until the last request");
	ok(pairs_may_ask(&pairs, DUE(5)), "a work that is still pending may be requested once more");
	pairs_queued(&pairs, A, DUE(4) + 90);
	is(pairs.pending, 1, "a work that another process queues later is not counted");
	pairs_executed(&pairs, A, DUE(5) + 3);
	ok(pairs_take(&pairs, &pair), "a work that was only late has ended");
	is(1 + pair.missed, 5, "a work serves all that were requested while it was pending");
	ask(6, A, 10);
	is(pairs.unmatched + pairs_unasked(&pairs, 0), 0, "no request is left over after merged ones");
}

static void test_merged_until_the_end(void)
{
	begin();
	ask(1, A, 10);
	pairs_ask(&pairs, DUE(4), DUE(4) + 5);
	pairs_executed(&pairs, A, DUE(4) + 20);
	pairs_complete(&pairs, 0);
	is(pairs.unmatched, 0, "a request that was merged needs no record");
	ok(pairs_take(&pairs, &pair) && 1 + pair.missed == 4, "a request that was merged is served with the first");
	is(pairs_unasked(&pairs, DUE(4) + 30), 0, "a request that was merged is not missing at its instant");
	ask(5, A, 10);
	is(pairs_unasked(&pairs, 0), 0, "a request that was merged is not missing later");
}

static void test_unrecorded_end(void)
{
	begin();
	ask(1, A, 10);
	pairs_complete(&pairs, 0);
	is(pairs_waited(&pairs, DUE(4)), 0, "a work whose end was not recorded may have ended");
	ask(4, A, 20);
	pairs_complete(&pairs, 0);
	is(pairs_waited(&pairs, DUE(5)), 0, "a later work may have ended, too");
	is(pairs.unmatched, 1, "a second work that is queued tells that the first had ended");
	is(pairs_unasked(&pairs, 0), 2, "no request is counted at the instants between two works");
	pairs_executed(&pairs, A, DUE(4) + 70);
	ok(pairs_take(&pairs, &pair), "the second work has ended");
	is(pair.executed_ns - pair.queued_ns, 50, "the second work has a latency of its own");
	is(1 + pair.missed, 1, "the second work serves one request");
	pairs_executed(&pairs, A, DUE(4) + 80);
	ok(!pairs_take(&pairs, &pair), "the second work ends once");
	ask(5, A, 10);
	is(pairs_unasked(&pairs, 0), 2, "requests go on after a missing record");
	pairs_executed(&pairs, A, DUE(5) + 20);
	is(pairs.unmatched, 1, "each work is counted once");
}

/* The second is reported as queued before the first has ended; but the first ended before it, after it was due. */
static void test_late_end(void)
{
	begin();
	ask(1, A, 10);
	ask(4, A, 70);
	pairs_executed(&pairs, A, DUE(4) + 50);
	is(pairs.unmatched, 0, "two works whose records overlap have both an end");
	ok(pairs_take(&pairs, &pair) && pair.executed_ns == DUE(4) + 50,
	   "the first of two overlapping works has its own end");
	is(1 + pair.missed, 3, "the first of two overlapping works serves the instants before the second");
	pairs_executed(&pairs, A, DUE(4) + 90);
	ok(pairs_take(&pairs, &pair) && 1 + pair.missed == 1,
	   "the second of two overlapping works serves its own instant");
	ask(5, A, 10);
	is(pairs_unasked(&pairs, 0), 0, "an instant between two overlapping works is not missing");
	is(pairs_unasked(&pairs, DUE(6)), 0, "no instant up to the last is missing");
}

/* The second is requested late: the first ends after a later instant than that of the second. */
static void test_later_end(void)
{
	begin();
	ask(1, A, 10);
	ask(4, A, 2 * PERIOD + 70);
	pairs_executed(&pairs, A, DUE(6) + 50);
	ok(pairs_take(&pairs, &pair), "the first work has ended before a late request");
	is(1 + pair.missed, 5, "the first work serves all instants before the last");
	ok(!pairs_may_ask(&pairs, DUE(6)), "the last instant belongs to the late request");
	pairs_executed(&pairs, A, DUE(6) + 90);
	ask(7, A, 10);
	is(pairs_unasked(&pairs, 0), 0, "an instant before a late request is not missing");
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
