/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bins, exact extremes and exact sums. Pure: no I/O, no allocation.
 *
 * Bins are decimal with four significant digits: 10 ns wide below 100 us,
 * 100 ns below 1 ms, ten times as wide for each further decade up to 1000 s;
 * the last one is open. Every decimal boundary is a bin boundary, so files
 * merge by adding and regroup exactly.
 */
#ifndef HIST_H
#define HIST_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define HIST_BINS 73001
#ifndef HIST_STEP
#define HIST_STEP 10			/* ns: the width of a fine bin */
#endif
#define HIST_FINE (10000 * HIST_STEP)	/* ns: bins are fine below this */

/* The same with two significant digits, for slices. */
#define HIST_COARSE_BINS 911

unsigned hist_bin(uint64_t ns);
uint64_t hist_lower_ns(unsigned bin);		/* a bin ends where the next begins */
unsigned hist_coarse_bin(uint64_t ns);
uint64_t hist_coarse_lower_ns(unsigned bin);

/*
 * Interval errors have a sign, and so two rows of bins that meet in the
 * middle: from it upwards those of 0 and more, from it downwards the negative
 * ones by their magnitude.
 */
#define HIST_ERROR_BINS (2 * HIST_BINS)

static inline unsigned hist_interval_index(unsigned bin)
{
	return HIST_BINS + bin;
}

static inline unsigned hist_early_index(unsigned bin)
{
	return HIST_BINS - 1 - bin;
}

/*
 * 128 bits, two's complement: 32-bit machines have no __int128, and one sample
 * of 4.3 s squared fills 64.
 */
struct u128 {
	uint64_t high, low;
};

struct u128 u128_add(struct u128 a, struct u128 b);
struct u128 u128_from(int64_t value);
struct u128 u128_square(int64_t value);
long double u128_to_real(struct u128 value);
#define U128_DIGITS 41				/* a sign, 39 digits, the end */
char *u128_to_text(struct u128 value, char text[U128_DIGITS]);

/* Of any number of values in ns. Empty: min = INT64_MAX, max = INT64_MIN. */
struct moments {
	int64_t min, max;
	struct u128 sum, sumsq;
};

void moments_clear(struct moments *moments);
void moments_add(struct moments *moments, int64_t value);

/* Add first, first - step, first - 2 * step ...: so many values, 1 or more. */
void moments_add_steps(struct moments *moments, int64_t first, uint64_t step, uint64_t count);

void moments_merge(struct moments *into, const struct moments *from);

/*
 * What the fast path may take: there it needs to look at no extreme, and every
 * bin is a fine one.
 */
struct range {
	int64_t least;
	uint64_t size;		/* 0: nothing */
};

/*
 * One stretch of the run, while it is being measured. What the fast path
 * counts stands first. It does not look whether there is room: who takes it
 * does so once for many samples. Up to HIST_ROOM, and a fourth more, neither
 * the 32-bit bins can overflow nor the plain 64-bit sums, for each value is
 * less than HIST_FINE ns.
 */
#define HIST_ROOM (UINT64_C(1) << 30)

struct live {
	_Atomic bool wanted;		/* the loop is to look up: see channel.h */
	uint64_t samples;
	uint64_t to_ns;			/* the last wake-up's stamp */
	uint64_t late_sum, late_sumsq, error_sumsq;
	struct range late_range, error_range;

	uint64_t from_ns;		/* the stamp of the wake-up before the first sample */
	uint64_t missed;
	uint64_t early_wakeups;
	struct moments late, error;	/* extremes of all; sums of what the fast path did not take */
	uint32_t lateness[HIST_BINS];
	uint32_t errors[HIST_ERROR_BINS];
};

/* Make it empty, whatever it was. */
void live_clear(struct live *live);

/* The bins that values between these extremes can be in: first to end - 1. */
struct span {
	unsigned first, end;
};

struct span hist_late_span(const struct moments *late);
struct span hist_error_span(const struct moments *error);

static inline bool range_holds(const struct range *range, int64_t value)
{
	return (uint64_t)(value - range->least) < range->size;
}

/*
 * Count a sample that both ranges hold and that served one period. The count
 * is stored first and the bins last, so that they tell when a kill came between.
 */
static inline void live_count_fast(struct live *live, uint64_t now, int64_t late, int64_t error)
{
	/* The bins of negative errors end, not begin, at a multiple of the step: hence the 1. */
	uint32_t from_least = error - (error < 0) + HIST_FINE;

	live->samples++;
	atomic_signal_fence(memory_order_seq_cst);
	live->to_ns = now;
	live->late_sum += late;
	live->late_sumsq += late * late;
	live->error_sumsq += error * error;
	atomic_signal_fence(memory_order_seq_cst);
	live->errors[HIST_BINS - HIST_FINE / HIST_STEP + from_least / HIST_STEP]++;
	live->lateness[(uint32_t)late / HIST_STEP]++;
}

/* Would so many periods more fit the counters? */
bool live_has_room(const struct live *live, uint64_t periods);

/*
 * Count any sample: late is the lateness of the oldest of the periods that it
 * served; each younger one was late by one period less. Returns false, and
 * counts nothing, when so many periods would not fit the counters.
 */
bool live_count(struct live *live, uint64_t now, int64_t late, int64_t error,
		uint64_t periods, uint64_t period_ns);

/*
 * Let the fast path take what is no new extreme, lies in fine bins, is less
 * than a period late and no later than ordinary.
 */
void live_set_ranges(struct live *live, uint64_t period_ns, int64_t ordinary);

/* Do the bins add up to the counts? Not when the meter was killed while it counted. */
bool live_is_whole(const struct live *live);

#endif
