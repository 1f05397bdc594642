// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "tap.h"
#include "base/units.h"

static const struct {
	const char *text;
	uint64_t ns;
} times[] = {
	{ "0ns", 0 },
	{ "1ns", 1 },
	{ "250us", 250000 },
	{ "1.5ms", 1500000 },
	{ "0.3us", 300 },
	{ "10s", 10000000000 },
	{ "2m", 120000000000 },
	{ "12h", 43200000000000 },
	{ "7d", 604800000000000 },
	{ "0.5d", 43200000000000 },
	{ "106751d", 9223286400000000000 },
	{ ".5s", 500000000 },
	{ "9223372036s", 9223372036000000000 },
};

static const char *const bad_times[] = {
	"", "5", "s", "5 s", " 5s", "-5s", "+5s", "5S", "5sec", "1e3s", "0x10s", "inf", "nan",
	"infs", "1.2.3s", ".s", "1,5s", "5days", "106752d", "99999999999999999999s", "9223372037s",
};

static const struct {
	const char *text;
	uint64_t value;
} counts[] = {
	{ "1", 1 }, { "2048", 2048 }, { "007", 7 }, { "9223372036854775807", INT64_MAX },
};

static const char *const bad_counts[] = {
	"", "0", "-5", "+5", " 5", "5 ", "3x", "0x10", "1e6", "2.0", "-",
	"9223372036854775808", "99999999999999999999",
};

#define EACH(i, table) (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)

int main(void)
{
	uint64_t value;

	for EACH(i, times) {
		const char *reason = units_time(times[i].text, &value);

		if (ok(!reason, "%s is a time", times[i].text))
			is(value, times[i].ns, "%s in ns", times[i].text);
	}
	for EACH(i, bad_times) {
		value = 42;
		ok(units_time(bad_times[i], &value) && value == 42,
		   "\"%s\" is no time and changes nothing", bad_times[i]);
	}
	for EACH(i, counts) {
		const char *reason = units_count(counts[i].text, 1, INT64_MAX, &value);

		if (ok(!reason, "%s is a count", counts[i].text))
			is(value, counts[i].value, "%s as a number", counts[i].text);
	}
	for EACH(i, bad_counts) {
		value = 42;
		ok(units_count(bad_counts[i], 1, INT64_MAX, &value) && value == 42,
		   "\"%s\" is no count and changes nothing", bad_counts[i]);
	}
	is_text(units_count("100", 1, 99, &value), "out of range; give 1 to 99",
		"a count out of range names the range");
	return done();
}
