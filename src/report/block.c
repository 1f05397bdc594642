// SPDX-License-Identifier: GPL-2.0-or-later
/* How the result looks: items wrapped at words, what all reports have together, the table of CPUs or threads. */
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "report/report.h"

#define NAME_SIZE 160			/* of a thread, each byte of which may be escaped */

struct block block_begin(FILE *out, unsigned indent)
{
	unsigned columns = isatty(fileno(out)) ? terminal_size(fileno(out)).ws_col : UINT_MAX;

	return (struct block){ .out = out, .columns = columns, .indent = indent };
}

/* Leave a gap after what is on the line, or go to the next line if that leaves too little room. */
static void make_room(struct block *block, unsigned gap, unsigned width)
{
	if (!block->begun)
		return;
	if (block->at + gap + width <= block->columns) {
		block->at += fprintf(block->out, "%*s", gap, "");
		return;
	}
	block->at = fprintf(block->out, "\n%*s", block->indent, "") - 1;
	block->begun = false;
}

/* Three columns stand between two items, and one between two words. The first word is painted. */
static void print_item(struct block *block)
{
	const char *paint = block->colour ? block->paint : NULL;
	char item[4 * sizeof(block->item)];

	if (!*block->item)
		return;
	text_print(item, sizeof(item), block->item);
	make_room(block, 3, text_width(item, strlen(item)));
	for (const char *word = item; *word; ) {
		int length = strcspn(word, " ");

		if (word != item)
			make_room(block, 1, text_width(word, length));
		if (word == item && paint)
			fprintf(block->out, "\033[1;%sm%.*s\033[0m", paint, length, word);
		else
			fprintf(block->out, "%.*s", length, word);
		block->at += text_width(word, length);
		block->begun |= length > 0;
		word += length + (word[length] == ' ');
	}
	*block->item = '\0';
}

void block_item(struct block *block, const char *label, const char *paint, const char *format, ...)
{
	va_list args;

	print_item(block);
	if (label) {
		fprintf(block->out, "%s%-*s", block->at ? "\n" : "", block->indent, label);
		block->at = block->indent;
		block->begun = false;
	}
	block->paint = paint;
	va_start(args, format);
	text_append_list(block->item, sizeof(block->item), format, args);
	va_end(args);
}

void block_add(struct block *block, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	text_append_list(block->item, sizeof(block->item), format, args);
	va_end(args);
}

void block_end(struct block *block)
{
	print_item(block);
	fputc('\n', block->out);
}

void block_print(FILE *out, const char *text, unsigned indent)
{
	struct block block = block_begin(out, indent);

	block_item(&block, NULL, NULL, "%s", text);
	block_end(&block);
}

static void add_report(struct all *all, const struct report *report)
{
	const struct sums *sums = totals_sums(report->totals), *worst = totals_sums(all->worst->totals);
	bool whole = !report->status || !strcmp(report->status, "complete");

	all->sums[all->count++] = sums;
	all->samples += sums->samples;
	all->missed += sums->missed;
	all->least_ns = lesser(all->least_ns, sums->moments[LATENCY].min);
	if (sums_max(&sums, 1) > sums_max(&worst, 1))
		all->worst = report;
	all->exceeded |= report_is_exceeded(report);
	if (!*report->over && !report->channel->end) {
		all->measuring++;
		all->fewest = lesser(all->fewest, sums->samples);
	}
	all->grade = greater(all->grade, report->verdict.grade);
	if (!whole && !all->cut_short)
		all->cut_short = report->status;
	all->ended += report->channel->end == END_GONE;
	all->timed += sums->timed;
	all->slack_ns += sums->slack_ns;
	all->unmatched += sums->figures.unmatched;
	all->preempted += sums->figures.preempted;
	all->preempted_ns = greater(all->preempted_ns, sums->figures.preempted_ns);
	if (!sums->samples)
		return;
	all->from_ns = lesser(all->from_ns, sums->from_ns);
	all->to_ns = greater(all->to_ns, sums->to_ns);
	if (!whole)
		all->cut_ns = greater(all->cut_ns, sums->to_ns);
}

