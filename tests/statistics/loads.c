// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stddef.h>
#include <string.h>
#include "loads.h"

static const double level_us = 20, level_sd = 0.2, tail_us = 60, tail_sd = 0.3, tail_share = 0.004;
static const double burst_us = 300, burst_sd = 0.3, in_burst_sd = 0.5, burst_s = 0.05;
static const double mode_us = 200, mode_sd = 0.1;
static const double job_us = 100, job_sd = 0.5, in_job_sd = 0.3, job_length_s = 0.5, job_length_sd = 0.5;
static const double cluster_us = 60, cluster_index = 1.5, hits_index = 1.2;
static const int hits_max = 400;

static const struct load loads[] = {
	{ .name = "independent" },
	{ .name = "wander-2", .wander = 0.1, .tail_wander = 0.5, .tau_s = 2 },
	{ .name = "wander-20", .wander = 0.1, .tail_wander = 0.5, .tau_s = 20 },
	{ .name = "on-off", .wander = 0.1, .tail_wander = 0.5, .on_s = 20, .off_s = 20, .on = 2 },
	{ .name = "bursts", .calm_s = 5 },
	{ .name = "bursts-2", .calm_s = 2 },
	{ .name = "pareto", .pareto = 1 },
	{ .name = "mode-0.1", .mode_share = 0.001 },
	{ .name = "mode-2", .mode_share = 0.02 },
	{ .name = "grid", .grid = 1 },
	{ .name = "level-5", .wander = 0.3, .tau_s = 5 },
	{ .name = "level-60", .wander = 0.5, .tau_s = 60 },
	{ .name = "on-off-7", .wander = 0.7, .on_s = 7, .off_s = 7, .on = 1 },
	{ .name = "jobs-10", .wander = 0.7, .on_s = 10, .off_s = 110, .on = 1 },
	{ .name = "sine-45", .wander = 0.3, .sine_s = 45 },
	{ .name = "drift-0.5", .wander = 0.005, .drift = 1 },
	{ .name = "drift-20", .wander = 0.2, .drift = 1 },
	{ .name = "cron", .job_s = 15 },
	{ .name = "dvfs", .wander = 0.35, .least_stay_s = 0.2, .most_stay_s = 30, .mode_share = 0.005 },
	{ .name = "cluster", .cluster_s = 1 },
	{ .name = "stall-80", .stall_ms = 80 },
	{ .name = "stalls-20", .stall_ms = 20, .stalls_s = 60 },
};

const struct load *find_load(const char *name)
{
	for (size_t i = 0; i < sizeof loads / sizeof *loads; i++)
		if (!strcmp(name, loads[i].name))
			return &loads[i];
	return NULL;
}

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

/* A burst of calm_s, a job of job_s, or a cluster of cluster_s; else z is on for a while. */
static void turn(struct run *run, double s)
{
	const struct load *load = run->load;

	run->on = !run->on;
	run->z = run->on ? load->on : 0;
	if (load->calm_s > 0) {
		run->until_s = s + (run->on ? burst_s : -log(uniform(run)) * load->calm_s);
		run->burst_level = burst_us * exp(burst_sd * normal(run));
	} else if (load->job_s > 0) {
		run->until_s = run->on ? s + job_length_s * exp(job_length_sd * normal(run))
			: run->phase + load->job_s * ceil((s - run->phase) / load->job_s);
		run->burst_level = job_us * exp(job_sd * normal(run));
	} else if (load->cluster_s > 0) {
		run->until_s = s + (run->on ? fmin(hits_max, floor(pow(uniform(run), -1 / hits_index))) / HZ - 0.5 / HZ
			: -log(uniform(run)) * load->cluster_s);
	} else {
		run->until_s = s - log(uniform(run)) * (run->on ? load->on_s : load->off_s);
	}
}

/* A time whose density falls with its square. */
static double stay_s(struct run *run)
{
	double least = 1 / run->load->most_stay_s, most = 1 / run->load->least_stay_s;

	return 1 / (most - uniform(run) * (most - least));
}

void move_on(struct run *run, double s)
{
	const struct load *load = run->load;

	if (load->tau_s > 0) {
		double alike = exp(-1.0 / HZ / load->tau_s);

		run->z = alike * run->z + sqrt(1 - alike * alike) * normal(run);
	} else if ((load->on_s > 0 || load->calm_s > 0 || load->job_s > 0 || load->cluster_s > 0) && s >= run->until_s) {
		turn(run, s);
	} else if (load->most_stay_s > 0 && s >= run->until_s) {
		run->until_s = s + stay_s(run);
		run->z = floor(4 * uniform(run));
	} else if (load->sine_s > 0) {
		run->z = sin(run->phase + 2 * M_PI * s / load->sine_s);
	} else if (load->drift) {
		run->z = s / run->seconds - 0.5;
	} else if (load->stalls_s > 0 && s >= run->stall_s + load->stall_ms / 1e3) {
		run->stall_s = s - log(uniform(run)) * load->stalls_s;
	}
}

