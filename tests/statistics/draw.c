// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs whose truth is known: a report of latenesses at 2048 Hz under a load that may change.
 * draw LOAD SECONDS SEED [LATER [LEVEL]]   a report; the tail's values are LATER, all are LEVEL times as late (1)
 * draw LOAD SECONDS SEED LATER LEVEL CPUS  that of a run on so many CPUs, which have the load in common
 * draw LOAD SECONDS                        the 50th, 90th, 99th, 99.9th and 99.99th percentile of all such runs
 * draw LOAD above US                       the share of latenesses above that
 * draw LOAD blocks SECONDS SEED COUNT      a run in so many blocks: of each the 50th, 99th, 99.9th percentile and maximum
 *
 * The loads are those of loads.c.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "loads.h"

enum { PERIOD_NS = 488281, SLICES_MAX = 1024, DECADES = 9, FINE = 10000, COARSE = 100 };

/* Bins of realfeel(5): 10 ns wide while they have no more digits than that, then ten times as wide. */
static unsigned bin_of(uint64_t ns, unsigned digits)
{
	unsigned decade = 0;
	uint64_t value = ns / 10;

	for (; value >= digits; value /= 10)
		decade++;
	return decade * digits + (unsigned)value;
}

/* Of a bin, or with more = 1 of the next one, which is its upper edge. */
static double edge(unsigned bin, unsigned digits, unsigned more)
{
	return (bin % digits + more) * pow(10, bin / digits) / 100;
}

static void print_edges(unsigned bin, unsigned digits)
{
	printf("%.2f %.2f", edge(bin, digits, 0), edge(bin, digits, 1));
}

static uint64_t fine[DECADES * FINE], coarse[SLICES_MAX][DECADES * COARSE], most[SLICES_MAX];

static void forget(void)
{
	memset(fine, 0, sizeof fine);
	memset(coarse, 0, sizeof coarse);
	memset(most, 0, sizeof most);
}

static void print_report(const struct load *load, unsigned seconds, uint64_t least, uint64_t samples, unsigned width)
{
	uint64_t latest = 0;
	unsigned slices = (seconds + width - 1) / width;

	for (unsigned i = 0; i < slices; i++)
		latest = most[i] > latest ? most[i] : latest;
	printf("# status: complete\n# verdict: valid\n# source: nanosleep\n# frequency_hz: %d\n# period_ns: %d\n"
		"# clock: monotonic\n# load: %s\n# duration_s: %u\n# samples: %llu\n# periods: %llu\n# missed: 0\n"
		"# lateness_min_ns: %llu\n# lateness_max_ns: %llu\n\n\n# histogram\n# from_us to_us lateness\n",
		HZ, PERIOD_NS, load->name, seconds, (unsigned long long)samples, (unsigned long long)samples,
		(unsigned long long)least, (unsigned long long)latest);
	for (unsigned bin = 0; bin < DECADES * FINE; bin++) {
		if (!fine[bin])
			continue;
		print_edges(bin, FINE);
		printf(" %llu\n", (unsigned long long)fine[bin]);
	}
	printf("\n\n# slices\n# start_s seconds wakeups periods missed lateness_max_us interval_max_us\n");
	for (unsigned i = 0; i < slices; i++) {
		unsigned long_s = (i + 1) * width > seconds ? seconds - i * width : width;

		printf("%u %u %u %u 0 %.3f %.3f\n", i * width, long_s, long_s * HZ, long_s * HZ,
			(double)most[i] / 1e3, (double)most[i] / 1e3);
	}
	printf("\n\n# slice_bins\n# start_s seconds from_us to_us lateness\n");
	for (unsigned i = 0; i < slices; i++) {
		for (unsigned bin = 0; bin < DECADES * COARSE; bin++) {
			if (!coarse[i][bin])
				continue;
			printf("%u %u ", i * width, (i + 1) * width > seconds ? seconds - i * width : width);
			print_edges(bin, COARSE);
			printf(" %llu\n", (unsigned long long)coarse[i][bin]);
		}
	}
	printf("# end samples=%llu\n", (unsigned long long)samples);
}

static uint64_t late_ns(struct run *run, double s)
{
	return (uint64_t)(run->level * late_us(run, s) * 1e3);
}

