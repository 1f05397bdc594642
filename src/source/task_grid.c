// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/task.h"

#define EXACT_NS 200			/* the steps of a new grid differ by no more than this */
#define EXACT_PART 100000		/* and 10 ppm */
#define TOLERANCE_NS 1000		/* later an instant on it may be this far off, */
#define TOLERANCE_PART 1000		/* or 0.1 % of the time since the last one, */
#define TOLERANCE_MOST 8		/* but never more than this part of a period */
#define CLEARLY 4			/* this many times as much is not chance */
#define OUTSIDE_WEIGHT 2
#define OUTSIDE_MOST 8			/* four instants in a row are outside, or every second one of sixteen */

static uint64_t median(const uint64_t ns[GRID_STEPS])
{
	uint64_t sorted[GRID_STEPS] = { 0 };

	for (unsigned i = 0; i < GRID_STEPS; i++) {
		unsigned at = i;

		for (; at && sorted[at - 1] > ns[i]; at--)
			sorted[at] = sorted[at - 1];
		sorted[at] = ns[i];
	}
	return sorted[GRID_STEPS / 2];
}

static uint64_t difference(uint64_t a, uint64_t b)
{
	return a < b ? b - a : a - b;
}

/* The sum of all distances from the median. */
static uint64_t deviation(const uint64_t ns[GRID_STEPS])
{
	uint64_t sum = 0, middle = median(ns);

	for (unsigned i = 0; i < GRID_STEPS; i++)
		sum += difference(ns[i], middle);
	return sum;
}

/* How many periods apart these two instants are; 0: not a whole number. */
static uint64_t periods(uint64_t ns, uint64_t period_ns)
{
	uint64_t count = (ns + period_ns / 2) / period_ns, whole_ns = count * period_ns;
	uint64_t tolerance_ns = lesser(greater(ns / TOLERANCE_PART, TOLERANCE_NS), period_ns / TOLERANCE_MOST);

	return difference(ns, whole_ns) <= tolerance_ns ? count : 0;
}

static void add_step(struct task_grid *grid, uint64_t ns, const struct wakeup *wakeup)
{
	grid->step_ns[grid->next] = ns;
	grid->set_ns[grid->next] = wakeup->due_ns - lesser(wakeup->started_ns, wakeup->due_ns);
	grid->next = (grid->next + 1) % GRID_STEPS;
	grid->steps += grid->steps < GRID_STEPS;
}

/*
 * A grid is found only if none of it is missed: else two alternating timers would look like a faster one. Sleeping for
 * a fixed time after each wake-up gives nearly equal steps, but no grid: then the time is always the same; on a grid,
 * the later the thread woke up, the shorter it is.
 */
static void find_grid(struct task_grid *grid, const struct wakeup *wakeup)
{
	uint64_t period_ns;

	if (grid->last_ns)
		add_step(grid, wakeup->due_ns - grid->last_ns, wakeup);
	grid->last_ns = wakeup->due_ns;
	if (grid->steps < GRID_STEPS)
		return;
	period_ns = median(grid->step_ns);
	for (unsigned i = 0; i < GRID_STEPS; i++)
		if (difference(grid->step_ns[i], period_ns) > EXACT_NS + period_ns / EXACT_PART)
			return;
	if (deviation(grid->set_ns) <= CLEARLY * deviation(grid->step_ns))
		return;
	grid->period_ns = period_ns;
	grid->outside = 0;
}

/* One off the grid is something else that the thread waits for; many mean the end of the grid. */
void task_grid_add(struct task_grid *grid, const struct wakeup *wakeup, uint64_t unknown)
{
	uint64_t count = 0, due_ns = wakeup->due_ns;

	if (!grid->period_ns && due_ns <= grid->last_ns)
		grid->last_ns = grid->steps = 0;
	if (!grid->period_ns) {
		find_grid(grid, wakeup);
		return;
	}
	if (due_ns > grid->last_ns)
		count = periods(due_ns - grid->last_ns, grid->period_ns);
	if (count) {
		add_step(grid, (due_ns - grid->last_ns) / count, wakeup);
		grid->period_ns = median(grid->step_ns);
		grid->last_ns = due_ns;
		grid->missed += count - 1 > unknown ? count - 1 - unknown : 0;
		grid->outside -= grid->outside > 0;
		return;
	}
	grid->outside += OUTSIDE_WEIGHT;
	if (grid->outside >= OUTSIDE_MOST)
		grid->period_ns = grid->last_ns = grid->steps = 0;
}

/* A sleep begins a little before its timer starts, so the longest is the nearest to what was asked for. */
bool task_pace_add(struct task_pace *pace, const struct wakeup *wakeup, uint64_t unknown)
{
	uint64_t sleep_ns = wakeup->due_ns - lesser(wakeup->started_ns, wakeup->due_ns);
	uint64_t step_ns = pace->due ? wakeup->due_ns - lesser(pace->last_ns, wakeup->due_ns) : 0;

	pace->wakeups++;
	if (!wakeup->due_ns) {
		pace->alike -= pace->alike > 0;
	} else {
		bool alike = pace->longest_ns && periods(sleep_ns, pace->longest_ns) == 1;

		pace->alike += alike && step_ns && pace->step_ns &&
			       difference(sleep_ns, pace->longest_ns) < difference(step_ns, pace->step_ns);
		pace->longest_ns = alike && sleep_ns < pace->longest_ns ? pace->longest_ns : sleep_ns;
		pace->sleep_ns = alike ? pace->longest_ns : pace->sleep_ns;
		pace->step_ns = step_ns;
		pace->last_ns = wakeup->due_ns;
		pace->first_ns = pace->due ? pace->first_ns : wakeup->due_ns;
		pace->due += pace->due ? 1 + unknown : 1;
	}
	return pace->alike >= GRID_STEPS && 2 * pace->alike > pace->wakeups;
}
