// SPDX-License-Identifier: GPL-2.0-or-later
/* The form of the result: what is wrapped, painted and drawn. */
#include <string.h>

#include "report/summary.c"
#include "tap.h"

static char printed[512];

static struct block block_of(unsigned columns, bool colour)
{
	memset(printed, 0, sizeof(printed));
	return (struct block){
		.out = fmemopen(printed, sizeof(printed), "w"), .columns = columns, .indent = 10, .colour = colour,
	};
}

static void says(struct block *block, const char *expected, const char *name)
{
	block_end(block);
	fclose(block->out);
	is_text(printed, expected, name);
}

/* Two items of 10 and 11 columns take 34 with the label and the gap. */
static void put_two(struct block *block)
{
	block_item(block, "missed", NULL, "%d of %s", 3, "16 two");
	block_item(block, NULL, NULL, "next: there");
}

static void test_wrapping(void)
{
	struct block block = block_of(35, false);

	put_two(&block);
	says(&block, "missed    3 of 16 two   next: there\n", "what has room is in one line");
	block = block_of(34, false);
	put_two(&block);
	says(&block, "missed    3 of 16 two\n          next: there\n",
	     "an item that does not fit goes to the next line");
	block = block_of(16, false);
	put_two(&block);
	says(&block, "missed    3 of\n          16 two\n          next:\n          there\n",
	     "an item that is longer than a line is wrapped");
	block = block_of(5, false);
	put_two(&block);
	says(&block, "missed    3\n          of\n          16\n          two\n          next:\n          there\n",
	     "a word that is longer than a line is not cut");
}

/* On what is no terminal, and as if that had 20 columns. */
static void test_print(void)
{
	struct block block = block_of(20, false);

	block_print(block.out, "load: one two three four five", 4);
	says(&block, "load: one two three four five\n\n", "a line that goes to no terminal is not wrapped");
	block = block_of(20, false);
	block.indent = 4;
	block_item(&block, NULL, NULL, "load one two three four five six");
	says(&block, "load one two three\n    four five six\n",
	     "lines after the first are indented, also by as much as the first word takes");
}

static void test_words(void)
{
	struct block block = block_of(80, true);

	block_item(&block, "limit", "31", "FAIL: 12 above");
	block_item(&block, NULL, NULL, "x");
	says(&block, "limit     \033[1;31mFAIL:\033[0m 12 above   x\n", "paint ends with a word");
	block = block_of(80, false);
	block_item(&block, "report", "31", "a\033[1m\nb");
	says(&block, "report    a\\x1b[1m\\x0ab\n", "a name cannot paint without colour");
	block = block_of(17, false);
	block_item(&block, "", NULL, "▁▂ ▄");
	block_item(&block, NULL, NULL, "▁");
	says(&block, "          ▁▂ ▄\n          ▁\n", "a character has one column, however many bytes");
	block = block_of(80, false);
	block_item(&block, "", NULL, "x  ▄    ▁ y");
	says(&block, "          x  ▄    ▁ y\n", "spaces within an item stay");
}

static struct sums some, other;

static void add(struct sums *sums, int64_t ns, uint64_t periods)
{
	sums->bins[series_index(LATENCY, ns)] += periods;
	sums->samples += periods;
	sums->moments[LATENCY].min = lesser(sums->moments[LATENCY].min, ns);
	sums->moments[LATENCY].max = greater(sums->moments[LATENCY].max, ns);
}

/* Of the first sums. */
static void draw(char drawn[SKETCH_SIZE], unsigned count, bool unicode)
{
	struct all all = {
		.count = count, .sums = { &some, &other },
		.least_ns = lesser(some.moments[LATENCY].min, other.moments[LATENCY].min),
	};

	histogram_sketch(drawn, &all, unicode);
}

/* From 1 us to 4096 us: two cells are a factor of 2. */
static void test_sketch(void)
{
	char drawn[SKETCH_SIZE];

	moments_clear(&some.moments[LATENCY]);
	moments_clear(&other.moments[LATENCY]);
	draw(drawn, 2, false);
	is_text(drawn, "", "nothing is drawn without a sample");
	add(&some, 1000, 10000000);
	draw(drawn, 1, false);
	is_text(drawn, "@                       ", "a single value is the peak");
	add(&some, 2010, 1);
	add(&other, 2010, 19);
	add(&other, 4020, 1500);
	add(&other, 4096000, 1);
	draw(drawn, 2, false);
	is_text(drawn, "@ : =                  .", "cells are as high as the logarithms of both sums");
	draw(drawn, 2, true);
	is_text(drawn, "█ ▂ ▄                  ▁", "cells are drawn with block characters if allowed");
	add(&some, -500, 1);
	draw(drawn, 2, false);
	ok(*drawn == '.' && drawn[SKETCH_CELLS - 1] == '.', "an early wake-up is in the first cell");
}

int main(void)
{
	test_wrapping();
	test_print();
	test_words();
	test_sketch();
	return done();
}
