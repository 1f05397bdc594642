// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs whose truth is known: a report of latenesses at 2048 Hz under a load that may wander.
 * draw LOAD SECONDS SEED [LATER [LEVEL]]   a report; the tail's values are LATER, all are LEVEL times as late (1)
 * draw LOAD SECONDS SEED LATER LEVEL CPUS  that of a run on so many CPUs, which have the load in common
 * draw LOAD                                the 50th, 90th, 99th and 99.9th percentile of all such runs
 * draw LOAD above US                       the share of latenesses above that
 * draw LOAD once SECONDS                   the lateness that once in so many seconds is exceeded, by however many at once
 *
 * A lateness is near 20 us, log-normal; one in 250 is of the tail, near 60 us. The load's level moves both, and the size
 * of the tail. LOAD is independent, wander-2, wander-20 (an Ornstein-Uhlenbeck process of so many seconds), on-off (20 s
 * each, on average), or bursts (of 50 ms, one in five seconds, near 300 us).
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HZ = 2048, PERIOD_NS = 488281, SLICES_MAX = 1024, DECADES = 9, FINE = 10000, COARSE = 100 };

static const double level_us = 20, level_sd = 0.2, tail_us = 60, tail_sd = 0.3, tail_share = 0.004;
static const double wander_sd = 0.1, tail_wander = 0.5, on_level = 2, on_off_s = 20;
static const double burst_us = 300, burst_sd = 0.3, in_burst_sd = 0.5, burst_s = 0.05, calm_s = 5;

struct load {
	const char *name;
	double tau_s;           /* 0: the level does not wander */
	int on_off, bursts;
};

static const struct load loads[] = {
	{ "independent", 0, 0, 0 }, { "wander-2", 2, 0, 0 }, { "wander-20", 20, 0, 0 }, { "on-off", 0, 1, 0 }, { "bursts", 0, 0, 1 },
};

struct run {
	const struct load *load;
	double later, level, z, until_s, burst_level;
	int on;
	uint64_t random;
};

/* splitmix64 */
static uint64_t next(uint64_t *state)
{
	uint64_t x = *state += 0x9e3779b97f4a7c15;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return x ^ x >> 31;
}

static double uniform(struct run *run)
{
	return (double)((next(&run->random) >> 11) + 1) / 9007199254740993.0;
}

static double normal(struct run *run)
{
	return sqrt(-2 * log(uniform(run))) * cos(2 * M_PI * uniform(run));
}

/* The load as it is at that second, one period after the last. */
static void move_on(struct run *run, double s)
{
	const struct load *load = run->load;

	if (load->tau_s > 0) {
		double alike = exp(-1.0 / HZ / load->tau_s);

		run->z = alike * run->z + sqrt(1 - alike * alike) * normal(run);
	} else if ((load->on_off || load->bursts) && s >= run->until_s) {
		run->on = !run->on;
		run->until_s = s + (load->bursts && run->on ? burst_s : -log(uniform(run)) * (load->bursts ? calm_s : on_off_s));
		run->z = load->on_off && run->on ? on_level : 0;
		run->burst_level = burst_us * exp(burst_sd * normal(run));
	}
}

static double late_us(struct run *run)
{
	if (run->load->bursts && run->on)
		return run->later * run->burst_level * exp(in_burst_sd * normal(run));
	if (uniform(run) < tail_share * exp(tail_wander * run->z))
		return run->later * tail_us * exp(wander_sd * run->z + tail_sd * normal(run));
	return level_us * exp(wander_sd * run->z + level_sd * normal(run));
}

static struct run begin(const struct load *load, uint64_t seed, double later, double level)
{
	struct run run = { .load = load, .later = later, .level = level, .random = seed * 0x2545f4914f6cdd1d };

	if (load->tau_s > 0)
		run.z = normal(&run);
	run.on = load->on_off && uniform(&run) < 0.5;
	return run;
}

static double beyond(double z)
{
	return erfc(z / M_SQRT2) / 2;
}

static double share_at(double us, double z)
{
	double share = tail_share * exp(tail_wander * z);

	return (1 - share) * beyond((log(us / level_us) - wander_sd * z) / level_sd)
		+ share * beyond((log(us / tail_us) - wander_sd * z) / tail_sd);
}

