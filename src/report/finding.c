// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>

#include "base/text.h"
#include "report/finding.h"

static void put_cause(struct finding *finding, const char *text)
{
	*finding->cause = '\0';
	text_append(finding->cause, sizeof(finding->cause), "%s", text);
}

void finding_add(struct finding *finding, enum grade grade, const char *format, ...)
{
	unsigned *count = grade ? &finding->reasons : &finding->remarks;
	char *list = grade ? finding->reason : finding->remark, text[VERDICT_TEXT] = "";
	va_list args;

	va_start(args, format);
	text_append_list(text, sizeof(text), format, args);
	va_end(args);
	text_append(list, VERDICT_TEXT, "%s%s", (*count)++ ? "; " : "", text);
	if (grade > finding->grade || !*finding->cause)
		put_cause(finding, text);
	finding->grade = greater(grade, finding->grade);
}
