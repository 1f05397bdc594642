// SPDX-License-Identifier: GPL-2.0-or-later
/* The period of a thread's due times, and what it missed of them; or its sleeps, and its rate. */
#include <inttypes.h>

#include "source/task.h"
#include "tap.h"

#define MS 1000000

static struct task_grid grid;
static uint64_t due_ns;			/* the last one */
static uint64_t awake_ns;		/* from then until the thread sets the next timer */

static void begin(void)
{
	grid = (struct task_grid){ .period_ns = 0 };
	due_ns = 5000000000;
}

static uint64_t add_set(uint64_t at_ns, uint64_t started_ns, uint64_t unknown)
{
	uint64_t before = grid.missed;

	task_grid_add(&grid, &(struct wakeup){ .due_ns = at_ns, .started_ns = started_ns }, unknown);
	return grid.missed - before;
}

/* Returns how many were missed. The thread is awake now for a shorter, now for a longer time. */
static uint64_t add_at(uint64_t at_ns, uint64_t unknown)
{
	awake_ns = (awake_ns + 7919) % 9000;
	return add_set(at_ns, grid.last_ns + awake_ns, unknown);
}

/* So long after the last one. */
static uint64_t add(uint64_t ns)
{
	due_ns += ns;
	return add_at(due_ns, 0);
}

static void add_many(unsigned count, uint64_t ns)
{
	while (count--)
		add(ns);
}

static void test_exact(void)
{
	begin();
	add_many(GRID_STEPS, MS);
	is(grid.period_ns, 0, "sixteen instants are too few");
	add_many(1, MS);
	is(grid.period_ns, MS, "seventeen instants show the period");
	is(add(MS), 0, "an instant on the grid misses nothing");
	is(add(4 * MS), 3, "three instants are missed in four periods");
	is(add(2000 * (uint64_t)MS), 1999, "many instants are missed in two seconds");
	is(grid.missed, 2002, "all missed instants are counted");
	is(grid.period_ns, MS, "missed instants leave the period as it is");
	due_ns += 4 * MS;
	is(add_at(due_ns, 2), 1, "two of three missed instants may be wake-ups without records");
	due_ns += 2 * MS;
	is(add_at(due_ns, 5), 0, "all missed instants may be wake-ups without records");
	is(grid.missed, 2003, "wake-ups without records are not counted as missed");
}

static void test_rounded(void)
{
	begin();
	for (unsigned i = 0; i < 1000; i++)
		add_at(7000000000 + i * UINT64_C(4000000) / 3, 0);
	ok(grid.period_ns == 1333333 || grid.period_ns == 1333334, "a period may be no whole number of ns");
	is(grid.missed, 0, "nothing is missed of a period that is no whole number of ns");
	is(add_at(7000000000 + 1499 * UINT64_C(4000000) / 3, 0), 499,
	   "instants are missed exactly in a period that is no whole number of ns");
}

/* The clock of a sound card, 0.2 % faster by and by. */
static void test_drift(void)
{
	uint64_t step_ns = 21333333;

	begin();
	for (unsigned i = 0; i < 1000; i++)
		add(step_ns -= 40);
	is(grid.missed, 0, "a period that changes slowly is followed");
	ok(grid.period_ns - step_ns < 1000, "a period that changes slowly is followed to the end");
}

static void test_relative(void)
{
	begin();
	for (unsigned i = 0; i < 100000; i++)
		add(MS + 40000 + random_number() % 1500);
	is(grid.period_ns, 0, "sleeping for 1 ms from any time makes no grid");
}

