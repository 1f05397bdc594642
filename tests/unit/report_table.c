// SPDX-License-Identifier: GPL-2.0-or-later
/* Quantiles from bins, of one CPU and of several, and the table of them. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"
#include "tap.h"

#define CPUS 4

static struct sums some[CPUS];
static const struct sums *const all[] = { &some[0], &some[1], &some[2], &some[3] };

static void add(struct sums *sums, int64_t ns, uint64_t periods)
{
	sums->bins[series_index(LATENCY, ns)] += periods;
	sums->samples += periods;
	if (sums->samples == periods || ns > sums->moments[LATENCY].max)
		sums->moments[LATENCY].max = ns;
}

static void fill(void)
{
	add(&some[0], 1000, 10000);
	add(&some[0], 2000, 9800);
	add(&some[0], 5000, 180);
	add(&some[0], 100049, 20);

	add(&some[1], 3004, 999);

	add(&some[2], 7000, 99);
	add(&some[2], 1234567891, 1);
	some[2].samples -= 50;			/* half of the periods were missed */
	some[2].missed = 50;
}

static void test_quantiles(void)
{
	is(sums_quantile(&all[0], 1, 2), 1010, "the median: the upper edge of its bin");
	is(sums_quantile(&all[0], 1, 100), 2010, "rank 19800 of 20000 on one CPU");
	is(sums_quantile(&all[0], 1, 1000), 5010, "rank 19980 of 20000 on one CPU");
	is(sums_quantile(&all[0], 1, 2000), 100049, "rank 19990 of 20000 is no more than the maximum");
	is(sums_quantile(&all[0], 1, 20000), 100049, "a quantile with one sample beyond is known");
	is(sums_quantile(&all[0], 1, 20001), NO_LATENCY, "a quantile with no sample beyond is unknown");
	ok(sums_support(&all[1], 1, 99), "ten samples beyond a quantile are enough");
	ok(!sums_support(&all[1], 1, 100), "nine samples beyond a quantile are not enough");
	ok(sums_support(all, CPUS, 2000), "the samples of all CPUs count for a quantile");
	is(sums_quantile(&all[2], 1, 10), 7010, "missed periods count for a quantile");
	is(sums_quantile(&all[3], 1, 2), NO_LATENCY, "a CPU without samples has no quantile");
	is(sums_quantile(all, CPUS, 2), 2010, "rank 10550 of 21099 on all CPUs");
	is(sums_quantile(all, CPUS, 17), 3010, "rank 19858 of 21099 on all CPUs");
	is(sums_quantile(all, CPUS, 1000), 7010, "rank 21078 of 21099 is the last in its bin");
	is(sums_quantile(all, CPUS, 2000), 100100, "rank 21089 of 21099 on all CPUs");
}

/* Names come from other programs. */
static void test_names(void)
{
	struct report reports[] = { { .name = "1 \033[2J\x9b" }, { .name = "2 \xc3\xa4" } };
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	table_print(out, &(struct all){
		.noun = "thread", .count = 2, .reports = reports, .sums = { all[0], all[1] },
	}, "\n");
	fclose(out);
	ok(strstr(text, "\n> 1 \\x1b[2J\\x9b       20000 "), "a name steers no terminal: %s", text);
	ok(strstr(text, "\n            2 \xc3\xa4         999 "), "a character has one column however many bytes");
	free(text);
}

/* Ten periods must lie beyond it. */
static void test_support(void)
{
	static struct sums sums;
	const struct sums *const one = &sums;

	sums.samples = 990;
	sums.missed = 9;
	ok(!sums_support(&one, 1, P99), "999 periods do not support p99");
	sums.missed = 10;
	ok(sums_support(&one, 1, P99), "1000 periods support p99");
}

