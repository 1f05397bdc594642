// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

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

static const char not_a_number[] = "not a whole number; give digits only, as in 2048";
static const char not_a_time[] = "not a time; give a number and a unit, as in 250us or 12h";

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
		return "needs a unit; one of ns, us, ms, s, m, h, d";
	if (number * unit_ns > INT64_MAX)
		return "too long; give at most 292 years";
	*ns = number * unit_ns + 0.5L;
	return NULL;
}
