// SPDX-License-Identifier: GPL-2.0-or-later
/* Text that is truncated to fit, and text from outside that must not control the terminal. */
#include <stdbool.h>
#include <stdint.h>
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

/* Not shown: control, invisible and private-use characters, and those that change the writing direction. */
static bool is_shown(uint32_t character)
{
	static const struct {
		uint32_t first, last;
	} hidden[] = {
		{ 0x00, 0x1f }, { 0x7f, 0x9f }, { 0xad, 0xad }, { 0x61c, 0x61c }, { 0x180e, 0x180e },
		{ 0x200b, 0x200f }, { 0x2028, 0x202e }, { 0x2060, 0x206f }, { 0xd800, 0xf8ff }, { 0xfeff, 0xfeff },
		{ 0xfff0, 0xfffb }, { 0xfffe, 0xffff }, { 0xe0000, UINT32_MAX },
	};

	for (unsigned i = 0; i < sizeof(hidden) / sizeof(*hidden); i++)
		if (character >= hidden[i].first && character <= hidden[i].last)
			return false;
	return true;
}

/* An overlong encoding is not a character. */
unsigned text_character(const char *text)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned char first = *text;
	unsigned length = first < 0x80 ? 1 : first < 0xc0 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 :
			  first < 0xf8 ? 4 : 0;
	uint32_t character = length > 1 ? first & (0xff >> (length + 1)) : first;

	for (unsigned i = 1; i < length; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		character = character << 6 | (text[i] & 0x3f);
	}
	return length && character >= least[length] && is_shown(character) ? length : 0;
}

void text_print(char *printable, size_t size, const char *text)
{
	const char *end = printable + size;

	while (*text) {
		unsigned length = text_character(text);

		if (end - printable <= (length ? (int)length : 4))
			break;
		if (length)
			memcpy(printable, text, length);
		else
			snprintf(printable, end - printable, "\\x%02x", (unsigned char)*text);
		printable += length ? length : 4;
		text += length ? length : 1;
	}
	*printable = '\0';
}

unsigned text_width(const char *text, size_t length)
{
	unsigned width = 0;

	for (size_t i = 0; i < length; i++)
		width += (text[i] & 0xc0) != 0x80;
	return width;
}

struct winsize terminal_size(int fd)
{
	struct winsize size = { .ws_col = 0 };

	ioctl(fd, TIOCGWINSZ, &size);
	if (!size.ws_col)
		size.ws_col = 80;
	if (!size.ws_row)
		size.ws_row = 24;
	return size;
}
