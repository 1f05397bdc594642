// SPDX-License-Identifier: GPL-2.0-or-later
/* What comes from outside is text in the report, whatever its bytes. */
#include <string.h>

#include "report/header.c"
#include "tap.h"

static char printed[256];

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

int main(void)
{
	static char *words[] = { "a b", "\033\x9b", "it's \xc3\xa4", NULL };
	FILE *out = begin();

	print_value(out, true, "thread_name", "\033]0;x\a \xc2\x9b\x9b \\ \xc3\xa4");
	says(out, "# thread_name: \\x1b]0;x\\x07 \\xc2\\x9b\\x9b \\\\ \xc3\xa4\n", "a value is escaped");
	out = begin();
	print_command(out, "load", words);
	says(out, "# load: 'a b' '\\x1b\\x9b' 'it'\\\\''s \xc3\xa4'\n", "a command is quoted and escaped");
	return done();
}