static double own_us(struct run *run)
{
	const struct load *load = run->load;

	if (load->pareto)
		return run->later * level_us / sqrt(uniform(run));
	if (load->cluster_s > 0 && run->on)
		return run->later * cluster_us * pow(uniform(run), -1 / cluster_index);
	if ((load->calm_s > 0 || load->job_s > 0) && run->on)
		return run->later * run->burst_level * exp((load->calm_s > 0 ? in_burst_sd : in_job_sd) * normal(run));
	if (load->mode_share > 0 && uniform(run) < load->mode_share)
		return run->later * mode_us * exp(mode_sd * normal(run));
	if (uniform(run) < tail_share * exp(load->tail_wander * run->z))
		return run->later * tail_us * exp(load->wander * run->z + tail_sd * normal(run));
	return level_us * exp(load->wander * run->z + level_sd * normal(run));
}

/* What is due in a stall waits for its end. */
double late_us(struct run *run, double s)
{
	double us = own_us(run), end_s = run->stall_s + run->load->stall_ms / 1e3;

	if (run->load->stall_ms > 0 && s >= run->stall_s && s < end_s)
		us += run->later * (end_s - s) * 1e6;
	return run->load->grid ? floor(us) : us;
}

static double on_share(const struct load *load)
{
	return load->on_s / (load->on_s + load->off_s);
}

struct run begin(const struct load *load, double seconds, uint64_t seed, double later, double level)
{
	struct run run = { .load = load, .later = later, .level = level, .seconds = seconds, .random = seed * 0x2545f4914f6cdd1d };

	if (load->tau_s > 0)
		run.z = normal(&run);
	run.on = load->on_s > 0 && uniform(&run) < 1 - on_share(load);     /* which move_on() turns at once */
	if (load->job_s > 0)
		run.on = 1, run.phase = load->job_s * uniform(&run);
	if (load->most_stay_s > 0) {    /* what is left of a stay, which is rather a long one */
		run.z = floor(4 * uniform(&run));
		run.until_s = uniform(&run) * load->least_stay_s * pow(load->most_stay_s / load->least_stay_s, uniform(&run));
	}
	if (load->sine_s > 0)
		run.phase = 2 * M_PI * uniform(&run);
	if (load->stall_ms > 0)
		run.stall_s = load->stalls_s > 0 ? -log(uniform(&run)) * load->stalls_s : (seconds - load->stall_ms / 1e3) * uniform(&run);
	return run;
}

static double beyond(double z)
{
	return erfc(z / M_SQRT2) / 2;
}

static double share_at(const struct load *load, double us, double z)
{
	double share = tail_share * exp(load->tail_wander * z);
	double usual = (1 - share) * beyond((log(us / level_us) - load->wander * z) / level_sd)
		+ share * beyond((log(us / tail_us) - load->wander * z) / tail_sd);

	return usual + load->mode_share * (beyond(log(us / mode_us) / mode_sd) - usual);
}

/* The mean over all z, each as often as it is taken. */
static double share_over(const struct load *load, double us)
{
	double sum = 0, weights = 0;

	if (load->on_s > 0)
		return (1 - on_share(load)) * share_at(load, us, 0) + on_share(load) * share_at(load, us, load->on);
	for (int z = 0; z < 4 && load->most_stay_s > 0; z++)
		sum += share_at(load, us, z) / 4;
	if (load->most_stay_s > 0)
		return sum;
	for (int i = -800; i <= 800; i++) {
		double z = i / 100.0, weight = load->tau_s > 0 ? exp(-z * z / 2) : 1;

		if (load->sine_s > 0)
			z = sin(M_PI / 2 * z / 8);
		else if (load->drift)
			z /= 16;
		else if (load->tau_s == 0)
			return share_at(load, us, 0);
		sum += weight * share_at(load, us, z);
		weights += weight;
	}
	return sum / weights;
}

/* Of the wake-ups of a load that has clusters. */
static double in_clusters(const struct load *load)
{
	double hits = 0;

	for (int i = 1; i <= hits_max; i++)
		hits += pow(i, -hits_index);
	return hits / (hits + load->cluster_s * HZ);
}

double share_above(const struct load *load, double seconds, double us)
{
	double in_bursts = burst_s / (burst_s + load->calm_s), stall_s = load->stall_ms / 1e3, stalled, usual;

	if (load->grid)
		us = ceil(us);
	if (load->pareto)
		return us < level_us ? 1 : pow(level_us / us, 2);
	if (load->calm_s > 0)
		return in_bursts * beyond(log(us / burst_us) / hypot(burst_sd, in_burst_sd)) + (1 - in_bursts) * share_at(load, us, 0);
	if (load->job_s > 0) {
		double in_jobs = job_length_s * exp(job_length_sd * job_length_sd / 2) / load->job_s;

		return in_jobs * beyond(log(us / job_us) / hypot(job_sd, in_job_sd)) + (1 - in_jobs) * share_at(load, us, 0);
	}
	if (load->cluster_s > 0) {
		double hit = us < cluster_us ? 1 : pow(cluster_us / us, cluster_index);

		return in_clusters(load) * hit + (1 - in_clusters(load)) * share_at(load, us, 0);
	}
	usual = share_over(load, us);
	stalled = load->stall_ms > 0 ? stall_s / (load->stalls_s > 0 ? load->stalls_s + stall_s : seconds) : 0;
	return usual + stalled * (fmax(usual, 1 - fmax(0, us - level_us) / load->stall_ms / 1e3) - usual);
}

/* The value above which the share is less than that. */
double percentile(const struct load *load, double seconds, double one_in)
{
	double low = 1, high = 1e7;

	for (int i = 0; i < 100; i++) {
		double middle = sqrt(low * high);

		if (share_above(load, seconds, middle) > 1 / one_in)
			low = middle;
		else
			high = middle;
	}
	return low;
}
