// SPDX-License-Identifier: GPL-2.0-or-later
/* Lists of CPUs, read and printed. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpus.h"
#include "base/text.h"

static const char not_a_list[] = "not a list of CPUs; give numbers and ranges, as in 0-3,6, or all";

/* Take the number at *text. Returns -1 if there is none, CPUS_MAX if it is too large. */
static long take_number(const char **text)
{
	unsigned long number;
	char *end;

	if (!isdigit((unsigned char)**text))
		return -1;
	number = strtoul(*text, &end, 10);
	*text = end;
	return number < CPUS_MAX ? (long)number : CPUS_MAX;
}

/* Take "3" or "0-3" at *text. Returns NULL, or the reason. */
static const char *take_range(const char **text, cpu_set_t *set)
{
	long first = take_number(text), last = first;

	if (**text == '-') {
		++*text;
		last = take_number(text);
	}
	if (first < 0 || last < 0)
		return not_a_list;
	_Static_assert(CPUS_MAX == 1024, "as the next message says");
	if (first >= CPUS_MAX || last >= CPUS_MAX)
		return "out of range; give 0 to 1023";
	if (last < first)
		return "a range ends before it begins; give the lower number first, as in 0-3";
	for (long cpu = first; cpu <= last; cpu++)
		CPU_SET(cpu, set);
	return NULL;
}

void cpus_take(struct cpus *cpus, const cpu_set_t *set)
{
	cpus->count = 0;
	for (int cpu = 0; cpu < CPUS_MAX; cpu++)
		if (CPU_ISSET(cpu, set))
			cpus->number[cpus->count++] = cpu;
}

const char *cpus_parse(const char *text, struct cpus *cpus)
{
	static char unreadable[128];
	const char *reason = NULL;
	cpu_set_t set;

	CPU_ZERO(&set);
	if (strcmp(text, "all")) {
		while (!(reason = take_range(&text, &set)) && *text == ',')
			text++;
		if (!reason && *text)
			reason = not_a_list;
	} else if (sched_getaffinity(0, sizeof(set), &set) < 0) {
		snprintf(unreadable, sizeof(unreadable), "read which CPUs this process may use: %s; "
			 "give their numbers", strerror(errno));
		reason = unreadable;
	}
	if (!reason)
		cpus_take(cpus, &set);
	return reason;
}

void cpus_print(const struct cpus *cpus, char text[CPUS_TEXT_SIZE])
{
	*text = '\0';
	for (int i = 0; i < cpus->count; i++) {
		int first = cpus->number[i];

		text_append(text, CPUS_TEXT_SIZE, *text ? ",%d" : "%d", first);
		while (i + 1 < cpus->count && cpus->number[i + 1] == cpus->number[i] + 1)
			i++;
		if (cpus->number[i] != first)
			text_append(text, CPUS_TEXT_SIZE, "-%d", cpus->number[i]);
	}
}

bool cpus_include(const struct cpus *cpus, int number)
{
	for (int i = 0; i < cpus->count; i++)
		if (cpus->number[i] == number)
			return true;
	return false;
}
