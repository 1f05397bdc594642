// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/terminal.h"
#include "base/text.h"
#include "report/block.h"

#define LABEL_COLUMNS 10
#define GAP 3				/* between two items */
#define ITEM_SIZE 8192
#define NAME_SIZE 160			/* of a thread, each byte of which may be escaped */
#define HEIGHTS 8

static unsigned columns_of(FILE *out)
{
	return isatty(fileno(out)) ? terminal_size(fileno(out)).ws_col : UINT_MAX;
}

struct block block_begin(void)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
	bool terminal = isatty(STDERR_FILENO);

	setlocale(LC_CTYPE, "");
	return (struct block){
		.out = stderr, .terminal = terminal,
		.columns = columns_of(stderr), .indent = LABEL_COLUMNS,
		.colour = terminal && !(no_color && *no_color) && term && *term && strcmp(term, "dumb"),
		.unicode = terminal && !strcmp(nl_langinfo(CODESET), "UTF-8"),
	};
}

void block_row(struct block *block, const char *label)
{
	fprintf(block->out, "%s%-*s", block->at ? "\n" : "", block->indent, label);
	block->at = block->indent;
	block->begun = false;
}

void block_end(struct block *block)
{
	fputc('\n', block->out);
}

void block_paint(struct block *block, const char *colour)
{
	block->paint = block->colour ? colour : NULL;
}

/* Leave a gap after what is in the line, or go to the next line if that leaves too little room. */
static void make_room(struct block *block, unsigned gap, unsigned width)
{
	if (!block->begun)
		return;
	if (block->at + gap + width <= block->columns) {
		fprintf(block->out, "%*s", gap, "");
		block->at += gap;
		return;
	}
	block_row(block, "");
}

static void put_word(struct block *block, const char *word, size_t length)
{
	if (block->paint)
		fprintf(block->out, "\033[1;%sm", block->paint);
	fwrite(word, 1, length, block->out);
	if (block->paint)
		fputs("\033[0m", block->out);
	block->paint = NULL;
	block->at += text_width(word, length);
	block->begun |= length > 0;
}

void block_put(struct block *block, const char *format, ...)
{
	char text[ITEM_SIZE], item[4 * ITEM_SIZE];
	unsigned gap = GAP, width;
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	text_print(item, sizeof(item), text);
	width = text_width(item, strlen(item));
	make_room(block, gap, width);
	for (const char *word = item; *word; gap = 1) {
		size_t length = strcspn(word, " ");

		if (word != item)
			make_room(block, gap, text_width(word, length));
		put_word(block, word, length);
		word += length + (word[length] == ' ');
	}
}

void block_print(FILE *out, const char *text, unsigned indent)
{
	struct block block = { .out = out, .columns = columns_of(out), .indent = indent };

	block_put(&block, "%s", text);
	block_end(&block);
}

/* Four digits, but no more decimals than the bins have; so do the analyzer's tables. */
static void put_latency(FILE *out, int64_t ns, bool doubtful)
{
	double us = ns / 1e3;
	char text[32] = "-";

	if (ns != NO_LATENCY)
		snprintf(text, sizeof(text), "%s%.*f", doubtful ? "~" : "", us < 99.995 ? 2 : us < 999.95 ? 1 : 0, us);
	fprintf(out, " %11s", text);
}

static void put_quantile(FILE *out, const struct sums *sums, unsigned quantile)
{
	put_latency(out, sums_quantile(&sums, 1, quantile), !sums_support(&sums, 1, quantile));
}

/* What a thread of another program missed is unknown without a grid of its timers. */
static void put_row(FILE *out, const struct sums *sums)
{
	fprintf(out, " %11" PRIu64, sums->samples);
	put_quantile(out, sums, P50);
	put_quantile(out, sums, P99);
	put_quantile(out, sums, P99_9);
	put_latency(out, sums_max(&sums, 1), false);
	if (sums->figures.inferred_period_ns < 0)
		fprintf(out, " %11s\n", "-");
	else
		fprintf(out, " %11" PRIu64 "\n",
			sums->figures.inferred_period_ns ? sums->figures.inferred_missed : sums->missed);
}

void report_table(FILE *out, const char *noun, const char *const names[], const struct sums *const sums[],
		  unsigned count)
{
	int width = 4;
	char name[NAME_SIZE];

	for (unsigned i = 0; i < count; i++) {
		text_print(name, sizeof(name), names[i]);
		width = greater(width, text_width(name, strlen(name)) + 1);
	}
	fprintf(out, "%*s %11s %11s %11s %11s %11s %11s\n", width + 1, noun, "samples", "p50 us",
		"p99 us", "p99.9 us", "max us", "missed");
	for (unsigned i = 0; i < count; i++) {
		bool worst = sums[i]->samples && sums[i]->moments[LATENCY].max == sums_max(sums, count);

		text_print(name, sizeof(name), names[i]);
		fprintf(out, "%c%*s%s", worst ? '>' : ' ', width - (int)text_width(name, strlen(name)), "", name);
		put_row(out, sums[i]);
	}
}

static const char *const blocks[HEIGHTS + 1] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
static const char *const plain[HEIGHTS + 1] = { " ", ".", ":", "-", "=", "+", "*", "#", "@" };

/* What is less than a bin has no logarithm to speak of: it goes to the first cell. */
static int64_t least_of(const struct sums *const sums[], unsigned count)
{
	int64_t least = INT64_MAX;

	for (unsigned i = 0; i < count; i++)
		if (sums[i]->samples)
			least = lesser(least, sums[i]->moments[LATENCY].min);
	return greater(least, HIST_STEP);
}

static unsigned cell_of(double ns, double least, double most)
{
	double share = ns <= least ? 0 : log(ns / least) / log(most / least);

	return lesser(share * SKETCH_CELLS, SKETCH_CELLS - 1);
}

static void count_cells(uint64_t cells[SKETCH_CELLS], const struct sums *const sums[], unsigned count)
{
	int64_t least = least_of(sums, count), most = greater(sums_max(sums, count), least + 1);

	for (unsigned i = 0; i < count; i++) {
		struct span span = series_span(LATENCY, &sums[i]->moments[LATENCY]);

		for (unsigned bin = span.first; bin < span.end; bin++)
			if (sums[i]->bins[bin])
				cells[cell_of(hist_lower_ns(bin - LATENCY_ZERO), least, most)] += sums[i]->bins[bin];
	}
}

void sketch(char text[SKETCH_SIZE], const struct sums *const sums[], unsigned count, bool unicode)
{
	uint64_t cells[SKETCH_CELLS] = { 0 }, peak = 0;

	*text = '\0';
	if (sums_max(sums, count) == NO_LATENCY)
		return;
	count_cells(cells, sums, count);
	for (unsigned i = 0; i < SKETCH_CELLS; i++)
		peak = cells[i] > peak ? cells[i] : peak;
	for (unsigned i = 0; i < SKETCH_CELLS; i++) {
		unsigned height = cells[i] ? HEIGHTS : 0;

		if (cells[i] && cells[i] < peak)	/* 1 for a count of one */
			height = 1 + (HEIGHTS - 1) * log(cells[i]) / log(peak);
		text = stpcpy(text, (unicode ? blocks : plain)[height]);
	}
}
