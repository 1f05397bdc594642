// SPDX-License-Identifier: GPL-2.0-or-later
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
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

struct block block_begin(void)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
	bool terminal = isatty(STDERR_FILENO);

	setlocale(LC_CTYPE, "");
	return (struct block){
		.out = stderr, .terminal = terminal,
		.columns = terminal ? terminal_size(STDERR_FILENO).ws_col : UINT_MAX,
		.colour = terminal && !(no_color && *no_color) && term && *term && strcmp(term, "dumb"),
		.unicode = terminal && !strcmp(nl_langinfo(CODESET), "UTF-8"),
	};
}

void block_row(struct block *block, const char *label)
{
	fprintf(block->out, "%-*s", LABEL_COLUMNS, label);
	block->at = LABEL_COLUMNS;
}

void block_end_row(struct block *block)
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
	if (block->at == LABEL_COLUMNS)
		return;
	if (block->at + gap + width <= block->columns) {
		fprintf(block->out, "%*s", gap, "");
		block->at += gap;
		return;
	}
	block_end_row(block);
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
