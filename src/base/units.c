// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers, times and limits, read and printed. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

#define PERCENT (LIMIT_WHOLE / 100)
#define DECIMALS 7			/* decimals of a percentage that is a whole number of shares */

static const struct unit {
	const char *name;
	uint64_t ns;
} units[] = {
	{ "ns", 1 },
	{ "us", 1000 },
	{ "ms", 1000 * 1000 },
	{ "s", 1000 * 1000 * 1000 },
	{ "m", 60 * UINT64_C(1000000000) },
	{ "h", 3600 * UINT64_C(1000000000) },
	{ "d", 86400 * UINT64_C(1000000000) },
};

enum { NS, US, MS, S };			/* their decimal places */

static const char not_a_number[] = "not a whole number; give digits only";
static const char not_a_time[] = "not a time; give a number and a unit, as in 250us or 12h";
static const char not_a_percentage[] = "what follows @ is not a percentage; give one, as in 100us@99.999";

const char *units_count(const char *text, uint64_t least, uint64_t most, uint64_t *value)
{
	unsigned long long number;
	const char *digits = text + (*text == '-');
	char *end;

	if (!isdigit((unsigned char)*digits))
		return not_a_number;
	errno = 0;
	number = strtoull(digits, &end, 10);
	if (*end)
		return not_a_number;
	if (errno || digits != text || number < least || number > most) {
		static char out_of_range[80];

		snprintf(out_of_range, sizeof(out_of_range), "out of range; give %" PRIu64 " to %" PRIu64, least, most);
		return out_of_range;
	}
	*value = number;
	return NULL;
}

const char *units_time(const char *text, uint64_t *ns)
{
	uint64_t unit_ns = 0;
	long double number;
	char *end;

	/* strtold alone would take "inf", "0x1p3" and leading blanks. */
	if (strspn(text, "0123456789.") == 0)
		return not_a_time;
	number = strtold(text, &end);
	if (end != text + strspn(text, "0123456789."))
		return not_a_time;
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (!strcmp(units[i].name, end))
			unit_ns = units[i].ns;
	if (!unit_ns)
		return "has none of the units ns, us, ms, s, m, h and d; give one, as in 250us";
	if (number * unit_ns > INT64_MAX)
		return "too long; give at most 292 years";
	*ns = number * unit_ns + 0.5L;
	return NULL;
}

const char *units_spell(uint64_t ns, const char *gap, char text[UNITS_TEXT])
{
	const struct unit *unit = &units[S];
	char decimals[24], *end;

	while (unit > &units[NS] && ns < unit->ns)
		unit--;
	/* A 1 before the digits keeps their leading zeros. */
	end = decimals + snprintf(decimals, sizeof(decimals), "%" PRIu64, unit->ns + ns % unit->ns);
	while (end > decimals + 1 && end[-1] == '0')
		*--end = '\0';
	snprintf(text, UNITS_TEXT, "%" PRIu64 "%s%s%s%s", ns / unit->ns, decimals[1] ? "." : "", decimals + 1, gap,
		 unit->name);
	return text;
}

/* A value that is rounded up to 1000 takes the next unit. */
const char *units_figure(int64_t ns, char text[UNITS_TEXT])
{
	const struct unit *unit = &units[US];
	double value = ns / (double)unit->ns;
	int decimals;

	while (fabs(value) >= 999.95 && unit < &units[S])
		value = ns / (double)(++unit)->ns;
	decimals = fabs(value) < 9.9995 ? 3 : fabs(value) < 99.995 ? 2 : fabs(value) < 999.95 ? 1 : 0;
	snprintf(text, UNITS_TEXT, "%.*f %s", decimals, value, unit->name);
	return text;
}

/* "99.999" as a share of LIMIT_WHOLE. */
static const char *read_percentage(const char *text, uint64_t *share)
{
	size_t whole = strspn(text, "0123456789"), point = text[whole] == '.';
	size_t decimals = strspn(text + whole + point, "0123456789");
	uint64_t value = 0, unit = PERCENT;

	if (!whole || text[whole + point + decimals] || point > decimals)
		return not_a_percentage;
	if (decimals > DECIMALS)
		return "so small a share cannot be counted; give at most 7 decimals";
	for (size_t i = 0; i < whole && value < LIMIT_WHOLE; i++)
		value = 10 * value + (text[i] - '0') * (uint64_t)PERCENT;
	for (size_t i = whole + 1; i <= whole + decimals; i++)
		value += (text[i] - '0') * (unit /= 10);
	*share = value;
	return NULL;
}

const char *limit_parse(const char *text, struct limit *limit)
{
	const char *at = strchr(text, '@'), *reason;
	uint64_t ns, kept = LIMIT_WHOLE;
	char time[64];

	snprintf(time, sizeof(time), "%.*s", at ? (int)(at - text) : (int)strlen(text), text);
	reason = units_time(time, &ns);
	if (!reason && at)
		reason = read_percentage(at + 1, &kept);
	if (reason)
		return reason;
	if (!ns)
		return "must be more than 0, as in 150us";
	if (at && (kept < LIMIT_WHOLE / 2 || kept >= LIMIT_WHOLE))
		return "the percentage is not from 50 to below 100; give one, as in 100us@99.999, or leave it out";
	*limit = (struct limit){ ns, LIMIT_WHOLE - kept };
	return NULL;
}

const char *limit_percent(const struct limit *limit, char text[LIMIT_TEXT])
{
	uint32_t kept = LIMIT_WHOLE - limit->share;
	char *end = text + snprintf(text, LIMIT_TEXT, "%u.%0*u", kept / PERCENT, DECIMALS, kept % PERCENT);

	while (end[-1] == '0')
		*--end = '\0';
	if (end[-1] == '.')
		end[-1] = '\0';
	return text;
}

const char *limit_text(const struct limit *limit, char text[LIMIT_TEXT])
{
	char time[UNITS_TEXT], percent[LIMIT_TEXT];

	units_spell(limit->ns, "", time);
	snprintf(text, LIMIT_TEXT, "%s%s%.16s", time, limit->share ? "@" : "",
		 limit->share ? limit_percent(limit, percent) : "");
	return text;
}

/* Rounded down; count times share might not fit. */
uint64_t limit_allows(const struct limit *limit, uint64_t count)
{
	return count / LIMIT_WHOLE * limit->share + count % LIMIT_WHOLE * limit->share / LIMIT_WHOLE;
}