static void report(struct run *run, struct run *shared, unsigned seconds)
{
	uint64_t least = UINT64_MAX, samples = (uint64_t)seconds * HZ;
	unsigned width = 1;

	while (seconds > SLICES_MAX * width)
		width *= 2;
	forget();
	for (uint64_t i = 0; i < samples; i++) {
		unsigned slice = (unsigned)(i / HZ / width);
		uint64_t ns;

		move_on(shared, (double)i / HZ);
		run->z = shared->z;
		run->on = shared->on;
		run->burst_level = shared->burst_level;
		run->stall_s = shared->stall_s;
		ns = late_ns(run, (double)i / HZ);
		fine[bin_of(ns, FINE)]++;
		coarse[slice][bin_of(ns, COARSE)]++;
		most[slice] = ns > most[slice] ? ns : most[slice];
		least = ns < least ? ns : least;
	}
	print_report(run->load, seconds, least, samples, width);
}

/* The load of several CPUs moves by its own random numbers, the same for each of them. */
static void report_cpus(const struct load *load, unsigned seconds, uint64_t seed, double later, double level, unsigned cpus)
{
	if (!cpus) {
		struct run run = begin(load, seconds, seed, later, level);

		printf("# realfeel 1\n");
		report(&run, &run, seconds);
	}
	for (unsigned cpu = 0; cpu < cpus; cpu++) {
		struct run shared = begin(load, seconds, seed, later, level), own = begin(load, seconds, ~(256 * seed + cpu), later, level);

		printf("# realfeel 1\n# part: %u of %u\n# cpu: %u\n", cpu + 1, cpus, cpu);
		report(&own, &shared, seconds);
	}
}

/* The upper edges of the bins below and in which are all but one in so many. */
static void print_percentiles(uint64_t samples, uint64_t latest)
{
	static const unsigned one_in[] = { 2, 100, 1000 };
	uint64_t below = 0;
	unsigned bin = 0;

	for (unsigned i = 0; i < sizeof one_in / sizeof *one_in; i++) {
		while (below + fine[bin] < samples - samples / one_in[i])
			below += fine[bin++];
		printf("%.2f ", edge(bin, FINE, 1));
	}
	printf("%.3f\n", (double)latest / 1e3);
}

static void print_blocks(const struct load *load, unsigned seconds, uint64_t seed, unsigned count)
{
	struct run run = begin(load, (double)seconds * count, seed, 1, 1);
	uint64_t samples = (uint64_t)seconds * HZ;

	for (unsigned block = 0; block < count; block++) {
		uint64_t latest = 0;

		forget();
		for (uint64_t i = block * samples; i < (block + 1) * samples; i++) {
			uint64_t ns;

			move_on(&run, (double)i / HZ);
			ns = late_ns(&run, (double)i / HZ);
			fine[bin_of(ns, FINE)]++;
			latest = ns > latest ? ns : latest;
		}
		print_percentiles(samples, latest);
	}
}

int main(int argc, char *argv[])
{
	const struct load *load = argc > 1 ? find_load(argv[1]) : NULL;

	if (!load) {
		fprintf(stderr, "draw: the first lines of draw.c say what may be given\n");
		return 1;
	}
	if (argc < 4) {
		double seconds = argc > 2 ? strtod(argv[2], NULL) : 1;

		printf("%.4f %.4f %.4f %.4f %.4f\n", percentile(load, seconds, 2), percentile(load, seconds, 10),
			percentile(load, seconds, 100), percentile(load, seconds, 1000), percentile(load, seconds, 10000));
	} else if (!strcmp(argv[2], "above"))
		printf("%.9g\n", share_above(load, 1, strtod(argv[3], NULL)));
	else if (!strcmp(argv[2], "blocks"))
		print_blocks(load, (unsigned)strtoul(argv[3], NULL, 10), argc > 4 ? strtoull(argv[4], NULL, 10) : 1,
			argc > 5 ? (unsigned)strtoul(argv[5], NULL, 10) : 1);
	else
		report_cpus(load, (unsigned)strtoul(argv[2], NULL, 10), strtoull(argv[3], NULL, 10),
			argc > 4 ? strtod(argv[4], NULL) : 1, argc > 5 ? strtod(argv[5], NULL) : 1,
			argc > 6 ? (unsigned)strtoul(argv[6], NULL, 10) : 0);
	return 0;
}
