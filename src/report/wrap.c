// SPDX-License-Identifier: GPL-2.0-or-later
/* The rows of the result, wrapped at words. */
#include <limits.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "report/report.h"

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

/* Three columns separate items, and one separates words. The first word is painted. */
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