/* Where nothing disturbs it, a thread that sleeps for 1 ms wakes up and works for nearly the same time each time. */
static void test_quiet(void)
{
	begin();
	for (unsigned i = 0; i < 100000; i++) {
		uint64_t started_ns = due_ns + 10000 + random_number() % 100;

		due_ns = started_ns + MS - random_number() % 5;
		add_set(due_ns, started_ns, 0);
	}
	is(grid.period_ns, 0, "sleeping for 1 ms makes no grid although all steps are alike");
	begin();
	for (unsigned i = 0; i < 100; i++)
		add_set(due_ns + i * MS, due_ns + i * MS - 980000 - random_number() % 100, 0);
	is(grid.period_ns, MS, "sleeping until each ms makes a grid although all sleeps are alike");
}

static void test_two_timers(void)
{
	begin();
	for (unsigned i = 0; i < 1000; i++)
		add(i % 2 ? MS : 2 * MS);
	is(grid.period_ns + grid.missed, 0, "steps of 1 and 2 ms in turn are no grid of 1 ms");
	begin();
	for (unsigned i = 0; i < 1000; i++)
		add(i % 2 ? 2 * MS : 3 * MS);
	is(grid.period_ns + grid.missed, 0, "steps of 2 and 3 ms in turn are no grid of 1 ms");
	begin();
	for (unsigned i = 0; i < 1000; i++)
		add(i % 2 ? 10000 : MS - 10000);
	is(grid.period_ns + grid.missed, 0, "a short step after each long one is no grid");
}

/* Once in a while the thread does something else. */
static void test_guest(void)
{
	begin();
	add_many(20, MS);
	for (unsigned i = 0; i < 100; i++) {
		add_at(due_ns + 300000, 0);
		add_many(50, MS);
	}
	is(grid.period_ns, MS, "a second, rare timer leaves the grid of the first");
	is(grid.missed, 0, "a second, rare timer misses nothing");
}

static void test_new_phase(void)
{
	begin();
	add_many(20, MS);
	add(MS + 400000);
	add_many(2, MS);
	is(grid.period_ns, MS, "three instants outside are doubtful");
	add_many(1, MS);
	is(grid.period_ns, 0, "four instants outside the grid end it");
	add_many(GRID_STEPS + 1, MS);
	is(grid.period_ns, MS, "the new grid is found");
	is(grid.missed, 0, "nothing is missed between two grids");
}

static void test_new_period(void)
{
	begin();
	add_many(20, MS);
	for (unsigned i = 0; i < 40; i++)
		add(i % 2 ? MS / 2 : MS);
	is(grid.period_ns, 0, "steps in turn end a grid");
	add_many(GRID_STEPS + 2, 3 * MS);
	is(grid.period_ns, 3 * MS, "a new grid is found after steps in turn");
}

/* The thread took up an older instant, or the same one again. */
static void test_backwards(void)
{
	begin();
	add_many(5, MS);
	add_at(due_ns, 0);
	add_many(GRID_STEPS - 1, MS);
	is(grid.period_ns, 0, "an instant that comes twice begins a new grid");
	add_many(1, MS);
	is(grid.period_ns, MS, "seventeen instants after a repeated one show the period");
	is(add_at(due_ns - 10 * MS, 0), 0, "an earlier instant misses nothing");
	is(add(MS), 0, "the instant after an earlier one fits the grid");
}

static void test_random_misses(void)
{
	uint64_t missed = 0;

	begin();
	add_many(GRID_STEPS + 1, MS);
	for (unsigned i = 0; i < 500; i++) {
		uint64_t skipped = random_number() % 3 ? 0 : random_number() % 50;

		missed += skipped;
		is(add((1 + skipped) * MS), skipped, "step %u: the missed instants are counted", i);
	}
	is(grid.missed, missed, "the missed instants add up");
}

static struct task_pace pace;

/* Its timer starts then, and is due so much later. Returns whether the thread sleeps for the same time from when it is done. */
static bool sleep_from(uint64_t started_ns, uint64_t ns, uint64_t unknown)
{
	due_ns = started_ns + ns;
	return task_pace_add(&pace, &(struct wakeup){ .due_ns = due_ns, .started_ns = started_ns }, unknown);
}

