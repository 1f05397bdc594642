// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "base/cpus.h"
#include "tap.h"

static const struct {
	const char *text, *printed;
	int count;
} lists[] = {
	{ "0", "0", 1 }, { "3", "3", 1 }, { "0-3,6", "0-3,6", 5 }, { "0-0", "0", 1 }, { "6,0,2,1", "0-2,6", 4 },
	{ "1,1,0-2,2", "0-2", 3 }, { "007", "7", 1 }, { "0,2,4", "0,2,4", 3 }, { "0-1", "0-1", 2 },
	{ "1023", "1023", 1 }, { "0-1023", "0-1023", CPUS_MAX }, { "8-11,0-3", "0-3,8-11", 8 },
};

static const char *const bad_lists[] = {
	"", ",", "0-", "-3", "-", "0,", ",0", "0,,1", "3-1", "1024", "0-1024", "99999", "99999999999999999999",
	"all,1", "1,all", "ALL", "0 1", " 0", "0 ", "+1", "0x1", "1.5", "0-1-2", "0--1", "\n", "none",
};

#define EACH(i, table) (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)

static void check_all(void)
{
	struct cpus cpus;
	cpu_set_t set;
	int wrong = 0;

	ok(!cpus_parse("all", &cpus), "the word all is a list");
	sched_getaffinity(0, sizeof(set), &set);
	for (int cpu = 0; cpu < CPUS_MAX; cpu++)
		wrong += cpus_include(&cpus, cpu) != !!CPU_ISSET(cpu, &set);
	is(wrong, 0, "the list of all has the CPUs that this process may use");
}

/* Every second one is the longest text. */
static void check_longest(void)
{
	char text[CPUS_TEXT_SIZE], again[CPUS_TEXT_SIZE];
	struct cpus odd = { 0 }, back;

	for (int cpu = 1; cpu < CPUS_MAX; cpu += 2)
		odd.number[odd.count++] = cpu;
	cpus_print(&odd, text);
	ok(strlen(text) < CPUS_TEXT_SIZE - 1 && !cpus_parse(text, &back), "the longest list fits");
	cpus_print(&back, again);
	is_text(again, text, "the longest list is read as it was printed");
}

int main(void)
{
	char text[CPUS_TEXT_SIZE];
	struct cpus cpus = { .count = 0 };

	cpus_print(&cpus, text);
	is_text(text, "", "an empty list prints as nothing");
	for EACH(i, lists) {
		if (!ok(!cpus_parse(lists[i].text, &cpus), "\"%s\" is read as a list", lists[i].text))
			continue;
		cpus_print(&cpus, text);
		is_text(text, lists[i].printed, "a list is printed in order, each CPU once");
		is(cpus.count, lists[i].count, "a list has as many CPUs as it names");
	}
	cpus_parse("0-3,6", &cpus);
	ok(cpus_include(&cpus, 0) && cpus_include(&cpus, 3) && cpus_include(&cpus, 6),
	   "a list includes the CPUs that it names");
	ok(!cpus_include(&cpus, 4) && !cpus_include(&cpus, 7) && !cpus_include(&cpus, -1), "a list includes no others");
	for EACH(i, bad_lists) {
		cpus.count = 42;
		ok(cpus_parse(bad_lists[i], &cpus) && cpus.count == 42, "\"%s\" is no list and changes nothing",
		   bad_lists[i][0] == '\n' ? "newline" : bad_lists[i]);
	}
	check_all();
	check_longest();
	return done();
}
