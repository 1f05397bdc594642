// SPDX-License-Identifier: GPL-2.0-or-later
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "base/text.h"
#include "run/misspelt.h"

#define SLIPS_MAX 2	/* so many still tell what was meant */

void misspelt_silence(struct argp_state *state, bool begins)
{
	FILE *nowhere = begins ? fmemopen(NULL, 1, "w") : NULL;

	if (state->err_stream != stderr)
		fclose(state->err_stream);
	state->err_stream = nowhere ? nowhere : stderr;
}

static bool is_last(const struct argp_option *option)
{
	return !option->name && !option->key && !option->doc;
}

static bool needs_value(const struct argp_option *option)
{
	return option->arg && !(option->flags & OPTION_ARG_OPTIONAL);
}

static const struct argp_option *of_letter(const struct argp_option *table, char letter)
{
	for (; !is_last(table); table++)
		if (table->key == letter)
			return table;
	return NULL;
}

static void refuse_without_value(const struct argp_option *option)
{
	die(EXIT_NOT_MEASURED, "--%s: has no value; give one, as in --%s=%s", option->name, option->name, option->arg);
}

__attribute__((noreturn))
static void refuse_unknown(const struct argp_option *table, const char *name)
{
	const struct argp_option *nearest = NULL;
	unsigned least = SLIPS_MAX + 1;

	for (; !is_last(table); table++) {
		unsigned slips = table->name ? text_slips(name, table->name) : UINT_MAX;

		if (slips >= least)
			continue;
		least = slips;
		nearest = table;
	}
	if (nearest && least < strlen(name))
		die(EXIT_NOT_MEASURED, "unknown option --%s; did you mean --%s?", name, nearest->name);
	die(EXIT_NOT_MEASURED, "unknown option --%s; see --help", name);
}

/* The option of that name, which may be cut as long as one option alone begins so. */
static const struct argp_option *of_name(const struct argp_option *table, const char *name)
{
	const struct argp_option *found = NULL;

	for (; !is_last(table); table++) {
		if (!table->name || strncmp(table->name, name, strlen(name)))
			continue;
		if (!strcmp(table->name, name))
			return table;
		if (found)
			die(EXIT_NOT_MEASURED, "--%s may be --%s or --%s; give more of it", name, found->name,
			    table->name);
		found = table;
	}
	return found;
}

static void refuse_long(const struct argp_option *table, const char *word, bool is_end)
{
	const size_t length = strcspn(word, "=");
	const struct argp_option *option;
	char name[64] = "";

	text_append(name, sizeof(name), "%.*s", (int)length, word);
	option = of_name(table, name);
	if (!option)
		refuse_unknown(table, name);
	if (needs_value(option) && !word[length] && is_end)
		refuse_without_value(option);
	if (!option->arg && word[length])
		die(EXIT_NOT_MEASURED, "--%s: takes no value; leave out %s", option->name, word + length);
}

/* Those of cyclictest have letters alone. What follows a letter that takes a value is this value. */
static void refuse_letters(const struct argp_option *table, const char *letters, bool is_end)
{
	for (const char *letter = letters; *letter; letter++) {
		const struct argp_option *option = of_letter(table, *letter);

		if (!option || !option->name)
			die(EXIT_NOT_MEASURED, "unknown option -%c; see --help", *letter);
		if (needs_value(option) && !letter[1] && is_end)
			refuse_without_value(option);
		if (option->arg)
			return;
	}
}

static void refuse_word(const struct argp_option *table, const char *word, bool is_end)
{
	if (!strncmp(word, "--", 2))
		refuse_long(table, word + 2, is_end);
	else if (*word == '-')
		refuse_letters(table, word + 1, is_end);
}

void misspelt_refuse(const struct argp_option *table, char *const *argv, int next)
{
	if (next > 1)
		refuse_word(table, argv[next - 1], !argv[next]);
	if (argv[next])
		refuse_word(table, argv[next], !argv[next + 1]);
	die(EXIT_NOT_MEASURED, "an option is unknown; see --help");
}