struct all all_of(const struct report *reports)
{
	const struct source_ops *ops = reports->source->ops;
	struct all all = {
		.reports = reports, .options = reports->run->options, .ops = ops,
		.noun = ops->takes_target ? "thread" : "CPU", .worst = reports, .least_ns = INT64_MAX,
		.counted = measures_schedule(ops->measures) ? "periods" :
			   reports->source->hz ? "requests" : "wake-ups",
		.fewest = INT64_MAX, .from_ns = INT64_MAX, .policy_width = ops->takes_target ? 10 : 0,
	};

	for (const struct report *report = reports; report < reports + reports->count; report++)
		add_report(&all, report);
	return all;
}

/* Four digits, but no more decimals than the bins have; so do the analyzer's tables. */
static void put_latency(FILE *out, int64_t ns, bool supported)
{
	double us = ns / 1e3;
	char text[32] = "-";

	if (ns != NO_LATENCY)
		snprintf(text, sizeof(text), "%s%.*f", supported ? "" : "~", us < 99.995 ? 2 : us < 999.95 ? 1 : 0, us);
	fprintf(out, " %11s", text);
}

#define FIGURES_WIDTH (6 * 12)

unsigned block_table_width(const struct all *all)
{
	unsigned width = 5;
	char name[NAME_SIZE];

	for (unsigned i = 0; i < all->count; i++) {
		text_print(name, sizeof(name), all->reports[i].name);
		width = greater(width, text_width(name, strlen(name)) + 2);
	}
	return width + all->policy_width + FIGURES_WIDTH;
}

/* What a thread of another program missed is unknown without a timer grid. */
static void print_row(FILE *out, const struct all *all, unsigned i, int width, int64_t max_ns)
{
	const struct sums *sums = all->sums[i];
	bool worst = sums->samples && sums->moments[LATENCY].max == max_ns;
	int64_t period_ns = sums->figures.inferred_period_ns;
	char name[NAME_SIZE];

	text_print(name, sizeof(name), all->reports[i].name);
	fprintf(out, "%c%*s%s", worst ? '>' : ' ', width - 1 - (int)text_width(name, strlen(name)), "", name);
	if (all->policy_width) {
		const struct sched_state *state = &all->reports[i].channel->thread.state;

		snprintf(name, sizeof(name), state->priority ? "%s %d" : "%s",
			 sched_state_policy_name(state->policy), state->priority);
		fprintf(out, "%*s", all->policy_width, name);
	}
	fprintf(out, " %11" PRIu64, sums->samples);
	if (!sums->samples && sums->figures.state == 'R')
		fprintf(out, " %11s", "never slept");
	else
		put_latency(out, sums_quantile(&sums, 1, P50), sums_support(&sums, 1, P50));
	put_latency(out, sums_quantile(&sums, 1, P99), sums_support(&sums, 1, P99));
	put_latency(out, sums_quantile(&sums, 1, P99_9), sums_support(&sums, 1, P99_9));
	put_latency(out, sums_max(&sums, 1), true);
	if (period_ns < 0)
		fprintf(out, " %11s", "-");
	else
		fprintf(out, " %11" PRIu64, period_ns ? sums->figures.inferred_missed : sums->missed);
}

void block_table(FILE *out, const struct all *all, const char *end)
{
	int64_t max_ns = sums_max(all->sums, all->count);
	int policy = all->policy_width, width = block_table_width(all) - policy - FIGURES_WIDTH;

	fprintf(out, "%*s%*s %11s %11s %11s %11s %11s %11s%s", width, all->noun, policy, policy ? "policy" : "",
		"samples", "p50 us", "p99 us", "p99.9 us", "max us", "missed", end);
	for (unsigned i = 0; i < all->count; i++) {
		print_row(out, all, i, width, max_ns);
		fputs(end, out);
	}
}
