// SPDX-License-Identifier: GPL-2.0-or-later
/* The records of both ends of deferred work are matched; the records are made up. */
#include "source/deferred.h"
#include "tap.h"

#define PERIOD 10000
#define DUE(k) ((k) * (uint64_t)PERIOD)	/* the grid begins at 0 */
#define A 0xffff8880a0				/* addresses of work */
#define B 0xffff8880b0

static struct pairs pairs;
static struct pair pair;

static void begin(unsigned limit)
{
	pairs = (struct pairs){ .limit = limit, .merged = false, .anchor_ns = 0, .period_ns = PERIOD };
}

/* Request work for the k-th instant; it is queued so long after it. */
static void ask(unsigned k, uint64_t work, uint64_t after_ns)
{
	pairs_ask(&pairs, DUE(k), DUE(k) + after_ns - 1);
	pairs_queued(&pairs, work, DUE(k) + after_ns);
}

static void test_one_by_one(void)
{
	begin(1);
	is(pairs_next_due(&pairs, 0), DUE(1), "the grid goes on behind an instant, not at it");
	is(pairs_next_due(&pairs, DUE(3) + 1), DUE(4), "the grid goes on behind any time");
	for (unsigned k = 1; k <= 3; k++) {
		ok(pairs_may_ask(&pairs, DUE(k)), "work may be requested if none is pending");
		ask(k, A, 10);
		ok(!pairs_may_ask(&pairs, DUE(k + 1)), "work may not be requested while one is pending");
		ok(!pairs_take(&pairs, &pair), "work that is pending has not ended");
		pairs_executed(&pairs, A, DUE(k) + 50 + k);
		ok(pairs_take(&pairs, &pair), "work that was executed has ended");
		is(pair.executed_ns - pair.queued_ns, 40 + k, "the latency of a work counts from when it was queued");
		is(1 + pair.missed, 1, "a work on time serves one request");
		is(pair_asked(&pair, &pairs, 0), DUE(k) + 10, "a request is made when its work is queued");
	}
	is(pairs.unmatched + pairs_unasked(&pairs, 0), 0, "no work is left over");
}

/* Four instants pass while a request is pending, the last of them just before its end. */
static void test_missed(void)
{
	begin(1);
	ask(1, A, 10);
	pairs_executed(&pairs, A, DUE(5) + 3);
	ok(!pairs_may_ask(&pairs, DUE(5)), "the instant that was missed is not asked for later");
	ok(pairs_may_ask(&pairs, DUE(6)), "the instant after a missed one may be requested");
	ok(pairs_take(&pairs, &pair), "the work that was pending for long has ended");
	is(1 + pair.missed, 5, "the work that was pending for long serves five requests");
	is(pair_asked(&pair, &pairs, 0), DUE(1) + 10, "the oldest of five requests is the one that was made");
	is(pair_asked(&pair, &pairs, 1), DUE(2), "a request that could not be made counts from its instant");
	is(pair_asked(&pair, &pairs, 4), DUE(5), "the last of five requests counts from its instant");
	ask(6, A, 10);
	is(pairs_unasked(&pairs, 0), 0, "no instant is missing after a long work");
}

/* The meter sleeps for three instants; the first of them passes before the pending request ends. */
static void test_unasked(void)
{
	begin(1);
	ask(1, A, 10);
	pairs_executed(&pairs, A, DUE(2) + 1);
	ok(pairs_take(&pairs, &pair), "the work that was pending while the meter slept has ended");
	is(1 + pair.missed, 2, "one instant was missed while the work was pending");
	ask(5, A, 10);
	is(pairs_unasked(&pairs, 0), 2, "two instants passed with no work pending and none requested");
	is(pairs_unasked(&pairs, DUE(9)), 2, "no instant is missing while a work is pending");
	pairs_executed(&pairs, A, DUE(5) + 20);
	is(pairs_unasked(&pairs, DUE(6) - 1), 2, "no instant is missing before the next one");
	is(pairs_unasked(&pairs, DUE(8) + 1), 5, "three more instants passed with no work requested");
	ask(6, A, 10);
	is(pairs_unasked(&pairs, 0), 2, "requests go on after missing instants");
}

static void test_late_request(void)
{
	begin(1);
	ask(1, A, 2 * PERIOD + 10);
	pairs_executed(&pairs, A, DUE(4) + 1);
	ok(pairs_take(&pairs, &pair), "a work that was requested two periods late has ended");
	is(1 + pair.missed, 2, "a late request keeps one instant from being requested");
	is(pair_asked(&pair, &pairs, 1), DUE(4), "the instant behind a late request is served with it");
	ask(5, A, 10);
	is(pairs_unasked(&pairs, 0), 2, "the two instants before a late request are missing");
}

