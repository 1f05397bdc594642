/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bins, exact extremes and exact sums. Pure: no I/O, no allocation.
 *
 * Bins are decimal with four significant digits: 10 ns wide below 100 us, 100 ns
 * below 1 ms, and ten times as wide in each further decade up to 1000 s; the last
 * bin is open. Each power of ten is a boundary, so files merge by addition, and
 * bins can be regrouped exactly.
 */
#ifndef MEASURE_HIST_H
#define MEASURE_HIST_H

#include <stdbool.h>
#include <stdint.h>

#define HIST_BINS 73001
#ifndef HIST_STEP
#define HIST_STEP 10			/* ns: the width of a fine bin */
#endif
#define HIST_FINE (10000 * HIST_STEP)	/* ns: bins are fine below this */

/* Coarse bins have two significant digits. */
#define HIST_COARSE_BINS 911

unsigned hist_bin(uint64_t ns);
uint64_t hist_lower_ns(unsigned bin);		/* a bin ends where the next begins */
unsigned hist_coarse_bin(uint64_t ns);
uint64_t hist_coarse_lower_ns(unsigned bin);

/* 128 bits, two's complement: the square of 4.3 s in ns fills 64 bits, and 32-bit machines have no __int128. */
struct u128 {
	uint64_t high, low;
};

struct u128 u128_add(struct u128 a, struct u128 b);
struct u128 u128_from(int64_t value);
long double u128_to_real(struct u128 value);
#define U128_DIGITS 41				/* a sign, 39 digits, the end */
char *u128_to_text(struct u128 value, char text[U128_DIGITS]);

static inline int64_t lesser(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static inline int64_t greater(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* The moments of any number of values in ns. Without values: min = INT64_MAX, max = INT64_MIN. */
struct moments {
	int64_t min, max;
	struct u128 sum, sumsq;
};

void moments_clear(struct moments *moments);
void moments_add(struct moments *moments, int64_t value);

/* Add count values, 1 or more: first, first - step, first - 2 * step ... */
void moments_add_steps(struct moments *moments, int64_t first, uint64_t step, uint64_t count);

void moments_merge(struct moments *into, const struct moments *from);

#endif
