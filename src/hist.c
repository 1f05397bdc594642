// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "hist.h"

#define FOUR_DIGITS 10000
#define TWO_DIGITS 100

/*
 * A value keeps its leading digits and loses one digit a decade; each decade
 * adds the bins that the one before does not cover, which is nine in ten.
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

struct wide wide_add(struct wide a, struct wide b)
{
	struct wide sum = { a.high + b.high, a.low + b.low };

	sum.high += sum.low < a.low;
	return sum;
}

struct wide wide_from(int64_t value)
{
	return (struct wide){ value < 0 ? UINT64_MAX : 0, (uint64_t)value };
}

static uint64_t magnitude_of(int64_t value)
{
	return value < 0 ? -(uint64_t)value : (uint64_t)value;
}

struct wide wide_square(int64_t value)
{
	uint64_t magnitude = magnitude_of(value);
	uint64_t high = magnitude >> 32, low = (uint32_t)magnitude;
	uint64_t cross = high * low;	/* counts twice, at bit 32 */
	struct wide square = { high * high, low * low };

	return wide_add(square, (struct wide){ cross >> 31, cross << 33 });
}

static struct wide negate(struct wide value)
{
	return wide_add((struct wide){ ~value.high, ~value.low }, wide_from(1));
}

long double wide_to_real(struct wide value)
{
	if (value.high >> 63)
		return -wide_to_real(negate(value));
	return value.high * 18446744073709551616.0L + value.low;
}

/* Divide by ten in 32-bit steps; returns the remainder: the last digit. */
static unsigned drop_digit(struct wide *value)
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

char *wide_to_text(struct wide value, char text[WIDE_DIGITS])
{
	bool negative = value.high >> 63;
	char *start = &text[WIDE_DIGITS - 1];

	if (negative)
		value = negate(value);
	*start = '\0';
	do
		*--start = '0' + drop_digit(&value);
	while (value.high || value.low);
	if (negative)
		*--start = '-';
	return memmove(text, start, text + WIDE_DIGITS - start);
}

void moments_clear(struct moments *moments)
{
	*moments = (struct moments){ .min = INT64_MAX, .max = INT64_MIN };
}

static void stretch(struct moments *moments, int64_t min, int64_t max)
{
	if (min < moments->min)
		moments->min = min;
	if (max > moments->max)
		moments->max = max;
}

void moments_add(struct moments *moments, int64_t value)
{
	stretch(moments, value, value);
	moments->sum = wide_add(moments->sum, wide_from(value));
	moments->sumsq = wide_add(moments->sumsq, wide_square(value));
}

void moments_merge(struct moments *into, const struct moments *from)
{
	stretch(into, from->min, from->max);
	into->sum = wide_add(into->sum, from->sum);
	into->sumsq = wide_add(into->sumsq, from->sumsq);
}

static unsigned error_index(int64_t error)
{
	unsigned bin = hist_bin(magnitude_of(error));

	return error < 0 ? hist_early_index(bin) : hist_interval_index(bin);
}

/* Early wake-ups are in the first bin. */
static unsigned late_index(int64_t late)
{
	return hist_bin(late > 0 ? late : 0);
}

struct span hist_late_span(const struct moments *late)
{
	if (late->min > late->max)
		return (struct span){ 0, 0 };
	return (struct span){ late_index(late->min), late_index(late->max) + 1 };
}

struct span hist_error_span(const struct moments *error)
{
	if (error->min > error->max)
		return (struct span){ 0, 0 };
	return (struct span){ error_index(error->min), error_index(error->max) + 1 };
}

void live_clear(struct live *live)
{
	memset(live, 0, sizeof(*live));
	moments_clear(&live->late);
	moments_clear(&live->error);
}

static struct range between(int64_t least, int64_t most)
{
	return (struct range){ least, least <= most ? most - least + 1 : 0 };
}

static int64_t at_least(int64_t value, int64_t bound)
{
	return value > bound ? value : bound;
}

static int64_t at_most(int64_t value, int64_t bound)
{
	return value < bound ? value : bound;
}

void live_set_ranges(struct live *live, uint64_t period_ns, int64_t ordinary)
{
	int64_t most = at_most(at_most(live->late.max, ordinary), HIST_FINE - 1);

	live->late_range = between(at_least(live->late.min, 0), at_most(most, period_ns - 1));
	live->error_range = between(at_least(live->error.min, 1 - HIST_FINE),
				    at_most(live->error.max, HIST_FINE - 1));
}

bool live_count(struct live *live, uint64_t now, int64_t late, int64_t error,
		uint64_t periods, uint64_t period_ns)
{
	if (periods > HIST_ROOM - live->samples - live->missed)
		return false;
	live->samples++;
	live->missed += periods - 1;
	live->early_wakeups += late < 0;
	live->to_ns = now;
	moments_add(&live->error, error);
	live->errors[error_index(error)]++;
	for (; periods; periods--, late -= period_ns) {
		moments_add(&live->late, late);
		live->lateness[late_index(late)]++;
	}
	return true;
}

bool live_is_whole(const struct live *live)
{
	uint64_t lateness = 0, errors = 0;

	for (unsigned bin = 0; bin < HIST_BINS; bin++)
		lateness += live->lateness[bin];
	for (unsigned i = 0; i < HIST_ERROR_BINS; i++)
		errors += live->errors[i];
	return errors == live->samples && lateness == live->samples + live->missed;
}