/* The later end, on another CPU, is reported first; two works have one address. */
static void test_several(void)
{
	begin(8);
	ask(1, A, 10);
	ask(2, B, 10);
	ok(pairs_may_ask(&pairs, DUE(3)), "more work may be requested if there is room");
	pairs_executed(&pairs, B, DUE(2) + 900);
	pairs_executed(&pairs, A, DUE(2) + 700);
	ok(pairs_take(&pairs, &pair) && pair.work == A, "the first of two works that ended is taken first");
	is(pair.executed_ns - pair.queued_ns, PERIOD + 690, "the first of two works has its own latency");
	ask(3, B, 10);
	ok(pairs_take(&pairs, &pair) && pair.work == B, "the second of two works is taken second");
	is(pair.executed_ns - pair.queued_ns, 890, "the second of two works has its own latency");
	ask(4, A, 10);
	ask(5, A, 10);
	pairs_executed(&pairs, A, DUE(4) + 30);
	pairs_executed(&pairs, A, DUE(5) + 40);
	ok(pairs_take(&pairs, &pair), "a work at the address of another has ended");
	is(pair.executed_ns - pair.queued_ns, 20, "the older of two works at one address ends first");
	ok(pairs_take(&pairs, &pair), "a second work at the address has ended");
	is(pair.executed_ns - pair.queued_ns, 30, "the younger of two works at one address ends second");
	is(pairs.unmatched + pairs_unasked(&pairs, 0), 0, "no work is left over at one address");
}

/* Two may be pending. Instants without room are served with the younger of them. */
static void test_full(void)
{
	begin(2);
	ask(1, A, 10);
	ask(2, B, 10);
	ok(!pairs_may_ask(&pairs, DUE(3)), "no third work may be requested if two are the limit");
	pairs_executed(&pairs, A, DUE(4) + 5);
	ok(pairs_take(&pairs, &pair), "the first of two pending works has ended");
	is(1 + pair.missed, 1, "the first of two pending works serves itself");
	ask(5, A, 10);
	pairs_executed(&pairs, B, DUE(5) + 60);
	ok(pairs_take(&pairs, &pair), "the second of two pending works has ended");
	is(1 + pair.missed, 3, "the second of two pending works serves two instants that were missed");
	is(pair_asked(&pair, &pairs, 2), DUE(4), "an instant is missed until the first work ends");
	is(pairs_unasked(&pairs, 0), 0, "no instant is missing if two works are the limit");
}

static void test_strangers(void)
{
	begin(1);
	pairs_queued(&pairs, B, DUE(1) - 5);
	pairs_ask(&pairs, DUE(1), DUE(1) + 5);
	pairs_queued(&pairs, B, DUE(1) + 4);
	is(pairs.pending, 0, "what was queued before we asked is not ours");
	pairs_queued(&pairs, A, DUE(1) + 6);
	pairs_queued(&pairs, B, DUE(1) + 7);
	is(pairs.pending, 1, "a second work that was queued at once is not ours");
	pairs_executed(&pairs, B, DUE(1) + 8);
	pairs_executed(&pairs, A, DUE(1) + 5);
	ok(!pairs_take(&pairs, &pair), "work that ends before it was queued is an earlier one");
	pairs_executed(&pairs, A, DUE(1) + 9);
	ok(pairs_take(&pairs, &pair), "our work has ended");
	pairs_executed(&pairs, A, DUE(1) + 10);
	ok(!pairs_take(&pairs, &pair), "our work ends once");
	is(pairs.unmatched, 0, "work of others is not counted");
}

static void test_unmatched(void)
{
	begin(1);
	pairs_ask(&pairs, DUE(1), DUE(1) + 5);
	pairs_complete(&pairs, 0);
	is(pairs.unmatched, 1, "a request without any record is unmatched");
	pairs_queued(&pairs, A, DUE(1) + 6);
	ok(pairs_may_ask(&pairs, DUE(2)), "a request without any record does not hold up the next");
	ask(2, A, 10);
	pairs_complete(&pairs, 1);
	is(pairs.unmatched, 1, "a work may be pending without being unmatched");
	pairs_complete(&pairs, 2);
	is(pairs.unmatched, 2, "a work that ended without a record is unmatched");
	ok(pairs_may_ask(&pairs, DUE(3)), "a work that ended without a record is not waited for");
	ask(3, A, 10);
	pairs_executed(&pairs, A, DUE(3) + 20);
	pairs_complete(&pairs, 3);
	ok(pairs_take(&pairs, &pair), "a work with all its records has ended");
	is(pairs.unmatched, 2, "a work with all its records is matched");
}

