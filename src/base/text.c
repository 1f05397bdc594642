// SPDX-License-Identifier: GPL-2.0-or-later
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

#define WORD_MAX 24

void text_append_list(char *text, size_t size, const char *format, va_list args)
{
	size_t length = strlen(text);

	if (vsnprintf(text + length, size - length, format, args) >= (int)(size - length))
		strcpy(text + size - 4, "...");
}

void text_append(char *text, size_t size, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	text_append_list(text, size, format, args);
	va_end(args);
}

static unsigned lesser(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* slips[i][j] is of the first i letters of the word and the first j of the one that was meant. */
unsigned text_slips(const char *word, const char *meant)
{
	const size_t rows = strlen(word), columns = strlen(meant);
	unsigned slips[WORD_MAX + 1][WORD_MAX + 1];

	if (rows > WORD_MAX || columns > WORD_MAX)
		return UINT_MAX;
	for (size_t i = 0; i <= rows; i++) {
		for (size_t j = 0; j <= columns; j++) {
			slips[i][j] = i + j;
			if (!i || !j)
				continue;
			slips[i][j] = lesser(slips[i - 1][j], slips[i][j - 1]) + 1;
			slips[i][j] = lesser(slips[i][j], slips[i - 1][j - 1] + (word[i - 1] != meant[j - 1]));
			if (i > 1 && j > 1 && word[i - 1] == meant[j - 2] && word[i - 2] == meant[j - 1])
				slips[i][j] = lesser(slips[i][j], slips[i - 2][j - 2] + 1);
		}
	}
	return slips[rows][columns];
}

int text_fit(const char *text, int columns)
{
	int fitting = 0, length = strcspn(text, " ");

	do {
		fitting = length;
		length += !!text[length];
		length += strcspn(text + length, " ");
	} while (text[fitting] && length <= columns);
	return fitting;
}
