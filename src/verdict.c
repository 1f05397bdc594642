// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "verdict.h"

struct finding {
	enum grade grade;
	char reasons[700];
};

__attribute__((format(printf, 3, 4)))
static void add(struct finding *finding, enum grade grade, const char *format, ...)
{
	size_t length = strlen(finding->reasons);
	char *end = finding->reasons + length;
	size_t room = sizeof(finding->reasons) - length;
	va_list args;

	if (length && room > 2) {
		end = stpcpy(end, "; ");
		room -= 2;
	}
	va_start(args, format);
	vsnprintf(end, room, format, args);
	va_end(args);
	if (grade > finding->grade)
		finding->grade = grade;
}

enum grade verdict(const struct share *share, const struct totals *totals, bool schedule_kept,
		   bool running, const char *load, char *text, size_t size)
{
	static const char *const names[] = { "valid", "suspect", "invalid" };
	struct finding finding = { VALID, "" };

	if (!totals->samples)
		add(&finding, INVALID, "nothing was measured");
	if (*share->refused)
		add(&finding, INVALID, "not real-time: %s", share->refused);
	if (share->end == END_NONE && !running)
		add(&finding, SUSPECT, "the measuring process was killed");
	if (share->end == END_FAILED)
		add(&finding, SUSPECT, "the wait failed: %s", strerror(share->failure));
	if (share->end == END_RUNAWAY)
		add(&finding, SUSPECT, "the wait returned without waiting");
	if (share->end == END_SILENT)
		add(&finding, SUSPECT, "the source did not wake us any more");
	if (share->end == END_FULL)
		add(&finding, SUSPECT, "ended before its counters could overflow");
	if (!schedule_kept)
		add(&finding, SUSPECT, "the schedule is contradicted: lateness is not to be relied on");
	if (*load)
		add(&finding, SUSPECT, "%s", load);
	if (share->other_interrupts)
		add(&finding, SUSPECT, "%" PRIu64 " wake-ups counted an alarm or update interrupt, too",
		    share->other_interrupts);
	snprintf(text, size, "%s%s%s", names[finding.grade],
		 *finding.reasons ? ": " : "", finding.reasons);
	return finding.grade;
}
