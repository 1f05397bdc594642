// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a long run on many CPUs takes of the keeper: day [CPUS [HOURS]]. Prints the bytes of the report, the kB resident,
 * and the CPU seconds that it takes to print the report, and to add the buffers of a second.
 *
 * The meters are not there: what each has counted is drawn bin by bin, of log-normal latenesses as they are on a machine
 * that runs PREEMPT_RT under load. A buffer stands for some minutes, so that there are as many slices in the end as
 * such a run has, and neighbours were added together once. The rest is the program's own: the buffers of 128 channels are added to
 * 128 totals and cleared, and the data sets are printed. The headers, about 4 kB each, are not.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "measure/channel.h"
#include "report/report.h"

#define HOUR_S 3600
#define HZ 2048
#define KINDS 4
#define MODES 3

/* Of CPUs: a body, and shares of it that are later. The last row is of stalls. */
static const struct mode {
	double share, median_us, sd;
} modes[KINDS][MODES] = {
	{ { 1, 2.5, 0.2 }, { 0.002, 6, 0.3 }, { 1e-7, 50, 1 } },
	{ { 1, 4, 0.25 }, { 0.004, 10, 0.35 }, { 1e-7, 100, 1 } },
	{ { 1, 5, 0.25 }, { 0.004, 15, 0.35 }, { 1e-7, 100, 1 } },
	{ { 1, 8, 0.3 }, { 0.01, 20, 0.4 }, { 1e-6, 200, 1 } },
};

/* How probable each bin is, of all series. */
static double probable[KINDS][HIST_ALL_BINS];

static double uniform(void)
{
	return (rand() + 0.5) / (RAND_MAX + 1.0);
}

static double normal(void)
{
	return sqrt(-2 * log(uniform())) * cos(2 * M_PI * uniform());
}

/* How many of so many come, on average: Poisson's, or near it. */
static uint64_t any_count(double average)
{
	double left = exp(-average);
	uint64_t count = 0;

	if (average > 30)
		return fmax(0, round(average + sqrt(average) * normal()));
	for (double random = uniform(); random > left; random *= uniform())
		count++;
	return count;
}

static double beyond(double us, const struct mode *mode)
{
	return us > 0 ? erfc(log(us / mode->median_us) / mode->sd / M_SQRT2) / 2 : 1;
}

/* An interval error is the difference of two latenesses: of two of the body, or of one of the rest and a usual one. */
static double error_beyond(double us, const struct mode *mode, double usual_us)
{
	if (mode->share == 1)
		return erfc(us / (mode->sd * mode->median_us * 2)) / 2;
	return beyond(us + usual_us, mode);
}

static void add_mode(double *probable_bins, const struct mode *mode, double usual_us)
{
	for (unsigned bin = 0; bin < HIST_BINS - 1; bin++) {
		double from = hist_lower_ns(bin) / 1e3, to = hist_lower_ns(bin + 1) / 1e3;
		double error = error_beyond(from, mode, usual_us) - error_beyond(to, mode, usual_us);

		probable_bins[LATENCY_ZERO + bin] += mode->share * (beyond(from, mode) - beyond(to, mode));
		probable_bins[INTERVAL_ZERO + bin] += mode->share * error;
		probable_bins[INTERVAL_ZERO - 1 - bin] += mode->share * error;
	}
}

static void draw(struct counters *live, enum series series, unsigned zero, int step, double samples, const double *bins)
{
	for (unsigned bin = 0; bin < HIST_BINS; bin++) {
		unsigned index = zero + step * (int)bin;
		uint64_t count = bins[index] * samples < 1e-9 ? 0 : any_count(bins[index] * samples);

		if (!count)
			continue;
		live->bins[index] = count;
		moments_add_steps(&live->moments[series], step * (int64_t)(hist_lower_ns(bin) + (step < 0)), 0, count);
		if (series == LATENCY)
			live->samples += count;
	}
}

