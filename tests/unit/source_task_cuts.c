// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Three periods of a thread's timer, which expires at each place of the thread's loop, on its CPU or another. A
 * reading of the records ends at each of them, and any run of them is lost in one ring: each wake-up that is found
 * is of its own period, or none is found.
 */
#include "source/task_records.c"
#include "tap.h"

#define THREAD 100
#define OTHER 200
#define TIMER 0xffff8880a0
#define PERIODS 3
#define RECORDS_MOST 40
#define STEP_NS 10
#define LATE 2				/* records may appear so many steps after their time */

/* Where the thread is when its timer expires. */
enum place {
	ASLEEP,
	GOING_TO_SLEEP,			/* another CPU wakes it before it has left its own */
	PREEMPTED_ON_THE_WAY,		/* it would sleep, but had already lost the CPU */
	AT_ONCE,			/* an interrupt wakes it before it sleeps, so it goes on */
	UNSEEN,				/* so does another CPU, so nobody knows when it went on */
	RUNNING,			/* it does not wait yet, so nothing wakes it */
	PREEMPTED,
};

enum { CPU0, CPU1, SWITCHES, RINGS };	/* the thread is on CPU 0 */

static const int64_t no_offsets[TASK_CLOCKS];

struct loss {
	unsigned ring, from, to;	/* before which record */
};

static const struct {
	enum place place;
	int cpu;			/* where the timer expires */
} ways[] = {
	{ ASLEEP, 0 }, { ASLEEP, 1 }, { GOING_TO_SLEEP, 1 }, { PREEMPTED_ON_THE_WAY, 0 }, { PREEMPTED_ON_THE_WAY, 1 },
	{ AT_ONCE, 0 }, { UNSEEN, 1 }, { RUNNING, 0 }, { RUNNING, 1 }, { PREEMPTED, 0 }, { PREEMPTED, 1 },
};

#define WAYS (sizeof(ways) / sizeof(*ways))

static struct {
	unsigned count, ring[RECORDS_MOST];
	struct trace_record record[RECORDS_MOST];
	unsigned wakeups, unseen;
	struct wakeup wakeup[PERIODS];
} truth;

static struct {
	struct task_order order;
	struct task_wakeups wakeups;
	struct figures figures;
	unsigned next, found, wrong;
} seen;

static uint64_t emit(unsigned ring, struct trace_record record)
{
	record.at_ns = 1000 + STEP_NS * truth.count;
	truth.ring[truth.count] = ring;
	truth.record[truth.count++] = record;
	return record.at_ns;
}

static uint64_t switch_thread(enum trace_kind kind, bool runnable)
{
	return emit(SWITCHES, (struct trace_record){ kind, .thread = THREAD, .runnable = runnable });
}

static void start_timer_at(int64_t due_ns)
{
	emit(CPU0, (struct trace_record){
		TRACE_TIMER_START, .thread = THREAD, .current = THREAD, .timer = TIMER, .expires_ns = due_ns,
	});
}

static void expire_timer(int cpu, int current, bool wakes)
{
	struct wakeup *wakeup = &truth.wakeup[truth.wakeups];
	struct trace_record record = { TRACE_EXPIRE, .cpu = cpu, .current = current, .timer = TIMER };

	record.expires_ns = wakeup->due_ns;
	wakeup->expired_ns = emit(cpu, record);
	if (wakes)
		wakeup->woken_ns = emit(cpu, (struct trace_record){
			TRACE_WAKING, .cpu = cpu, .current = current, .thread = THREAD,
		});
	record.kind = TRACE_EXPIRED;
	emit(cpu, record);
}

static void come_back(bool woken)
{
	uint64_t at_ns = switch_thread(TRACE_SWITCH_IN, false);

	if (woken)
		truth.wakeup[truth.wakeups++].served_ns = at_ns;
}

static void live_through(enum place place, int cpu)
{
	struct wakeup *wakeup = &truth.wakeup[truth.wakeups];

	*wakeup = (struct wakeup){ .due_ns = 1000 + STEP_NS * (truth.count + 1) };
	start_timer_at(wakeup->due_ns);
	if (place == ASLEEP || place == PREEMPTED_ON_THE_WAY || place == PREEMPTED) {
		switch_thread(TRACE_SWITCH_OUT, place != ASLEEP);
		expire_timer(cpu, cpu ? OTHER : 0, place != PREEMPTED);
		come_back(place != PREEMPTED);
	} else if (place == GOING_TO_SLEEP || place == UNSEEN) {
		expire_timer(cpu, OTHER, true);
		truth.unseen += place == UNSEEN;
		if (place == UNSEEN)
			return;
		switch_thread(TRACE_SWITCH_OUT, false);
		come_back(true);
	} else {
		expire_timer(cpu, cpu ? OTHER : THREAD, place == AT_ONCE);
		if (place == AT_ONCE)
			truth.wakeup[truth.wakeups++].served_ns = wakeup->woken_ns;
	}
}

