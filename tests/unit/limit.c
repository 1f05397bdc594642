// SPDX-License-Identifier: GPL-2.0-or-later
/* The limit of --max: read, written, and counted with. */
#include <string.h>

#include "base/units.h"
#include "tap.h"

static const struct {
	const char *typed, *shortest;
	uint64_t ns;
	uint32_t share;
} good[] = {
	{ "100us", "100us", 100000, 0 },
	{ "1500us@99.9990", "1.5ms@99.999", 1500000, 10000 },
	{ "250ns@50", "250ns@50", 250, 500000000 },
	{ "1000us@99.9999999", "1ms@99.9999999", 1000000, 1 },
	{ "0.5h@099.05", "1800s@99.05", UINT64_C(1800000000000), 9500000 },
	{ "1.000000001s@50.0000001", "1.000000001s@50.0000001", 1000000001, 499999999 },
	{ "10.05us@90", "10.05us@90", 10050, 100000000 },
};

static const char *const bad[] = {
	"", "5", "0us", "@99", "100us@", "100us@.", "100us@.5", "100us@9.", "100us@99.99999999", "100us@100", "100us@0",
	"100us@0.9999", "100us@49.9999999", "100us@0.0000000", "100us@-5", "100us@99%", "100us@9e1",
	"100us@1.2.3", "100us@99@99", "100us@99999999999999999999",
	"100us @99", "100us@ 99", "100us@4294967396",
};

static const struct {
	int64_t ns;
	const char *text;
} figures[] = {
	{ 0, "0.000 us" }, { 850, "0.850 us" }, { -300, "-0.300 us" }, { 13455, "13.46 us" }, { 9999, "9.999 us" },
	{ 99996, "100.0 us" }, { 999949, "999.9 us" }, { 999951, "1.000 ms" }, { 8003127, "8.003 ms" },
	{ 1003000000, "1.003 s" }, { 999960000, "1.000 s" }, { 123456789012, "123.5 s" }, { 12345600000000, "12346 s" },
};

#define EACH(i, table) (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)

static void test_texts(void)
{
	char text[LIMIT_TEXT];

	for EACH(i, good) {
		struct limit limit = { 0, 0 };

		ok(!limit_parse(good[i].typed, &limit), "%s is a limit", good[i].typed);
		is(limit.ns, good[i].ns, "the time of a limit");
		is(limit.share, good[i].share, "the share of a limit");
		is_text(limit_text(&limit, text), good[i].shortest, "a limit is printed in its shortest form");
	}
	for EACH(i, bad) {
		struct limit limit = { 42, 7 };

		ok(limit_parse(bad[i], &limit) && limit.ns == 42 && limit.share == 7, "\"%s\" is no limit", bad[i]);
	}
}

static void test_share(void)
{
	const struct limit none = { 1000, 0 }, one = { 1000, 10000 }, most = { 1000, LIMIT_WHOLE - 1 };

	is(limit_allows(&none, UINT64_MAX), 0, "no period may be above a limit without a share");
	is(limit_allows(&one, 99999), 0, "a share of one in 100000 allows none of 99999");
	is(limit_allows(&one, 100000), 1, "a share of one in 100000 allows one of 100000");
	is(limit_allows(&one, 299999), 2, "the number allowed is rounded down");
	is(limit_allows(&most, UINT64_C(5000000000000000000)), UINT64_C(4999999995000000000),
	   "a large share allows nearly all of many");
	is(limit_allows(&most, 999999999), 999999998, "a large share allows nearly all of fewer");
}

int main(void)
{
	char text[UNITS_TEXT];

	test_texts();
	test_share();
	for EACH(i, figures)
		is_text(units_figure(figures[i].ns, text), figures[i].text, "a figure has four digits");
	return done();
}