static void test_lost(void)
{
	begin(4);
	ask(1, A, 10);
	ask(2, B, 10);
	pairs_lost(&pairs);
	is(pairs.unmatched, 2, "all pending works may have ended where records are missing");
	pairs_executed(&pairs, A, DUE(2) + 20);
	ok(!pairs_take(&pairs, &pair), "a record that comes after a loss is ignored");
	pairs_lost(&pairs);
	is(pairs.unmatched, 2, "a loss without pending works loses none");
	ask(3, A, 10);
	pairs_complete(&pairs, 2);
	is(pairs.pending, 1, "a work may be pending after a loss");
}

/* The end of a request is lost: what was missed for it belongs to no sample. */
static void test_lost_with_missed(void)
{
	begin(2);
	is(pairs_unasked(&pairs, DUE(3)), 0, "no instant is missing before the first request");
	ask(1, A, 10);
	ask(2, B, 10);
	pairs_executed(&pairs, A, DUE(4) + 5);
	is(pairs_unasked(&pairs, 0), 0, "two instants were missed for the second work");
	pairs_lost(&pairs);
	is(pairs_unasked(&pairs, 0), 2, "instants that were missed for a lost work are missing");
}

/* A request was made, and the record that it was queued is not read yet. */
static void test_expecting(void)
{
	begin(1);
	ask(1, A, 10);
	pairs_executed(&pairs, A, DUE(1) + 20);
	pairs_ask(&pairs, DUE(2), DUE(2) + 5);
	is(pairs_unasked(&pairs, DUE(3) - 1), 0, "an instant that is being requested is not missing");
	pairs_queued(&pairs, A, DUE(2) + 6);
	is(pairs_unasked(&pairs, DUE(3) - 1), 0, "an instant that was requested is not missing");
}

static void test_endurance(void)
{
	unsigned taken = 0;

	begin(1);
	for (unsigned k = 1; k <= 4 * PAIRS_MAX; k++) {
		ask(k, A, 10);
		pairs_executed(&pairs, A, DUE(k) + 20);
		while (pairs_take(&pairs, &pair))
			taken += pair.queued_ns == DUE(k) + 10;
	}
	is(taken, 4 * PAIRS_MAX, "works go on for longer than there is room");
}

/* The end of the first was not recorded, and the kernel gave its address to the second. */
static void test_reused_address(void)
{
	begin(4);
	ask(1, A, 10);
	ask(2, B, 10);
	ask(3, A, 10);
	pairs_executed(&pairs, A, DUE(3) + 30);
	is(pairs.unmatched, 1, "the older of two works at one address is unmatched");
	ok(pairs_take(&pairs, &pair), "the younger of two works at one address has ended");
	is(pair.executed_ns - pair.queued_ns, 20, "the younger of two works at one address has its own latency");
	pairs_executed(&pairs, B, DUE(3) + 40);
	ok(pairs_take(&pairs, &pair) && pair.queued_ns == DUE(2) + 10, "a work at another address has its own end");
	is(pairs.pending, 0, "no work is left over after a reused address");
}

/* As many as may be pending are executed before the meter looks; the youngest is reported first. */
static void test_most(void)
{
	begin(PAIRS_MAX);
	for (unsigned k = 1; k <= PAIRS_MAX; k++)
		ask(k, k, 10);
	ok(!pairs_may_ask(&pairs, DUE(PAIRS_MAX + 1)), "no work may be requested if there is no room");
	for (unsigned k = PAIRS_MAX; k; k--)
		pairs_executed(&pairs, k, DUE(PAIRS_MAX) + 20 + k);
	for (unsigned k = 1; k <= PAIRS_MAX; k++)
		ok(pairs_take(&pairs, &pair) && pair.work == k, "work %u ends", k);
	ok(!pairs_take(&pairs, &pair), "no work ends twice");
	is(pairs.unmatched + pairs_unasked(&pairs, DUE(PAIRS_MAX) + 500), 0,
	   "no work is left over of as many as there is room for");
}

/* Where requests are not merged, none is made while one is pending. */
static void test_not_merged(void)
{
	begin(1);
	ask(1, A, 10);
	ok(!pairs_may_ask(&pairs, DUE(100)), "no work is requested while one is pending, however long");
}

int main(void)
{
	test_one_by_one();
	test_missed();
	test_unasked();
	test_late_request();
	test_several();
	test_full();
	test_strangers();
	test_unmatched();
	test_lost();
	test_lost_with_missed();
	test_expecting();
	test_endurance();
	test_not_merged();
	test_reused_address();
	test_most();
	return done();
}
