// SPDX-License-Identifier: GPL-2.0-or-later
/* Who had the CPU, over several wake-ups. */
#include <stdio.h>
#include <string.h>

#include "explain_culprits.h"
#include "tap.h"
#include "traced.h"

static void add(struct culprits *culprits, double stamp_us)
{
	culprits_add(culprits, blame_of(stamp_us));
	nothing_traced();
}

static void is_told(const struct culprits *culprits, const char *expected, const char *name)
{
	static char text[1024];
	FILE *file = fmemopen(text, sizeof(text), "w");

	*text = '\0';
	for (unsigned i = 0; i < culprits->count; i++)
		fprintf(file, "%s %s %u %g\n", culprits->culprit[i].kind, culprits->culprit[i].name,
			culprits->culprit[i].wakeups, culprits->culprit[i].ns / 1e3);
	fclose(file);
	is_text(text, expected, name);
}

int main(void)
{
	struct culprits culprits = { .count = 0 };

	culprits_sort(&culprits);
	is_told(&culprits, "", "nobody, at first");
	preempted(-9, 10, 20);
	timer_interrupt(1, 3);
	preempted(100, 20, 10);
	preempted(110, 10, 20);
	preempted(200, 20, METER);
	add(&culprits, 210);
	preempted(-9, METER, 10);
	timer_interrupt(1, 3);
	lost(20);
	preempted(50, 20, METER);
	add(&culprits, 1000);
	culprits_sort(&culprits);
	is_told(&culprits,
		"unknown no-record 1 950\ntask hog 1 188\nunknown lost 1 47\ntask dd 2 11\ninterrupt timer interrupt 2 4\n",
		"who had it longest first; wake-ups are counted once, and the meter is no culprit");
	culprits_free(&culprits);
	is(culprits.count, 0, "nobody again");
	return done();
}