static void keep_events(struct counters *live)
{
	for (int i = 0; i < EVENTS_MAX; i++)
		counters_keep(live, &(struct event){
			.stamp_ns = live->from_ns + i, .episode = live->from_ns + i, .period = rand(), .periods = 1,
			.late_ns = live->moments[LATENCY].max - i * 100,
		});
}

static void fill(struct counters *live, int kind, uint64_t from_s, unsigned seconds)
{
	double samples = (double)seconds * HZ;

	counters_clear(live);
	live->from_ns = from_s * 1000000000 + rand();
	live->to_ns = live->from_ns + seconds * UINT64_C(1000000000);
	draw(live, LATENCY, LATENCY_ZERO, 1, samples, probable[kind]);
	draw(live, INTERVAL, INTERVAL_ZERO, 1, samples, probable[kind]);
	draw(live, INTERVAL, INTERVAL_ZERO - 1, -1, samples, probable[kind]);
	keep_events(live);
}

/* As the meter would have counted it there. */
static void place(struct counters *to, const struct counters *from)
{
	memcpy(to, from, offsetof(struct counters, bins));
	for (enum series series = 0; series < COUNTED_SERIES; series++) {
		struct span span = series_span(series, &from->moments[series]);

		memcpy(&to->bins[span.first], &from->bins[span.first], (span.end - span.first) * sizeof(*to->bins));
	}
}

static double cpu_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

/* Returns what it took to add and clear them. */
static double collect(struct totals **totals, struct channel **channels, struct counters *const *drawn, int cpus, int step)
{
	double taken_s = 0;

	for (int cpu = 0; cpu < cpus; cpu++) {
		struct counters *live = &channels[cpu]->live[step % 2];

		place(live, drawn[cpu % KINDS]);
		taken_s -= cpu_s();
		totals_add(totals[cpu], live, 1000000000 / HZ);
		counters_clear(live);
		taken_s += cpu_s();
	}
	return taken_s;
}

static long resident_kb(void)
{
	FILE *file = fopen("/proc/self/status", "re");
	char line[256];
	long kb = 0;

	while (file && fgets(line, sizeof(line), file))
		sscanf(line, "VmRSS: %ld", &kb);
	return kb;
}

/* So long that the run has more of them than there is room for slices, but less than twice as many. */
static unsigned stretch_s(unsigned share, unsigned run_s)
{
	unsigned seconds = 1;

	while (run_s / seconds >= 2 * share)
		seconds *= 2;
	return seconds;
}

int main(int argc, char **argv)
{
	int cpus = argc > 1 ? atoi(argv[1]) : 128;
	unsigned run_s = (argc > 2 ? atof(argv[2]) : 24) * HOUR_S;
	unsigned share = totals_share(cpus), seconds = stretch_s(share, run_s), steps = run_s / seconds;
	struct totals **totals = calloc(cpus, sizeof(*totals));
	struct channel **channels = calloc(cpus, sizeof(*channels));
	struct counters *drawn[KINDS];
	double adding_s = 0, printing_s;
	FILE *out = tmpfile();

	for (int kind = 0; kind < KINDS; kind++) {
		drawn[kind] = calloc(1, sizeof(**drawn));
		for (int i = 0; i < MODES; i++)
			add_mode(probable[kind], &modes[kind][i], modes[kind][0].median_us);
	}
	for (int cpu = 0; cpu < cpus; cpu++) {
		totals[cpu] = totals_create(share, false);
		channels[cpu] = channel_create(SINCE_DUE, EXPLAIN_OFF);
	}
	for (unsigned step = 0; step < steps; step++) {
		for (int kind = 0; kind < KINDS; kind++)
			fill(drawn[kind], kind, step * seconds, seconds);
		adding_s += collect(totals, channels, drawn, cpus, step);
	}
	printing_s = -cpu_s();
	for (int cpu = 0; cpu < cpus; cpu++)
		report_print_data(out, totals[cpu], SINCE_DUE, false);
	fflush(out);
	printing_s += cpu_s();
	printf("%ld %ld %.2f %.3f\n", ftell(out), resident_kb(), printing_s, adding_s / steps);
	return 0;
}
