// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "base/options.h"

const char *options_explain_name(enum explain_level level)
{
	static const char *const names[] = { "off", "parts", "blame", "stacks" };

	return names[level];
}

bool options_observes_command(const struct options *options)
{
	return options->load && !options->job && !strcmp(options->source, "task");
}

unsigned options_meters(const struct options *options)
{
	return options->cpus.count ? options->cpus.count : 1;
}
