// SPDX-License-Identifier: GPL-2.0-or-later
/* The records of both ends of deferred work are matched; the records are made up. */
#include "source/deferred_pairs.h"
#include "tap.h"

#define PERIOD 10000
#define DUE(k) ((k) * (uint64_t)PERIOD)	/* the grid begins at 0 */
#define A 0xffff8880a0				/* addresses of work */
#define B 0xffff8880b0

static struct pairs pairs;
static struct pair pair;

static void begin(unsigned limit)
{
	pairs_init(&pairs, limit, false, 0, PERIOD);
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
	is(pairs_next_due(&pairs, DUE(3) + 1), DUE(4), "and behind any time");
	for (unsigned k = 1; k <= 3; k++) {
		ok(pairs_may_ask(&pairs, DUE(k)), "nothing is pending");
		ask(k, A, 10);
		ok(!pairs_may_ask(&pairs, DUE(k + 1)), "one is");
		ok(!pairs_take(&pairs, &pair), "and has not ended");
		pairs_executed(&pairs, A, DUE(k) + 50 + k);
		ok(pairs_take(&pairs, &pair), "it has");
		is(pair.executed_ns - pair.queued_ns, 40 + k, "its latency");
		is(1 + pair.missed, 1, "of one request");
		is(pair_asked(&pair, &pairs, 0), DUE(k) + 10, "made when it was queued");
	}
	is(pairs.unmatched + pairs_unasked(&pairs, 0), 0, "nothing is left over");
}

/* Four instants pass while a request is pending, the last of them just before its end. */
static void test_missed(void)
{
	begin(1);
	ask(1, A, 10);
	pairs_executed(&pairs, A, DUE(5) + 3);
	ok(!pairs_may_ask(&pairs, DUE(5)), "the instant that was missed is not asked for later");
	ok(pairs_may_ask(&pairs, DUE(6)), "the next one is");
	ok(pairs_take(&pairs, &pair), "one has ended");
	is(1 + pair.missed, 5, "and served five");
	is(pair_asked(&pair, &pairs, 0), DUE(1) + 10, "the one that was made");
	is(pair_asked(&pair, &pairs, 1), DUE(2), "and those that were to be");
	is(pair_asked(&pair, &pairs, 4), DUE(5), "each at its instant");
	ask(6, A, 10);
	is(pairs_unasked(&pairs, 0), 0, "no instant is without an answer");
}

/* The meter sleeps for three instants; the first of them passes before the pending request ends. */
static void test_unasked(void)
{
	begin(1);
	ask(1, A, 10);
	pairs_executed(&pairs, A, DUE(2) + 1);
	ok(pairs_take(&pairs, &pair), "one has ended");
	is(1 + pair.missed, 2, "one instant was missed");
	ask(5, A, 10);
	is(pairs_unasked(&pairs, 0), 2, "at two nothing was pending, and nothing was asked");
	is(pairs_unasked(&pairs, DUE(9)), 2, "one is pending");
	pairs_executed(&pairs, A, DUE(5) + 20);
	is(pairs_unasked(&pairs, DUE(6) - 1), 2, "it has ended before the next instant");
	is(pairs_unasked(&pairs, DUE(8) + 1), 5, "at which nothing was asked, nor at two more");
	ask(6, A, 10);
	is(pairs_unasked(&pairs, 0), 2, "it goes on");
}

static void test_late_request(void)
{
	begin(1);
	ask(1, A, 2 * PERIOD + 10);
	pairs_executed(&pairs, A, DUE(4) + 1);
	ok(pairs_take(&pairs, &pair), "a request that was made two periods late");
	is(1 + pair.missed, 2, "kept but one instant from being asked for");
	is(pair_asked(&pair, &pairs, 1), DUE(4), "the one behind it");
	ask(5, A, 10);
	is(pairs_unasked(&pairs, 0), 2, "the two before it are nobody's");
}

/* The later end, on another CPU, is reported first; two works have one address. */
static void test_several(void)
{
	begin(8);
	ask(1, A, 10);
	ask(2, B, 10);
	ok(pairs_may_ask(&pairs, DUE(3)), "there is room for more");
	pairs_executed(&pairs, B, DUE(2) + 900);
	pairs_executed(&pairs, A, DUE(2) + 700);
	ok(pairs_take(&pairs, &pair) && pair.work == A, "the first that ended");
	is(pair.executed_ns - pair.queued_ns, PERIOD + 690, "with its own latency");
	ask(3, B, 10);
	ok(pairs_take(&pairs, &pair) && pair.work == B, "the second");
	is(pair.executed_ns - pair.queued_ns, 890, "with its own");
	ask(4, A, 10);
	ask(5, A, 10);
	pairs_executed(&pairs, A, DUE(4) + 30);
	pairs_executed(&pairs, A, DUE(5) + 40);
	ok(pairs_take(&pairs, &pair), "of two works at one address");
	is(pair.executed_ns - pair.queued_ns, 20, "the older ends first");
	ok(pairs_take(&pairs, &pair), "and then");
	is(pair.executed_ns - pair.queued_ns, 30, "the younger");
	is(pairs.unmatched + pairs_unasked(&pairs, 0), 0, "nothing is left over");
}

