// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tap.h"

static int count, failures;

static bool result(bool passed, const char *name, va_list args)
{
	printf("%sok %d - ", passed ? "" : "not ", ++count);
	vprintf(name, args);
	putchar('\n');
	failures += !passed;
	return passed;
}

bool ok(bool passed, const char *name, ...)
{
	va_list args;

	va_start(args, name);
	result(passed, name, args);
	va_end(args);
	return passed;
}

bool is(int64_t got, int64_t expected, const char *name, ...)
{
	va_list args;

	va_start(args, name);
	result(got == expected, name, args);
	va_end(args);
	if (got != expected)
		printf("# got %" PRId64 ", expected %" PRId64 "\n", got, expected);
	return got == expected;
}

bool is_text(const char *got, const char *expected, const char *name)
{
	bool same = !strcmp(got, expected);

	ok(same, "%s", name);
	if (!same)
		printf("# got \"%s\", expected \"%s\"\n", got, expected);
	return same;
}

/* xorshift64*: good enough for tests. */
uint64_t random_number(void)
{
	static uint64_t state;

	if (!state) {
		const char *seed = getenv("SEED");

		state = seed ? strtoull(seed, NULL, 0) : getenv("CHECK_ALL") ? (uint64_t)time(NULL) : 20020701;
		printf("# SEED=%" PRIu64 "\n", state);
	}
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return state * UINT64_C(2685821657736338717);
}

int done(void)
{
	printf("1..%d\n", count);
	return failures != 0;
}
