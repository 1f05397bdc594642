// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <stdlib.h>

#include "explain/tap.h"
#include "report/occupant.h"

void report_occupant(const struct report *report, const struct event *event, struct occupant *occupant)
{
	const struct recording *recording = totals_recording(report->totals, event);
	struct trace_record *records;
	unsigned count;

	*occupant = (struct occupant){ .ns = 0 };
	if (!recording)
		return;
	records = trace_decode(&report->channel->tap_state->layout, recording->data, recording->used, &count);
	occupant_find_longest(occupant, records, count, event->stamp_ns - event->late_ns, event->stamp_ns,
			      report->channel->meter);
	free(records);
}

/* A task may have given itself any name. */
static void make_printable(char *text)
{
	for (; *text; text++)
		if (*text < ' ' || *text > '~')
			*text = '?';
}

/* In one unit, so that one sees which is more: ms, or below a ms of lateness us. */
static void tell(const struct occupant *occupant, int64_t late_ns, const char *since, char text[SENTENCE_SIZE])
{
	const double unit = late_ns >= 1000000 ? 1e6 : 1e3;
	const char *name = unit > 1e3 ? "ms" : "us";
	const int decimals = unit > 1e3 ? 3 : 1;
	char who[64];

	snprintf(text, SENTENCE_SIZE, "%.*f %s %s: %s had the CPU for %.*f %s", decimals, late_ns / unit, name, since,
		 occupant_name(occupant, who, sizeof(who)), decimals, occupant->ns / unit, name);
	make_printable(text);
}

void report_occupant_sentence(const struct report *report, const struct event *event, char text[SENTENCE_SIZE])
{
	bool asked = report->source->ops->measures == SINCE_ASKED;
	struct occupant occupant;

	*text = '\0';
	report_occupant(report, event, &occupant);
	if (occupant.ns)
		tell(&occupant, event->late_ns, asked ? "after the request" : "late", text);
}
