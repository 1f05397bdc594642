// SPDX-License-Identifier: GPL-2.0-or-later
#include "explain/parts.c"
#include "tap.h"

#define DUE 1000000	/* ns */

/*
 * Records of the time since the wake-up before, as letters with ns since due:
 * E expiry, W waking, S switch, L lost; and Z, the stamp. Returns whether the
 * parts are known.
 */
static bool search(struct parts_search *search, const char *text, struct parts *parts)
{
	static const enum trace_kind kinds[] = {
		['E'] = TRACE_EXPIRE, ['W'] = TRACE_WAKING, ['S'] = TRACE_SWITCH, ['L'] = TRACE_LOST,
	};
	char *end;

	for (;; text = end + 1) {
		char letter = *text;
		uint64_t at_ns = DUE + strtol(text + 1, &end, 10);

		if (letter == 'Z')
			return find_parts(search, DUE, at_ns, parts);
		search_record(search, &(struct trace_record){ .kind = kinds[(int)letter], .at_ns = at_ns });
	}
}

static void known(const char *text, const char *what, struct parts expected)
{
	struct parts_search fresh = { .woken = false };
	struct parts parts;
	unsigned wrong = 0;

	if (!ok(search(&fresh, text, &parts), "%s: known", what))
		return;
	for (enum part part = 0; part < PARTS; part++)
		wrong += parts.ns[part] != expected.ns[part];
	is(wrong, 0, "%s: its parts", what);
}

static void unknown(const char *text, const char *what)
{
	struct parts_search fresh = { .woken = false };
	struct parts parts;

	ok(!search(&fresh, text, &parts), "%s: not known", what);
}

static void test_known(void)
{
	known("E10 W30 S60 Z100", "plain", (struct parts){ .ns = { 10, 20, 30, 0, 40 } });
	known("E10 W30 S60 W100 S150 Z210", "blocked again", (struct parts){ .ns = { 10, 20, 30, 90, 60 } });
	known("E10 W30 S60 S100 Z150", "preempted", (struct parts){ .ns = { 10, 20, 30, 40, 50 } });
	known("E10 W30 S60 W70 S80 S90 W91 S99 Z100", "all of it", (struct parts){ .ns = { 10, 20, 30, 39, 1 } });
	known("E-500 E5 E10 W30 S60 Z100", "the last of several timers", (struct parts){ .ns = { 10, 20, 30, 0, 40 } });
	known("E10 W30 E35 S60 E70 Z100", "timers after it", (struct parts){ .ns = { 10, 20, 30, 0, 40 } });
	known("S-700 S-300 E10 W30 S60 Z100",
	      "preempted before it slept", (struct parts){ .ns = { 10, 20, 30, 0, 40 } });
	known("E-900 W30 S60 Z100", "a clock that steps back", (struct parts){ .ns = { -900, 930, 30, 0, 40 } });
	known("E10 W10 S10 Z10", "all at once", (struct parts){ .ns = { 10, 0, 0, 0, 0 } });
	known("E62000000 W62000010 S62000020 Z62000030", "late", (struct parts){ .ns = { 62000000, 10, 10, 0, 10 } });
}

static void test_unknown(void)
{
	unknown("Z100", "no record");
	unknown("E10 Z100", "did not sleep");
	unknown("E10 W30 Z100", "did not sleep, but was about to");
	unknown("E10 S60 Z100", "no waking");
	unknown("W30 S60 Z100", "no expiry");
	unknown("S60 Z100", "a switch alone");
	unknown("E10 W30 W40 S60 Z100", "two wakings, one switch");
	unknown("E10 W30 S60 W70 Z100", "no switch after the second waking");
	unknown("E-50000 W30 S60 Z100", "another timer");
	unknown("E-50000 W-49000 S-48000 Z100", "early, by another");
	unknown("S20 E30 W40 S60 Z100", "not asleep when it was due");
	unknown("E40 W30 S60 Z100", "expired after the waking");
	unknown("E10 W70 S60 Z100", "woken after the switch");
	unknown("E10 W30 S110 Z100", "a switch after the stamp");
	unknown("L0 E10 W30 S60 Z100", "lost before");
	unknown("E10 W30 L0 S60 Z100", "lost within");
	unknown("E10 W30 S60 L0 Z100", "lost behind");
}

static void test_losses(void)
{
	struct parts_search running = { .woken = false };
	struct parts parts;

	ok(!search(&running, "E10 L0 Z100", &parts), "records are lost");
	ok(!search(&running, "Z100", &parts), "nothing is known until records come again");
	ok(!search(&running, "E10 W30 S60 Z100", &parts),
	   "nothing is known of the wake-up with the first record after a loss");
	ok(search(&running, "E10 W30 S60 Z100", &parts), "a later wake-up after a loss is known");
	running.incomplete = true;
	ok(!search(&running, "E10 W30 S60 Z100", &parts), "nothing is known of a wake-up when one before it is missing");
	ok(search(&running, "E10 W30 S60 Z100", &parts), "a missing wake-up hides no other than the next");
}

/* A request is due when it is made: timers that expire are those of others. */
static void test_asked(void)
{
	struct parts_search running = { .asked = true };
	struct parts parts;

	ok(search(&running, "E-50000 E-20 W30 S60 S80 Z100", &parts), "a request needs no timer");
	is(parts.ns[PART_EXPIRY], 0, "a request has no time until an expiry");
	is(parts.ns[PART_WAKING], 30, "a request's time until the waking counts from the request");
	is(parts.ns[PART_SWITCH] + parts.ns[PART_AGAIN] + parts.ns[PART_STAMP], 70,
	   "a request's other parts are as ever");
	ok(search(&running, "W31 S60 Z100", &parts) && parts.ns[PART_WAKING] == 31, "a second request is known, too");
	ok(!search(&running, "S20 W30 S60 Z100", &parts), "a request to a thread that was awake is unknown");
	ok(!search(&running, "Z100", &parts), "a request without any sleep is unknown");
}

/* A source that knows the parts reports them with the wake-up. */
static void test_reported(void)
{
	struct wakelog_entry wakeup = { .due_ns = 100, .stamp_ns = 190, .periods = 1, .expiry_ns = 120, .waking_ns = 130 };
	struct parts parts = { .stamp_ns = 0 };
	struct tap_reader reader = { .reported = true, .parts = &parts, .room = 1 };

	match(&reader, &wakeup);
	is(reader.count, 1, "parts that the source reports are known");
	is(parts.stamp_ns, 190, "parts that the source reports are those of the wake-up with this stamp");
	is(parts.ns[PART_EXPIRY], 20, "the timer expired late");
	is(parts.ns[PART_WAKING], 10, "the timer woke the thread");
	is(parts.ns[PART_SWITCH], 60, "the thread got a CPU");
	is(parts.ns[PART_AGAIN] + parts.ns[PART_STAMP], 0, "the wake-up ended with the first switch");
}

int main(void)
{
	test_reported();
	test_known();
	test_unknown();
	test_losses();
	test_asked();
	return done();
}