/* Two may be pending. Instants without room are served with the younger of them. */
static void test_full(void)
{
	begin(2);
	ask(1, A, 10);
	ask(2, B, 10);
	ok(!pairs_may_ask(&pairs, DUE(3)), "there is no room for a third");
	pairs_executed(&pairs, A, DUE(4) + 5);
	ok(pairs_take(&pairs, &pair), "the first has ended");
	is(1 + pair.missed, 1, "and served itself");
	ask(5, A, 10);
	pairs_executed(&pairs, B, DUE(5) + 60);
	ok(pairs_take(&pairs, &pair), "the second has ended");
	is(1 + pair.missed, 3, "and served two that were missed");
	is(pair_asked(&pair, &pairs, 2), DUE(4), "up to the first end");
	is(pairs_unasked(&pairs, 0), 0, "no instant is without an answer");
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
	is(pairs.pending, 1, "nor is a second one");
	pairs_executed(&pairs, B, DUE(1) + 8);
	pairs_executed(&pairs, A, DUE(1) + 5);
	ok(!pairs_take(&pairs, &pair), "another work has ended, and ours before it was queued: an earlier one");
	pairs_executed(&pairs, A, DUE(1) + 9);
	ok(pairs_take(&pairs, &pair), "ours has");
	pairs_executed(&pairs, A, DUE(1) + 10);
	ok(!pairs_take(&pairs, &pair), "once");
	is(pairs.unmatched, 0, "strangers do not count");
}

static void test_unmatched(void)
{
	begin(1);
	pairs_ask(&pairs, DUE(1), DUE(1) + 5);
	pairs_settle(&pairs, 0);
	is(pairs.unmatched, 1, "a request of which nothing was recorded");
	pairs_queued(&pairs, A, DUE(1) + 6);
	ok(pairs_may_ask(&pairs, DUE(2)), "does not hold up the next");
	ask(2, A, 10);
	pairs_settle(&pairs, 1);
	is(pairs.unmatched, 1, "one is pending");
	pairs_settle(&pairs, 2);
	is(pairs.unmatched, 2, "that has ended without a record");
	ok(pairs_may_ask(&pairs, DUE(3)), "and is not waited for");
	ask(3, A, 10);
	pairs_executed(&pairs, A, DUE(3) + 20);
	pairs_settle(&pairs, 3);
	ok(pairs_take(&pairs, &pair), "one that is recorded");
	is(pairs.unmatched, 2, "is matched");
}

static void test_lost(void)
{
	begin(4);
	ask(1, A, 10);
	ask(2, B, 10);
	pairs_lost(&pairs);
	is(pairs.unmatched, 2, "all that was pending may have ended where records are missing");
	pairs_executed(&pairs, A, DUE(2) + 20);
	ok(!pairs_take(&pairs, &pair), "what is told of it later is too late");
	pairs_lost(&pairs);
	is(pairs.unmatched, 2, "where nothing is pending, nothing is lost");
	ask(3, A, 10);
	pairs_settle(&pairs, 2);
	is(pairs.pending, 1, "what has ended was given up before");
}

/* The end of a request is lost: what was missed for it belongs to no sample. */
static void test_lost_with_missed(void)
{
	begin(2);
	is(pairs_unasked(&pairs, DUE(3)), 0, "before the first request nothing is counted");
	ask(1, A, 10);
	ask(2, B, 10);
	pairs_executed(&pairs, A, DUE(4) + 5);
	is(pairs_unasked(&pairs, 0), 0, "two instants were missed for the second");
	pairs_lost(&pairs);
	is(pairs_unasked(&pairs, 0), 2, "which is given up: nothing served them");
}

/* A request was made, and the record that it was queued is not read yet. */
static void test_expecting(void)
{
	begin(1);
	ask(1, A, 10);
	pairs_executed(&pairs, A, DUE(1) + 20);
	pairs_ask(&pairs, DUE(2), DUE(2) + 5);
	is(pairs_unasked(&pairs, DUE(3) - 1), 0, "its instant is not counted");
	pairs_queued(&pairs, A, DUE(2) + 6);
	is(pairs_unasked(&pairs, DUE(3) - 1), 0, "nor when it is");
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
	is(taken, 4 * PAIRS_MAX, "it goes on for longer than there is room");
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
	ok(pairs_take(&pairs, &pair), "the younger");
	is(pair.executed_ns - pair.queued_ns, 20, "has its own latency");
	pairs_executed(&pairs, B, DUE(3) + 40);
	ok(pairs_take(&pairs, &pair) && pair.queued_ns == DUE(2) + 10, "and another address its own end");
	is(pairs.pending, 0, "nothing is left over");
}

/* As many as may be pending are executed before the meter looks; the youngest is reported first. */
static void test_most(void)
{
	begin(PAIRS_MAX);
	for (unsigned k = 1; k <= PAIRS_MAX; k++)
		ask(k, k, 10);
	ok(!pairs_may_ask(&pairs, DUE(PAIRS_MAX + 1)), "there is room for so many");
	for (unsigned k = PAIRS_MAX; k; k--)
		pairs_executed(&pairs, k, DUE(PAIRS_MAX) + 20 + k);
	for (unsigned k = 1; k <= PAIRS_MAX; k++)
		ok(pairs_take(&pairs, &pair) && pair.work == k, "the %u. ends", k);
	ok(!pairs_take(&pairs, &pair), "and no more");
	is(pairs.unmatched + pairs_unasked(&pairs, DUE(PAIRS_MAX) + 500), 0, "nothing is left over");
}

/* Where requests are not merged, none is made while one is pending. */
static void test_not_merged(void)
{
	begin(1);
	ask(1, A, 10);
	ok(!pairs_may_ask(&pairs, DUE(100)), "one is pending, however long");
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
