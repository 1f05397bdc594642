// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A kernel that records what a meter goes through, and knows what was true;
 * and a reader that comes when it likes. RUNS=N in the environment: N runs.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain/tap.h"
#include "tap.h"

#define RUNS 4000
#define MOST 40000			/* wake-ups of a run */
#define PERIOD 488281			/* ns */
#define NEVER UINT_MAX
#define TRACE_END TRACE_LOST	/* the meter logs a wake-up */

/* What happens, in the order of time. A wake-up has its truth. */
struct action {
	enum trace_kind kind;
	uint64_t at_ns, due_ns, periods;
	bool plain;			/* the parts can be known, and are: */
	struct parts parts;
};

static struct {
	unsigned again, unslept, preempted, others, signals, stalls;	/* how many in a hundred */
	uint64_t now_ns;
	unsigned count;
	struct action action[12 * MOST];
} plan;

/* Forward, with as many records as it has room for; what finds none is lost. */
static struct {
	unsigned room, head, tail;
	uint64_t lost, all_lost;
	struct trace_record record[4096];
} ring;

/* The reader gets the CPU for some steps at a time; in between, the kernel and the meter act. */
static struct reader {
	unsigned reading, pausing;	/* at most so many steps at a time, and actions in between */
	unsigned steps, next;		/* until it loses the CPU, and the action that is next */
	unsigned full_at;		/* see perf_ring_drain() */
	bool doubts;			/* it took the ring for full once, rightly or not */
} reader;

static struct wakelog wakelog;
static struct parts parts[MOST];
static struct tap_reader joined;

static unsigned below(unsigned limit)
{
	return random_number() % limit;
}

static bool chance(unsigned in_a_hundred)
{
	return below(100) < in_a_hundred;
}

static uint64_t later(unsigned most)
{
	return plan.now_ns += 1 + below(most);
}

static struct action *act(enum trace_kind kind)
{
	struct action *action = &plan.action[plan.count++];

	*action = (struct action){ .kind = kind, .at_ns = plan.now_ns };
	return action;
}

static uint64_t record_later(enum trace_kind kind, unsigned most)
{
	later(most);
	act(kind);
	return plan.now_ns;
}

/* Timers of others, and switches back to the meter while it is about to sleep; all before it is due. */
static void pass_time(uint64_t due_ns)
{
	while (plan.now_ns + 100000 < due_ns && chance(plan.others))
		record_later(chance(50) ? TRACE_EXPIRE : TRACE_SWITCH, 50000);
	if (plan.now_ns + 100000 < due_ns && chance(plan.signals)) {
		record_later(TRACE_WAKING, 20000);
		record_later(TRACE_SWITCH, 20000);
		later(20000);
		act(TRACE_END)->due_ns = due_ns;
	}
	if (plan.now_ns < due_ns)
		plan.now_ns = due_ns;
}

/* It was stopped, or preempted, before it slept, and perhaps there was nothing to sleep for when it went on. */
static struct action *oversleep(void)
{
	record_later(TRACE_SWITCH, 900000);
	record_later(TRACE_EXPIRE, 5000);
	if (chance(70))
		record_later(TRACE_WAKING, 5000);
	if (chance(30))
		record_later(TRACE_SWITCH, 5000);
	later(9000);
	return act(TRACE_END);
}

/* What a wake-up is made of when it goes as it should. */
static struct action *sleep_and_wake(uint64_t due_ns)
{
	unsigned stall = chance(plan.stalls) ? 3 * PERIOD : 0;
	uint64_t expiry = record_later(TRACE_EXPIRE, 20000 + stall);
	uint64_t waking = record_later(TRACE_WAKING, 20000);
	uint64_t first, last;
	struct action *end;

	if (chance(plan.others))
		record_later(TRACE_EXPIRE, 20000);
	first = last = record_later(TRACE_SWITCH, 20000 + stall);
	while (chance(plan.again)) {
		if (chance(60))
			record_later(TRACE_WAKING, 90000);
		last = record_later(TRACE_SWITCH, 90000);
	}
	later(20000);
	end = act(TRACE_END);
	end->plain = true;
	end->parts = (struct parts){
		.ns = { expiry - due_ns, waking - expiry, first - waking, last - first, end->at_ns - last },
	};
	return end;
}

/* A waking may be of no use: it was not asleep any more. A switch for the last one is then missing to the reader. */
static struct action *spurious(uint64_t due_ns)
{
	struct action *end = sleep_and_wake(due_ns);
	struct action waking = { .kind = TRACE_WAKING, .at_ns = end->at_ns };

	end->at_ns = later(5000);
	end->plain = false;
	plan.action[plan.count] = *end;
	*end = waking;
	return &plan.action[plan.count++];
}

static struct action *wake_up(uint64_t due_ns)
{
	if (chance(plan.preempted))
		return oversleep();
	if (chance(plan.unslept)) {
		later(9000);
		return act(TRACE_END);
	}
	return chance(plan.others / 4) ? spurious(due_ns) : sleep_and_wake(due_ns);
}

static unsigned often(void)
{
	return chance(50) ? 0 : below(30);
}

static void make_plan(unsigned wakeups)
{
	uint64_t due_ns = 1000 * UINT64_C(1000000000);

	plan.again = often();
	plan.unslept = often();
	plan.preempted = often();
	plan.others = often();
	plan.signals = often();
	plan.stalls = often();
	plan.count = 0;
	plan.now_ns = due_ns - PERIOD;
	act(TRACE_END)->due_ns = due_ns;
	while (wakeups--) {
		struct action *end;

		pass_time(due_ns);
		end = wake_up(due_ns);
		end->due_ns = due_ns;
		end->periods = 1 + (end->at_ns - due_ns) / PERIOD;
		due_ns += end->periods * PERIOD;
	}
}

