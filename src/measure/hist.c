// SPDX-License-Identifier: GPL-2.0-or-later
/* Bins, and sums of 128 bits. */
#include <string.h>

#include "measure/hist.h"

#define FOUR_DIGITS 10000
#define TWO_DIGITS 100

/*
 * A value keeps its leading digits. Each further decade adds 9/10 * digits bins, because the decades before it cover
 * the first tenth.
 */
static unsigned decimal_bin(uint64_t ns, unsigned digits, unsigned bins)
{
	uint64_t value = ns / HIST_STEP;
	uint64_t base = 0;

	while (value >= digits) {
		value /= 10;
		base += digits / 10 * 9;
	}
	return base + value < bins ? base + value : bins - 1;
}

static uint64_t decimal_lower_ns(unsigned bin, unsigned digits)
{
	uint64_t width = HIST_STEP;

	while (bin >= digits) {
		bin -= digits / 10 * 9;
		width *= 10;
	}
	return bin * width;
}

unsigned hist_bin(uint64_t ns)
{
	return decimal_bin(ns, FOUR_DIGITS, HIST_BINS);
}

uint64_t hist_lower_ns(unsigned bin)
{
	return decimal_lower_ns(bin, FOUR_DIGITS);
}

unsigned hist_coarse_bin(uint64_t ns)
{
	return decimal_bin(ns, TWO_DIGITS, HIST_COARSE_BINS);
}

uint64_t hist_coarse_lower_ns(unsigned bin)
{
	return decimal_lower_ns(bin, TWO_DIGITS);
}

struct u128 u128_add(struct u128 a, struct u128 b)
{
	struct u128 sum = { a.high + b.high, a.low + b.low };

	sum.high += sum.low < a.low;
	return sum;
}

struct u128 u128_from(int64_t value)
{
	return (struct u128){ value < 0 ? UINT64_MAX : 0, (uint64_t)value };
}

static uint64_t magnitude_of(int64_t value)
{
	return value < 0 ? -(uint64_t)value : (uint64_t)value;
}

static struct u128 product(uint64_t a, uint64_t b)
{
	uint64_t a_high = a >> 32, a_low = (uint32_t)a;
	uint64_t b_high = b >> 32, b_low = (uint32_t)b;
	uint64_t one = a_high * b_low, other = a_low * b_high;
	struct u128 sum = { a_high * b_high, a_low * b_low };

	sum = u128_add(sum, (struct u128){ one >> 32, one << 32 });
	return u128_add(sum, (struct u128){ other >> 32, other << 32 });
}

static struct u128 square(int64_t value)
{
	uint64_t magnitude = magnitude_of(value);

	return product(magnitude, magnitude);
}

/* Modulo 2^128, whatever the sign. */
static struct u128 times(struct u128 value, uint64_t factor)
{
	struct u128 result = product(value.low, factor);

	result.high += value.high * factor;
	return result;
}

static struct u128 negate(struct u128 value)
{
	return u128_add((struct u128){ ~value.high, ~value.low }, u128_from(1));
}

long double u128_to_real(struct u128 value)
{
	if (value.high >> 63)
		return -u128_to_real(negate(value));
	return value.high * 18446744073709551616.0L + value.low;
}

/* Divide by ten in 32-bit steps; returns the remainder: the last digit. */
static unsigned drop_digit(struct u128 *value)
{
	uint32_t part[4] = { value->high >> 32, value->high, value->low >> 32, value->low };
	uint64_t rest = 0;

	for (int i = 0; i < 4; i++) {
		rest = rest << 32 | part[i];
		part[i] = rest / 10;
		rest %= 10;
	}
	value->high = (uint64_t)part[0] << 32 | part[1];
	value->low = (uint64_t)part[2] << 32 | part[3];
	return rest;
}

char *u128_to_text(struct u128 value, char text[U128_DIGITS])
{
	bool negative = value.high >> 63;
	char *start = &text[U128_DIGITS - 1];

	if (negative)
		value = negate(value);
	*start = '\0';
	do
		*--start = '0' + drop_digit(&value);
	while (value.high || value.low);
	if (negative)
		*--start = '-';
	return memmove(text, start, text + U128_DIGITS - start);
}

void moments_clear(struct moments *moments)
{
	*moments = (struct moments){ .min = INT64_MAX, .max = INT64_MIN };
}

void moments_add(struct moments *moments, int64_t value)
{
	moments_merge(moments, &(struct moments){ value, value, u128_from(value), square(value) });
}

void moments_merge(struct moments *into, const struct moments *from)
{
	into->min = lesser(into->min, from->min);
	into->max = greater(into->max, from->max);
	into->sum = u128_add(into->sum, from->sum);
	into->sumsq = u128_add(into->sumsq, from->sumsq);
}

/*
 * In closed form: pairs is the sum of i for i = 0 to count - 1, squares the sum
 * of i^2. The result equals that of single additions, modulo 2^128.
 */
void moments_add_steps(struct moments *moments, int64_t first, uint64_t step, uint64_t count)
{
	uint64_t pairs = count * (count - 1) / 2, odd = 2 * count - 1;
	struct u128 squares = odd % 3 ? product(pairs / 3, odd) : product(pairs, odd / 3);
	struct u128 cross = times(times(u128_from(first), step), 2 * pairs);
	struct moments steps = { .min = first - (count - 1) * step, .max = first };

	steps.sum = u128_add(times(u128_from(first), count), negate(product(step, pairs)));
	steps.sumsq = u128_add(times(square(first), count), negate(cross));
	steps.sumsq = u128_add(steps.sumsq, times(times(squares, step), step));
	moments_merge(moments, &steps);
}
