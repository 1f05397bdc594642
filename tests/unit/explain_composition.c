// SPDX-License-Identifier: GPL-2.0-or-later
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "explain/composition.h"
#include "tap.h"

#define ROWS 2000

static const struct events none;

static void test_sums(void)
{
	static const struct wakeup_parts rows[] = {
		{ 1000, { { 8400, 9200, 26600, 0, 10700 } } },
		{ 2000, { { -600, 9700, 20000, 74400, 13400 } } },
		{ 3000, { { 62000000, 1000, 2000, 0, 3000 } } },
	};
	struct composition *composition = composition_create();
	const struct part_sums *sums;

	is(composition_sums(composition)->matched, 0, "nothing is known at first");
	composition_add(composition, rows, 2, 0, &none);
	composition_add(composition, rows + 2, 1, 7, &none);
	sums = composition_sums(composition);
	is(sums->matched, 3, "wake-ups that are known");
	is(sums->lost, 7, "records that were lost");
	is(sums->moments[PART_EXPIRY].sum.low, 62007800, "the sum of a part, with its sign");
	is(sums->moments[PART_EXPIRY].min, -600, "its least");
	is(sums->moments[PART_AGAIN].max, 74400, "its most");
	is(sums->bins[PART_EXPIRY][0], 1, "what is below 0 is in the first bin");
	is(sums->bins[PART_EXPIRY][hist_bin(62000000)], 1, "what is late in its own");
	is(sums->bins[PART_AGAIN][0], 2, "most are not blocked again");
	is(sums->by_lateness[hist_coarse_bin(54900)].wakeups, 1, "a wake-up by its lateness");
	is(sums->by_lateness[hist_coarse_bin(116900)].sum_ns[PART_AGAIN], 74400, "and what it was made of");
	is(sums->by_lateness[hist_coarse_bin(62006000)].sum_ns[PART_EXPIRY], 62000000, "late because of the timer");
}

static struct wakeup_parts row_at(uint64_t stamp_ns)
{
	return (struct wakeup_parts){ stamp_ns, { { stamp_ns, 1, 2, 3, 4 } } };
}

/* Events come and go; some were never known. */
static void test_worst(void)
{
	struct composition *composition = composition_create();
	struct wakeup_parts rows[100];
	struct events events = { .count = 3, .worst = { { .stamp_ns = 5 }, { .stamp_ns = 99 }, { .stamp_ns = 250 } } };

	for (unsigned i = 0; i < 100; i++)
		rows[i] = row_at(i + 1);
	composition_add(composition, rows, 100, 0, &events);
	is(composition_sums(composition)->worst, 2, "two of three events are known");
	is(parts_of_event(composition_sums(composition), 99)->ns[PART_EXPIRY], 99, "with their parts");
	ok(!parts_of_event(composition_sums(composition), 250), "and one is not");
	events.worst[0].stamp_ns = 201;
	for (unsigned i = 0; i < 100; i++)
		rows[i] = row_at(i + 200);
	composition_add(composition, rows, 100, 0, &events);
	is(composition_sums(composition)->worst, 3, "one goes, one comes, one is known now");
	ok(!parts_of_event(composition_sums(composition), 5), "the first has gone");
	is(parts_of_event(composition_sums(composition), 99)->ns[PART_EXPIRY], 99, "the second is kept");
	composition_add(composition, rows, 0, 0, &events);
	is(parts_of_event(composition_sums(composition), 250)->ns[PART_STAMP], 4, "as all are when nothing is added");
}

static bool adds_up(const struct part_sums *sums)
{
	uint64_t wakeups = 0, bins[PARTS] = { 0 };
	int64_t sum_ns[PARTS] = { 0 };

	for (unsigned bin = 0; bin < HIST_COARSE_BINS; bin++)
		wakeups += sums->by_lateness[bin].wakeups;
	for (enum part part = 0; part < PARTS; part++) {
		for (unsigned bin = 0; bin < HIST_COARSE_BINS; bin++)
			sum_ns[part] += sums->by_lateness[bin].sum_ns[part];
		for (unsigned bin = 0; bin < HIST_BINS; bin++)
			bins[part] += sums->bins[part][bin];
		if (bins[part] != sums->matched || (int64_t)sums->moments[part].sum.low != sum_ns[part])
			return false;
	}
	return wakeups == sums->matched;
}

/* Wider with each that is added, so that new bins are in use. */
static void add_for_ever(struct composition *composition)
{
	static struct wakeup_parts rows[ROWS];

	for (uint64_t turn = 1; ; turn++) {
		for (unsigned i = 0; i < ROWS; i++)
			rows[i] = row_at(turn * i * 70);
		composition_add(composition, rows, ROWS, turn, &none);
	}
}

/* Each in a process of its own, as in totals.c. */
static bool is_wrong_after_a_kill(unsigned after_us)
{
	struct composition *composition = composition_create();
	const struct timespec while_it_adds = { .tv_nsec = after_us * 1000 };
	pid_t pid = fork();
	const struct part_sums *sums;

	if (pid == 0)
		add_for_ever(composition_inherit(composition));
	nanosleep(&while_it_adds, NULL);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	sums = composition_sums(composition_inherit(composition));
	return !adds_up(sums) || sums->matched != ROWS * sums->lost;
}

static void test_killed(void)
{
	unsigned wrong = 0;

	for (unsigned run = 0; run < 100; run++) {
		pid_t pid = fork();
		int status;

		if (pid == 0)
			_exit(is_wrong_after_a_kill(300 + 37 * run));
		waitpid(pid, &status, 0);
		wrong += status != 0;
	}
	is(wrong, 0, "after a kill all is there of what was added, or nothing");
}

int main(void)
{
	test_sums();
	test_worst();
	test_killed();
	return done();
}