static void push(const struct trace_record *record)
{
	ring.record[ring.head++ % ring.room] = *record;
}

/* As perf does it: a loss is told before the next record that finds room, if that finds room, too. */
static void record(const struct trace_record *record)
{
	if (ring.head - ring.tail + 1 + (ring.lost > 0) > ring.room) {
		ring.lost++;
		ring.all_lost++;
		return;
	}
	if (ring.lost)
		push(&(struct trace_record){ .kind = TRACE_LOST, .lost = ring.lost });
	ring.lost = 0;
	push(record);
}

static void happen(const struct action *action)
{
	if (action->kind == TRACE_END)
		wakelog_add(&wakelog, action->due_ns, action->at_ns, action->periods);
	else
		record(&(struct trace_record){ .kind = action->kind, .at_ns = action->at_ns });
}

/* Ends a step of the reader, which may lose the CPU here. */
static void step(void)
{
	while (!reader.steps && reader.next < plan.count) {
		for (unsigned actions = below(reader.pausing + 1); actions && reader.next < plan.count; actions--)
			happen(&plan.action[reader.next++]);
		reader.steps = below(reader.reading + 1);
	}
	if (reader.steps)
		reader.steps--;
}

static bool is_full(unsigned tail, unsigned head)
{
	return head - tail + 2 > ring.room;
}

/* In place of the program's. It takes the same steps as that one, with this ring instead of perf's. */
void perf_ring_drain(struct perf_ring *perf, void (*take)(void *context, const struct trace_record *record),
		     void *context)
{
	unsigned tail = ring.tail, head;

	(void)perf;
	step();
	head = ring.head;
	for (unsigned at = tail; at != head; step())
		take(context, &ring.record[at++ % ring.room]);
	if (head == reader.full_at || is_full(tail, head)) {
		take(context, &(struct trace_record){ .kind = TRACE_LOST });
		reader.doubts = true;
	}
	ring.tail = head;
	step();
	reader.full_at = is_full(tail, ring.head) ? ring.head : NEVER;
	step();
}

/* Never called: it keeps the program's perf_ring_drain(), which is in the same file, from being linked. */
uint64_t perf_ring_head(const struct perf_ring *perf)
{
	(void)perf;
	return 0;
}

/* At the end the reader reads twice while nothing happens any more. */
static void run(unsigned room, unsigned reading, unsigned pausing)
{
	ring.room = room;
	ring.head = ring.tail = ring.lost = ring.all_lost = 0;
	wakelog.ring.written = 0;
	reader = (struct reader){ .reading = reading, .pausing = pausing, .full_at = NEVER };
	joined = (struct tap_reader){ .log = &wakelog, .parts = parts, .room = MOST };
	while (reader.next < plan.count) {
		step();
		tap_reader_read(&joined);
	}
	tap_reader_read(&joined);
	tap_reader_read(&joined);
}

static struct {
	uint64_t wakeups, plain, known, wrong, missing, invented, lost, overrun, doubled;
} seen;

/* All parts are those of a wake-up, and true; without losses there is one of each that can be known. */
static void check(void)
{
	uint64_t known = 0, plain = 0;

	for (unsigned i = 0; i < plan.count; i++) {
		const struct action *end = &plan.action[i];

		if (end->kind != TRACE_END)
			continue;
		seen.wakeups += end->periods > 0;
		plain += end->plain;
		if (known == joined.count || parts[known].stamp_ns != end->at_ns)
			continue;
		seen.invented += !end->plain;
		seen.wrong += end->plain && memcmp(parts[known].ns, end->parts.ns, sizeof(end->parts.ns));
		seen.doubled += !end->periods;
		known++;
	}
	if (!reader.doubts && !ring.all_lost && !joined.logged.lost)
		seen.missing += plain - known;
	seen.doubled += joined.count - known;
	seen.plain += plain;
	seen.known += known;
	seen.lost += ring.all_lost;
	seen.overrun += joined.logged.lost;
}

static void tell(const char *what)
{
	printf("# %s: %llu wake-ups, %llu can be known, %llu are; records lost: %llu, wake-ups overwritten: %llu\n",
	       what, (unsigned long long)seen.wakeups, (unsigned long long)seen.plain,
	       (unsigned long long)seen.known, (unsigned long long)seen.lost, (unsigned long long)seen.overrun);
	is(seen.wrong, 0, "%s: no parts are wrong", what);
	is(seen.invented, 0, "%s: no parts are of a wake-up that went another way", what);
	is(seen.doubled, 0, "%s: no parts come twice, or belong to no wake-up", what);
	is(seen.missing, 0, "%s: no parts are missing if nothing was lost", what);
	memset(&seen, 0, sizeof(seen));
}

int main(void)
{
	unsigned runs = getenv("RUNS") ? strtoul(getenv("RUNS"), NULL, 10) : RUNS;

	for (unsigned i = 0; i < runs; i++) {
		make_plan(10 + below(300));
		run(4096, 1000, 100);
		check();
	}
	is(seen.known, seen.plain, "a reader that keeps up: all are known that can be");
	tell("keeps up");
	for (unsigned i = 0; i < runs; i++) {
		make_plan(10 + below(300));
		run(3 + below(60), 1 + below(100), 1 + below(300));
		check();
	}
	ok(seen.lost && seen.known && seen.known < seen.plain, "a small ring: some are known");
	tell("loses");
	for (unsigned i = 0; i < runs / 100; i++) {
		make_plan(MOST / 4 + below(MOST * 3 / 4));
		run(4096, 5000, 200000);
		check();
	}
	ok(seen.overrun && seen.known && seen.known < seen.plain, "a reader that was stopped: some are known");
	tell("is stopped");
	return done();
}
