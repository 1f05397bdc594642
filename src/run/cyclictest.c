// SPDX-License-Identifier: GPL-2.0-or-later
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cpus.h"
#include "base/diag.h"
#include "base/text.h"
#include "base/units.h"
#include "run/cyclictest.h"

#define US_PER_S  1000000
#define LETTERS   "a::b:d:D:h:H:i:l:mno:p:qSt::y:"
#define TIME_UNITS "smhd"

static const struct option names[] = {
	{ "loops", required_argument, NULL, 'l' },
	{ "interval", required_argument, NULL, 'i' },
	{ "threads", optional_argument, NULL, 't' },
	{ "smp", no_argument, NULL, 'S' },
	{ "histogram", required_argument, NULL, 'h' },
	{ "histofall", required_argument, NULL, 'H' },
	{ "mlockall", no_argument, NULL, 'm' },
	{ 0 }
};

struct reply {
	char text[512];
	bool is_due;		/* some option can only be meant for cyclictest */
};

static bool is_number(const char *text)
{
	return *text && !text[strspn(text, "0123456789")];
}

/* Digits, and a unit or none. A file of that name is meant first. */
static bool is_time(const char *text)
{
	size_t digits = strspn(text, "0123456789"), units = strspn(text + digits, TIME_UNITS);

	return digits && units <= 1 && !text[digits + units] && access(text, F_OK);
}

/* The option is -option as cyclictest has it, with its value or "". */
static void add(struct reply *reply, char option, const char *value, const char *is, const char *ours)
{
	text_append(reply->text, sizeof(reply->text), "%s-%c%s%s %s%s", *reply->text ? ", " : "", option,
		    *value ? " " : "", value, is, ours);
}

static void add_interval(struct reply *reply, const char *value)
{
	uint64_t us;
	char hz[24];

	if (units_count(value, 1, US_PER_S, &us))
		return;
	snprintf(hz, sizeof(hz), "%u", (unsigned)((US_PER_S + us / 2) / us));
	add(reply, 'i', value, US_PER_S % us ? "is about -f " : "is -f ", hz);
}

static void add_threads(struct reply *reply, const char *value)
{
	uint64_t count;
	char cpus[24] = "all";

	if (!units_count(value, 1, CPUS_MAX, &count))
		snprintf(cpus, sizeof(cpus), count > 1 ? "0-%u" : "%u", (unsigned)count - 1);
	add(reply, 't', value, "is -a ", cpus);
}

static void add_duration(struct reply *reply, const char *value)
{
	char time[24];

	snprintf(time, sizeof(time), "%s%s", value, is_number(value) ? "s" : "");
	add(reply, 'D', value, "is -d ", time);
}

/* Returns whether the option can only be meant for cyclictest. */
static bool reply_to(struct reply *reply, char option, const char *value)
{
	const size_t before = strlen(reply->text);

	switch (option) {
	case 'l': if (is_number(value)) add(reply, option, value, "is -n ", value); break;
	case 'i': add_interval(reply, value); break;
	case 'D': if (is_time(value)) add_duration(reply, value); break;
	case 't': add_threads(reply, value); break;
	case 'S': add(reply, option, "", "is -a all", ""); break;
	case 'h':
	case 'H': if (is_number(value)) add(reply, option, value, "is not needed", ""); break;
	case 'd': if (is_number(value)) add(reply, option, value, "is not needed", ""); return false;
	case 'm': add(reply, option, "", "is not needed", ""); return false;
	case 'q': add(reply, option, "", "would hide the result", ""); return false;
	}
	return reply->text[before];
}

/* What is behind the letter, or, as cyclictest has it for those where it may be missing, a number in the next word. */
static const char *value_of(int option, char *const *argv)
{
	if (!optarg && strchr("at", option) && argv[optind] && is_number(argv[optind]))
		return argv[optind];
	return optarg ? optarg : "";
}

void cyclictest_answer(int argc, char *const *argv)
{
	struct reply reply = { .text = "" };
	char **words = calloc(argc + 1, sizeof(*words));	/* getopt_long changes their order */
	int option;

	if (!words)
		return;
	memcpy(words, argv, argc * sizeof(*words));
	optind = 0;
	opterr = 0;
	while ((option = getopt_long(argc, words, LETTERS, names, NULL)) != -1)
		reply.is_due |= reply_to(&reply, option, value_of(option, words));
	free(words);
	if (reply.is_due)
		die(EXIT_NOT_MEASURED, "options of cyclictest; here %s", reply.text);
}