static double pace_hz(void)
{
	return (pace.due - 1) * 1e9 / (pace.last_ns - pace.first_ns);
}

static void begin_pace(void)
{
	pace = (struct task_pace){ .due = 0 };
	due_ns = 5000000000;
}

/* It sleeps 20 ms from when it is done, 0.7 ms after it is due; the kernel notes the start 300 to 500 ns too late. */
static void test_pace_relative(void)
{
	bool relative = false;

	begin_pace();
	for (unsigned i = 0; i < 20; i++)
		relative |= sleep_from(due_ns + 700000 + random_number() % 5000, 19999500 + random_number() % 200, 0);
	ok(relative, "a thread that sleeps for 20 ms from when it is done is found within twenty wake-ups");
	ok(pace.sleep_ns >= 19999500 && pace.sleep_ns < 20000000, "the longest sleep counts: %u", (unsigned)pace.sleep_ns);
	ok(pace_hz() > 48.2 && pace_hz() < 48.4, "a thread that sleeps for 20 ms runs 48.3 times a second, not 50: %g", pace_hz());
	relative = sleep_from(due_ns + 700000 + 3 * 20700000, 19999500, 3);
	ok(relative && pace_hz() > 48.2 && pace_hz() < 48.4, "three wake-ups without records count for the rate: %g", pace_hz());
	for (unsigned i = 0; i < 10; i++)
		relative = task_pace_add(&pace, &(struct wakeup){ .woken_ns = due_ns }, 0);
	ok(!relative, "a thread that others wake as often has no pace of its own");
	begin_pace();
	for (unsigned i = 0; i < 200; i++)
		sleep_from(due_ns + 700000 + random_number() % 5000, 1000000 + random_number() % 200, 0);
	relative = sleep_from(due_ns + 700000, 5000000000, 0);
	ok(relative && pace.sleep_ns < 1000200, "one long sleep is not the one that is inferred: %" PRIu64, pace.sleep_ns);
	relative = sleep_from(due_ns + 700000, -300, 0);
	ok(relative && pace.sleep_ns < 1000200, "a sleep into the past is no long one: %" PRIu64, pace.sleep_ns);
	relative = false;
	begin_pace();
	for (unsigned i = 0; i < 1000; i++)
		relative |= sleep_from(due_ns + 700000 + random_number() % 5000, i % 6 ? 5000000 : 3000000, 0);
	ok(relative, "a thread with one other sleep in six has its pace");
}

/* Its steps are exact, and it sleeps for what its work leaves of them, which may be nothing. */
static void test_pace_absolute(void)
{
	bool relative = false;

	begin_pace();
	for (uint64_t i = 1; i < 2000; i++) {
		uint64_t next_ns = 5000000000 + i * MS + i % 3, work_ns = 100000 + random_number() % 500;

		relative |= sleep_from(due_ns + work_ns, i % 50 ? next_ns - due_ns - work_ns : 0, 0);
		due_ns = next_ns;
	}
	ok(!relative, "a thread that sleeps until fixed times does not sleep for a fixed time");
}

/* A fixed time after each second instant of a grid. */
static void test_pace_both(void)
{
	bool relative = false;

	begin_pace();
	for (uint64_t i = 1; i < 1000; i++) {
		uint64_t next_ns = 5000000000 + i * 10 * MS, done_ns = due_ns + 100000 + random_number() % 500;

		relative |= sleep_from(done_ns, next_ns - done_ns, 0);
		relative |= sleep_from(due_ns + 100000 + random_number() % 500, 3 * MS - random_number() % 200, 0);
	}
	ok(!relative, "a thread that sleeps both ways in turn has no pace");
}

int main(void)
{
	test_pace_relative();
	test_pace_absolute();
	test_pace_both();
	test_exact();
	test_rounded();
	test_drift();
	test_relative();
	test_quiet();
	test_two_timers();
	test_guest();
	test_new_phase();
	test_new_period();
	test_backwards();
	test_random_misses();
	return done();
}
