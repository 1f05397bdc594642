// SPDX-License-Identifier: GPL-2.0-or-later
/* What comes from outside is text in the report, whatever its bytes. */
#include <sched.h>
#include <string.h>

#include "report/header.c"
#include "tap.h"

static char printed[512];

static FILE *begin(void)
{
	memset(printed, 0, sizeof(printed));
	return fmemopen(printed, sizeof(printed), "w");
}

static void says(FILE *out, const char *expected, const char *name)
{
	fclose(out);
	is_text(printed, expected, name);
}

static void test_thread(void)
{
	struct channel channel = {
		.thread = { .id = 42, .name = "loop", .siblings = 1, .cpus = "0-1", .state = { SCHED_FIFO, .priority = 80 } },
	};
	struct totals *totals = totals_create(32, false);
	const struct report report = { .number = 1, .count = 1, .part = 1, .channel = &channel, .totals = totals };
	FILE *out = begin();

	((struct sums *)totals_sums(totals))->figures = (struct figures){
		.inferred_period_ns = -1, .inferred_sleep_ns = 19999407, .inferred_hz = 48.3681,
	};
	print_thread(out, &report);
	says(out, "# thread: 42\n# thread_name: loop\n# thread_siblings: 1\n# thread_policy: fifo\n# thread_priority: 80\n"
	     "# thread_cpus: 0-1\n# stamp: switch\n# inferred_sleep_ns: 19999407\n# inferred_rate_hz: 48.368100\n",
	     "a loop that sleeps from when it is done has a sleep and a rate, and no period");
	totals_forget(totals);
}

int main(void)
{
	static char *words[] = { "a b", "\033\x9b", "it's \xc3\xa4", NULL };
	FILE *out = begin();

	print_value(out, true, "thread_name", "\033]0;x\a \xc2\x9b\x9b \\ \xc3\xa4");
	says(out, "# thread_name: \\x1b]0;x\\x07 \\xc2\\x9b\\x9b \\\\ \xc3\xa4\n", "a value is escaped");
	out = begin();
	print_command(out, "load", words);
	says(out, "# load: 'a b' '\\x1b\\x9b' 'it'\\\\''s \xc3\xa4'\n", "a command is quoted and escaped");
	test_thread();
	return done();
}
