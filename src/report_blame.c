// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "explain_culprits.h"
#include "report_blame.h"
#include "report_lines.h"
#include "report_trace.h"

/* The worst wake-ups, explained; the worst first. */
struct worst {
	struct events events;
	struct explained_event *of[EVENTS_MAX];	/* NULL: no memory */
	const struct explain_context *context;
};

/* A number of us that are counted from due. */
static void print_us(FILE *out, int64_t ns)
{
	fprintf(out, " %" PRId64 ".%03d", ns / 1000, (int)(ns % 1000));
}

/* One word. */
static void print_name(FILE *out, const char *name)
{
	char piece[2] = "";

	if (!*name)
		fputc('-', out);
	for (; *name; name++)
		if (*name == ' ')
			fputs("\\x20", out);
		else {
			*piece = *name;
			print_text(out, piece);
		}
}

static bool has_task(const struct segment *segment)
{
	return segment->kind == BLAME_TASK || segment->kind == BLAME_SELF ||
	       (segment->kind == BLAME_SOFTIRQ && blame_is_softirq_thread(&segment->task));
}

static bool is_unknown(const struct segment *segment)
{
	return segment->kind >= BLAME_RING_ENDS;
}

static void print_priority(FILE *out, const struct segment *segment)
{
	char text[TRACE_PRIORITY] = "-";

	if (has_task(segment) && segment->task.prio != BLAME_PRIO_UNKNOWN)
		trace_priority(&segment->task, text);
	fputs(text, out);
}

static void print_detail(FILE *out, const struct segment *segment)
{
	if (is_unknown(segment))
		fputs(blame_name(segment), out);
	else if (has_task(segment))
		fprintf(out, "pid:%d", segment->task.pid);
	else if (segment->kind == BLAME_INTERRUPT && segment->number >= 0)
		fprintf(out, "irq:%d", segment->number);
	else
		fputc('-', out);
}

static void print_segment(FILE *out, unsigned event, const struct segment *segment, int64_t to_ns)
{
	fprintf(out, "%u", event);
	print_us(out, segment->from_ns);
	print_us(out, to_ns);
	fprintf(out, " %s ", blame_kind(segment));
	print_name(out, is_unknown(segment) ? "-" : blame_name(segment));
	fputc(' ', out);
	print_priority(out, segment);
	fputc(' ', out);
	print_detail(out, segment);
	fputc('\n', out);
}

/* What it was waiting for is told in words only. */
static bool are_one_line(const struct segment *a, const struct segment *b)
{
	return a->kind == b->kind && a->number == b->number && a->task.prio == b->task.prio &&
	       (!has_task(a) || a->task.pid == b->task.pid) && !strcmp(blame_name(a), blame_name(b));
}

static void print_segments(FILE *out, unsigned event, const struct blame *blame)
{
	for (unsigned i = 0, last; i < blame->count; i = last + 1) {
		const struct segment *segment = &blame->segment[i];

		for (last = i; last + 1 < blame->count && are_one_line(segment, segment + (last + 1 - i)); last++)
			;
		print_segment(out, event, segment, blame->segment[last].to_ns);
	}
}

static void print_blame(FILE *out, const struct worst *worst)
{
	fputs("\n\n# blame\n# event from_us to_us kind name priority detail\n", out);
	for (unsigned i = 0; i < worst->events.count; i++)
		if (worst->of[i])
			print_segments(out, i + 1, &worst->of[i]->blame);
}

static void print_culprits(FILE *out, const struct worst *worst)
{
	const struct blame *blames[EVENTS_MAX];
	struct culprit *culprits;
	unsigned count;

	for (unsigned i = 0; i < worst->events.count; i++)
		blames[i] = worst->of[i] ? &worst->of[i]->blame : NULL;
	culprits = culprits_find(blames, worst->events.count, &count);
	fputs("\n\n# culprits\n# kind name wakeups us\n", out);
	for (unsigned i = 0; i < count; i++) {
		fprintf(out, "%s ", blame_kind(culprits[i].segment));
		print_name(out, blame_name(culprits[i].segment));
		fprintf(out, " %u", culprits[i].wakeups);
		print_us(out, culprits[i].ns);
		fputc('\n', out);
	}
	free(culprits);
}

static void print_stack(FILE *out, unsigned event, const char *where, const struct trace_record *record,
			const struct symbols *symbols)
{
	if (!record->frames)
		return;
	fprintf(out, "%u %s ", event, where);
	report_print_frames(out, record, symbols);
	fputc('\n', out);
}

static void print_stacks(FILE *out, const struct worst *worst)
{
	fputs("\n\n# stacks\n# event where frames\n", out);
	for (unsigned i = 0; i < worst->events.count; i++) {
		if (!worst->of[i])
			continue;
		print_stack(out, i + 1, "expiry", &worst->of[i]->blame.expiry, worst->context->symbols);
		print_stack(out, i + 1, "switch", &worst->of[i]->blame.arrival, worst->context->symbols);
	}
}

static void print_sentences(FILE *out, const struct worst *worst)
{
	char text[WORDS_SIZE];

	fputs("\n\n# sentences\n# event sentence\n", out);
	for (unsigned i = 0; i < worst->events.count; i++) {
		if (!worst->of[i] || worst->of[i]->blame.late_ns <= 0)
			continue;
		words_explain(text, &worst->of[i]->blame, &worst->of[i]->facts);
		fprintf(out, "%u ", i + 1);
		print_text(out, text);
		fputc('\n', out);
	}
}

void report_print_blame(FILE *out, const struct totals *totals, const struct explain_context *context, bool stacks)
{
	struct worst worst = { .events = totals_sums(totals)->events, .context = context };

	events_sort(&worst.events);
	for (unsigned i = 0; i < worst.events.count; i++) {
		const struct event *event = &worst.events.worst[i];

		worst.of[i] = explain_event(event, totals_recording(totals, event), context);
	}
	print_blame(out, &worst);
	print_culprits(out, &worst);
	if (stacks)
		print_stacks(out, &worst);
	print_sentences(out, &worst);
	for (unsigned i = 0; i < worst.events.count; i++)
		free(worst.of[i]);
}

uint64_t report_tell_worst(char text[WORDS_SIZE], const struct totals *totals, const struct explain_context *context,
			   uint64_t told_ns)
{
	struct events events = totals_sums(totals)->events;
	const struct recording *recording;
	struct explained_event *explained;

	events_sort(&events);
	recording = events.count ? totals_recording(totals, &events.worst[0]) : NULL;
	if (!recording || events.worst[0].stamp_ns == told_ns)
		return recording ? told_ns : 0;
	explained = explain_event(&events.worst[0], recording, context);
	if (!explained)
		return 0;
	words_explain(text, &explained->blame, &explained->facts);
	free(explained);
	return events.worst[0].stamp_ns;
}