static void test_above(void)
{
	const struct limit none = { 0, 0 }, any = { 5000, 0 }, few = { 5000, 10000000 }, fewer = { 5000, 9999999 };

	is(sums_above(&some[0], 5000), 200, "later samples and those in the limit's bin are above");
	is(sums_above(&some[0], 5010), 20, "a limit at a bin's edge has only higher bins above it");
	is(sums_above(&some[0], 100048), 20, "a limit in the last bin has that bin above it");
	is(sums_above(&some[0], 100049), 0, "a limit at the maximum has nothing above it");
	is(sums_above(&some[3], 1), 0, "a CPU without samples has nothing above a limit");
	ok(!sums_exceed(&some[0], &none), "no limit is never exceeded");
	ok(sums_exceed(&some[0], &any), "a limit without a share allows none");
	ok(!sums_exceed(&some[0], &few), "a limit may allow one in a hundred: 200 of 20000");
	ok(sums_exceed(&some[0], &fewer), "a limit that allows one less is exceeded");
}

static void test_extremes(void)
{
	static struct sums sums;
	const struct sums *one = &sums;

	add(&sums, 1000000000000, 20);
	is(sums_quantile(&one, 1, 2), NO_LATENCY, "the last bin has no upper edge");
	memset(&sums, 0, sizeof(sums));
	sums.bins[LATENCY_ZERO] = sums.samples = 20;
	sums.moments[LATENCY].max = -300;
	is(sums_quantile(&one, 1, 2), -300, "a quantile of early wake-ups is the maximum");
}

static void is_table(const char *noun, const char *const names[], const struct sums *const sums[],
		     unsigned count, const char *expected, const char *name)
{
	static char text[1024];
	FILE *file = fmemopen(text, sizeof(text), "w");
	static struct channel channels[CPUS];
	static struct report reports[CPUS];
	bool threads = !strcmp(noun, "thread");
	struct all shown = { .noun = noun, .count = count, .reports = reports, .policy_width = threads ? 10 : 0 };

	for (unsigned i = 0; i < count; i++) {
		channels[i].thread.state = (struct sched_state){ .policy = i ? SCHED_OTHER : SCHED_FIFO, .priority = i ? 0 : 80 };
		reports[i].name = names[i];
		reports[i].channel = &channels[i];
	}
	memcpy(shown.sums, sums, count * sizeof(*sums));
	table_print(file, &shown, "\n");
	fclose(file);
	is_text(text, expected, name);
}

static void test_table(void)
{
	static const char *const names[] = { "0", "1", "6", "127" };

	is_table("CPU", names, all, CPUS,
		 "  CPU     samples      p50 us      p99 us    p99.9 us      max us      missed\n"
		 "    0       20000        1.01        2.01        5.01       100.0           0\n"
		 "    1         999        3.00       ~3.00           -        3.00           0\n"
		 ">   6          50        7.01       ~7.01           -     1234568          50\n"
		 "  127           0           -           -           -           -           0\n",
		 "each CPU has a row, and the worst is marked");
	is_table("CPU", names + 3, all + 3, 1,
		 "  CPU     samples      p50 us      p99 us    p99.9 us      max us      missed\n"
		 "  127           0           -           -           -           -           0\n",
		 "a CPU without samples has a row");
}

/* What a thread missed is inferred from the grid of its timers, or unknown. */
static void test_threads(void)
{
	static const char *const names[] = { "4711 loop", "4712 loop", "4713 poll" };
	static struct sums threads[3];
	const struct sums *const all_three[] = { &threads[0], &threads[1], &threads[2] };

	threads[0].figures.inferred_period_ns = 1000000;
	threads[0].figures.inferred_missed = 7;
	threads[1].figures.inferred_period_ns = -1;
	threads[1].figures.state = 'S';
	threads[2].figures.state = 'R';
	is_table("thread", names, all_three, 3,
		 "     thread    policy     samples      p50 us      p99 us    p99.9 us      max us      missed\n"
		 "  4711 loop   fifo 80           0           -           -           -           -           7\n"
		 "  4712 loop     other           0           -           -           -           -           -\n"
		 "  4713 poll     other           0 never slept           -           -           -           -\n",
		 "threads have rows with their policies, also without a wake-up");
}

int main(void)
{
	fill();
	test_quantiles();
	test_support();
	test_above();
	test_extremes();
	test_table();
	test_threads();
	test_names();
	return done();
}
