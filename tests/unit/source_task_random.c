// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is found in the records of a simulated kernel must be what was; what is
 * not found must be counted.
 */
#include <stdio.h>
#include <string.h>

#include "fake_kernel.h"
#include "source/task_records.c"
#include "tap.h"

static const int64_t no_offsets[TASK_CLOCKS];

static struct {
	struct task_wakeups wakeups;
	struct task_order order;
	struct figures figures;
	uint64_t looked_ns;
	unsigned compared, found, wrong;
} observer;

static void compare_with_truth(const struct wakeup *found)
{
	const struct wakeup *truth;

	while (observer.compared < kernel.wakeups && kernel.truth[observer.compared].served_ns < found->served_ns)
		observer.compared++;
	truth = &kernel.truth[observer.compared];
	observer.found++;
	if (observer.compared == kernel.wakeups || truth->served_ns != found->served_ns)
		observer.wrong++;
	else
		observer.wrong += truth->due_ns != found->due_ns || truth->slack_ns != found->slack_ns ||
				  truth->expired_ns != found->expired_ns || truth->woken_ns != found->woken_ns;
}

/* From some record on, a ring has no more room until it is looked at. */
static void lose(void)
{
	unsigned ring = random_number() % RINGS;

	if (!kernel.count[ring])
		return;
	kernel.count[ring] = random_number() % kernel.count[ring];
	order_put(&observer.order, &(struct trace_record){
		TRACE_LOST, .at_ns = observer.looked_ns, .until_ns = kernel.now,
	});
}

/* Ring after ring; what was recorded since the last look waits for the next. */
static void look(uint64_t until_ns)
{
	const struct trace_record *record;
	struct wakeup found;

	for (unsigned ring = 0; ring < RINGS; ring++) {
		for (unsigned i = 0; i < kernel.count[ring]; i++)
			order_put(&observer.order, &kernel.ring[ring][i]);
		kernel.count[ring] = 0;
	}
	while ((record = task_order_take(&observer.order, until_ns)))
		if (task_wakeups_add(&observer.wakeups, record, &found))
			compare_with_truth(&found);
	observer.looked_ns = kernel.now;
}

static void simulate(bool (*dropped)(const struct trace_record *record), unsigned percent_lost)
{
	kernel_begin(dropped);
	close_order(&observer.order);
	memset(&observer, 0, sizeof(observer));
	observer.looked_ns = kernel.now;
	observer.wakeups = (struct task_wakeups){
		.thread = THREAD, .offset_ns = no_offsets, .figures = &observer.figures,
	};
	if (!open_order(&observer.order, RINGS * RING_RECORDS))
		die(EXIT_NOT_MEASURED, "no memory");
	for (unsigned i = 0; i < SLEEPS_MAX; i++) {
		kernel_sleep();
		if (i % 10 == 9) {
			if (chance(percent_lost))
				lose();
			look(observer.looked_ns);
		}
	}
	look(UINT64_MAX);
	task_wakeups_end(&observer.wakeups);
	printf("# %u wake-ups, %u by a timer, %u at once, %u unseen; found %u, unmatched %u\n", kernel.wakeups, kernel.timed,
	       kernel.at_once, kernel.unseen, observer.found, (unsigned)observer.figures.unmatched);
}

static void test_all(void)
{
	simulate(NULL, 0);
	is(observer.wrong, 0, "all recorded: no wake-up is found wrong");
	is(observer.found, kernel.wakeups, "all recorded: no wake-up is missing");
	is(observer.figures.unmatched, kernel.unseen, "all recorded: only wake-ups that nobody can know are unmatched");
}

static void test_lost(void)
{
	unsigned missing;

	simulate(NULL, 10);
	missing = kernel.wakeups - observer.found;
	is(observer.wrong, 0, "some lost: no wake-up is found wrong");
	ok(observer.found > kernel.wakeups / 100 * 87, "some lost: nine in ten wake-ups are found");
	ok(observer.figures.unmatched <= missing + kernel.unseen,
	   "some lost: no more wake-ups are unmatched than are missing");
	ok(observer.figures.unmatched >= missing * 3 / 4, "some lost: three in four missing wake-ups are unmatched");
}

/* CPU 1 records nothing in its idle thread, and no switch from it. */
static bool is_idle(const struct trace_record *record)
{
	return record->cpu == 1 && (record->current == IDLE || (record->kind == TRACE_SWITCH_IN && chance(50)));
}

static void test_idle(void)
{
	simulate(is_idle, 0);
	is(observer.wrong, 0, "some never recorded: no wake-up is found wrong");
	ok(observer.found > kernel.wakeups / 100 * 67, "some never recorded: two in three wake-ups are found");
	ok(observer.figures.unmatched >= (kernel.wakeups - observer.found) * 9 / 10,
	   "some never recorded: nine in ten missing wake-ups are unmatched");
}

int main(void)
{
	test_all();
	test_lost();
	test_idle();
	return done();
}
