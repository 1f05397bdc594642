// SPDX-License-Identifier: GPL-2.0-or-later
/* More reasons than a verdict has room for. */
#include "report/verdict.c"
#include "tap.h"

int main(void)
{
	static struct report report;
	char text[400];

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	for (unsigned i = 0; i <= VERDICT_TEXT / sizeof(text); i++)
		add_reason(&report, true, SUSPECT, "%s%s", text, text);
	is_text(report.verdict.reasons + VERDICT_TEXT - 5, "x...", "a list that is cut says so");
	is_text(report.verdict.cause + VERDICT_CAUSE - 5, "x...", "a cause that is cut says so");
	return done();
}
