// SPDX-License-Identifier: GPL-2.0-or-later
/* Who had the CPU, over several wake-ups. */
#include <stdio.h>
#include <stdlib.h>

#include "explain_culprits.h"
#include "tap.h"
#include "traced.h"

static struct blame blames[2];
static const struct blame *const all[] = { &blames[0], NULL, &blames[1] };

static void add(struct blame *blame, double stamp_us)
{
	*blame = *blame_of(stamp_us);
	nothing_traced();
}

static void is_told(const char *expected, const char *name)
{
	static char text[1024];
	FILE *file = fmemopen(text, sizeof(text), "w");
	unsigned count;
	struct culprit *culprits = culprits_find(all, 3, &count);

	*text = '\0';
	for (unsigned i = 0; i < count; i++)
		fprintf(file, "%s %s %u %g\n", blame_kind(culprits[i].segment), blame_name(culprits[i].segment),
			culprits[i].wakeups, culprits[i].ns / 1e3);
	free(culprits);
	fclose(file);
	is_text(text, expected, name);
}

int main(void)
{
	is_told("", "nobody, at first");
	preempted(-9, 10, 20);
	timer_interrupt(1, 3);
	preempted(100, 20, 10);
	preempted(110, 10, 20);
	preempted(200, 20, METER);
	add(&blames[0], 210);
	preempted(-9, METER, 10);
	timer_interrupt(1, 3);
	lost(20);
	preempted(50, 20, METER);
	add(&blames[1], 1000);
	is_told(
		"unknown no-record 1 950\ntask hog 1 188\nunknown lost 1 47\ntask dd 2 11\ninterrupt timer interrupt 2 4\n",
		"who had it longest first; wake-ups are counted once, and the meter is no culprit");
	return done();
}
