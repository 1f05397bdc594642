// SPDX-License-Identifier: GPL-2.0-or-later
/* The command line of a program that was started without one, which kernels before 5.18 let it be. */
#include <stddef.h>

#include "run/command_line.h"
#include "tap.h"

int main(void)
{
	char *none[] = { "--", NULL }, *name[] = { "realfeel", NULL };
	const struct options options = command_line_read(0, none + 1), usual = command_line_read(1, name);

	is_text(options.source, usual.source, "a command line without a name is read as one with it");
	ok(!options.load && !usual.load, "a command line without a name has no load");
	return done();
}