static void compare(const struct wakeup *found)
{
	const struct wakeup *right;

	while (seen.next < truth.wakeups && truth.wakeup[seen.next].served_ns < found->served_ns)
		seen.next++;
	right = &truth.wakeup[seen.next++];
	seen.found++;
	seen.wrong += seen.next > truth.wakeups || right->served_ns != found->served_ns ||
		      right->due_ns != found->due_ns || right->expired_ns != found->expired_ns ||
		      right->woken_ns != found->woken_ns;
}

/* The records of a ring from one to before another; within, those of a loss are not there. */
static void read_ring(unsigned ring, unsigned from, unsigned to, uint64_t end_ns, const struct loss *loss)
{
	uint64_t last_ns = 1000 + STEP_NS * from;
	bool lost = false;

	for (unsigned i = from; i <= to; i++) {
		bool ends = i == to, is_lost = !ends && ring == loss->ring && i >= loss->from && i < loss->to;

		if (!ends && truth.ring[i] != ring)
			continue;
		if (lost && !is_lost)
			order_put(&seen.order, &(struct trace_record){
				TRACE_LOST, .at_ns = last_ns, .until_ns = ends ? end_ns : truth.record[i].at_ns,
			});
		lost = is_lost;
		if (ends || is_lost)
			continue;
		order_put(&seen.order, &truth.record[i]);
		last_ns = truth.record[i].at_ns;
	}
}

static unsigned before(unsigned cut, unsigned steps)
{
	return cut < steps ? 0 : cut - steps;
}

/* Two readings of all rings, beginning with any, whose last records appear late. */
static void read_twice(unsigned cut, unsigned first, const struct loss *loss)
{
	for (unsigned reading = 0; reading < 2; reading++) {
		const struct trace_record *record;
		uint64_t until_ns = reading ? UINT64_MAX : 1000 + STEP_NS * before(cut, LATE);
		struct wakeup found;

		for (unsigned i = 0; i < RINGS; i++) {
			unsigned ready = before(cut, i ? 0 : LATE);

			read_ring((first + i) % RINGS, reading ? ready : 0, reading ? truth.count : ready,
				  1000 + STEP_NS * (reading ? truth.count : cut), loss);
		}
		while ((record = task_order_take(&seen.order, until_ns)))
			if (task_wakeups_add(&seen.wakeups, record, &found))
				compare(&found);
	}
}

static void see(unsigned cut, unsigned first, const struct loss *loss)
{
	struct task_order order = seen.order;

	memset(&seen, 0, sizeof(seen));
	seen.order = (struct task_order){ .room = order.room, .kept = order.kept, .sorted = order.sorted };
	seen.wakeups = (struct task_wakeups){ .thread = THREAD, .offset_ns = no_offsets, .figures = &seen.figures };
	read_twice(cut, first, loss);
}

static unsigned wrong, missing, miscounted, lossy_wrong, lossy_most;

static void cut_anywhere(void)
{
	const struct loss none = { .ring = RINGS };

	for (unsigned cut = 0; cut <= truth.count; cut++) {
		for (unsigned first = 0; first < RINGS; first++) {
			see(cut, first, &none);
			wrong += seen.wrong;
			missing += seen.found != truth.wakeups;
			miscounted += seen.figures.unmatched != truth.unseen;
		}
	}
}

/* From any record of a ring to any later one. */
static void lose_any(void)
{
	for (unsigned from = 0; from < truth.count; from++) {
		for (unsigned to = from + 1; to <= truth.count; to++) {
			const struct loss loss = { truth.ring[from], from, to };

			if (truth.ring[to - 1] != loss.ring)
				continue;
			for (unsigned cut = 0; cut <= truth.count; cut++) {
				see(cut, 0, &loss);
				lossy_wrong += seen.wrong;
				lossy_most += seen.found > truth.wakeups;
			}
		}
	}
}

int main(void)
{
	if (!open_order(&seen.order, 2 * RECORDS_MOST))
		die(EXIT_NOT_MEASURED, "no memory");
	for (unsigned way = 0; way < WAYS * WAYS * WAYS; way++) {
		memset(&truth, 0, sizeof(truth));
		come_back(false);
		for (unsigned period = 0, rest = way; period < PERIODS; period++, rest /= WAYS)
			live_through(ways[rest % WAYS].place, ways[rest % WAYS].cpu);
		start_timer_at(INT64_MAX);
		cut_anywhere();
		lose_any();
	}
	is(wrong, 0, "wherever a reading ends, each wake-up is of its own period");
	is(missing, 0, "wherever a reading ends, each wake-up is found");
	is(miscounted, 0, "wherever a reading ends, only what nobody can know is unmatched");
	is(lossy_wrong, 0, "whatever is lost, each wake-up that is found is of its own period");
	is(lossy_most, 0, "whatever is lost, no wake-up is found twice");
	return done();
}
