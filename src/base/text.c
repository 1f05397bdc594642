// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "base/text.h"

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
