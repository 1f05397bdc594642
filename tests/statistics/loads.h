// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Loads whose truth is known, as latenesses in us at 2048 Hz.
 *
 * A lateness is near 20 us, log-normal; one in 250 is of the tail, near 60 us. The load's level moves both, and may move
 * the size of the tail.
 */
#ifndef LOADS_H
#define LOADS_H

#include <stdint.h>

enum { HZ = 2048 };

/* The level is exp(wander * z), and the tail exp(tail_wander * z) times as large, where z is 0 or moves as given here. */
struct load {
	const char *name;
	double wander, tail_wander;
	double tau_s;           /* z is an Ornstein-Uhlenbeck process with this time constant, of variance 1 */
	double on_s, off_s, on; /* z is on or 0, for so long each on average */
	double sine_s;          /* z is a sine */
	int drift;              /* z rises from -0.5 to 0.5 during the run */
	double calm_s;          /* between bursts of 50 ms near 300 us, on average */
	double stall_ms;        /* for so long nothing runs: */
	double stalls_s;        /* once in so many seconds, at random; 0: once in each run */
	double job_s;           /* a job once in so many seconds, of log-normal length; each has its own latenesses near 100 us */
	double least_stay_s, most_stay_s;       /* z is 0, 1, 2 or 3, each for a time of a power law */
	double cluster_s;       /* between clusters of late wake-ups, on average; their number and lateness follow power laws */
	double mode_share;      /* a second mode near 200 us, of this share */
	int pareto;             /* all values are of a Pareto distribution of index 2, from 20 us */
	int grid;               /* whole microseconds */
};

struct run {
	const struct load *load;
	double later, level, seconds, z, until_s, burst_level, phase, stall_s;
	int on;
	uint64_t random;
};

/* NULL where there is no such load. */
const struct load *find_load(const char *name);

/* Of so many seconds. The tail's values are later, and the level is that of the run, times as large as usual. */
struct run begin(const struct load *load, double seconds, uint64_t seed, double later, double level);

/* The load as it is at that second, one period after the last. */
void move_on(struct run *run, double s);
double late_us(struct run *run, double s);

/* Of all such runs of so many seconds: the share above that, and the value that one in so many exceeds. */
double share_above(const struct load *load, double seconds, double us);
double percentile(const struct load *load, double seconds, double one_in);

#endif