static double share_above(const struct load *load, double us)
{
	double in_bursts = burst_s / (burst_s + calm_s), sum = 0, weights = 0;

	if (load->bursts)
		return in_bursts * beyond(log(us / burst_us) / hypot(burst_sd, in_burst_sd)) + (1 - in_bursts) * share_at(us, 0);
	if (load->on_off)
		return (share_at(us, 0) + share_at(us, on_level)) / 2;
	if (load->tau_s == 0)
		return share_at(us, 0);
	for (double z = -8; z <= 8; z += 0.01) {
		sum += exp(-z * z / 2) * share_at(us, z);
		weights += exp(-z * z / 2);
	}
	return sum / weights;
}

static double bursts_above(double us)
{
	double sum = 0, weights = 0;

	for (double z = -8; z <= 8; z += 0.01) {
		double share = beyond(log(us / burst_us / exp(burst_sd * z)) / in_burst_sd);

		sum += exp(-z * z / 2) * (1 - pow(1 - share, burst_s * HZ));
		weights += exp(-z * z / 2);
	}
	return sum / weights;
}

/* In a second. All that a burst has above it are one. */
static double episodes_above(const struct load *load, double us)
{
	if (!load->bursts)
		return HZ * share_above(load, us);
	return (bursts_above(us) + calm_s * HZ * share_at(us, 0)) / (burst_s + calm_s);
}

static double where(double (*above)(const struct load *, double), const struct load *load, double limit)
{
	double low = 1, high = 1e6;

	for (int i = 0; i < 100; i++) {
		double middle = sqrt(low * high);

		if (above(load, middle) > limit)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static double percentile(const struct load *load, double one_in)
{
	return where(share_above, load, 1 / one_in);
}

/* Bins of realfeel(5): 10 ns wide while they have no more digits than that, then ten times as wide. */
static unsigned bin_of(uint64_t ns, unsigned digits)
{
	unsigned decade = 0;
	uint64_t value = ns / 10;

	for (; value >= digits; value /= 10)
		decade++;
	return decade * digits + (unsigned)value;
}

static void print_edges(unsigned bin, unsigned digits)
{
	double width = pow(10, bin / digits) / 100;

	printf("%.2f %.2f", bin % digits * width, (bin % digits + 1) * width);
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
		ns = (uint64_t)(run->level * late_us(run) * 1e3);
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
		struct run run = begin(load, seed, later, level);

		printf("# realfeel 1\n");
		report(&run, &run, seconds);
	}
	for (unsigned cpu = 0; cpu < cpus; cpu++) {
		struct run shared = begin(load, seed, later, level), own = begin(load, ~(256 * seed + cpu), later, level);

		printf("# realfeel 1\n# part: %u of %u\n# cpu: %u\n", cpu + 1, cpus, cpu);
		report(&own, &shared, seconds);
	}
}

int main(int argc, char *argv[])
{
	const struct load *load = NULL;

	for (size_t i = 0; i < sizeof loads / sizeof *loads; i++)
		if (argc > 1 && !strcmp(argv[1], loads[i].name))
			load = &loads[i];
	if (!load) {
		fprintf(stderr, "draw: the first lines of draw.c say what may be given\n");
		return 1;
	}
	if (argc < 4)
		printf("%.4f %.4f %.4f %.4f\n", percentile(load, 2), percentile(load, 10), percentile(load, 100), percentile(load, 1000));
	else if (!strcmp(argv[2], "above"))
		printf("%.9g\n", share_above(load, strtod(argv[3], NULL)));
	else if (!strcmp(argv[2], "once"))
		printf("%.4f\n", where(episodes_above, load, 1 / strtod(argv[3], NULL)));
	else
		report_cpus(load, (unsigned)strtoul(argv[2], NULL, 10), strtoull(argv[3], NULL, 10),
			argc > 4 ? strtod(argv[4], NULL) : 1, argc > 5 ? strtod(argv[5], NULL) : 1,
			argc > 6 ? (unsigned)strtoul(argv[6], NULL, 10) : 0);
	return 0;
}
