// SPDX-License-Identifier: GPL-2.0-or-later
/* Text that is put together, and what has no room in it. */
#include <string.h>

#include "tap.h"
#include "base/text.h"

static void test_characters(void)
{
	static const struct {
		const char *text, *name;
		unsigned length;
	} cases[] = {
		{ "a", "ASCII", 1 }, { " ", "a blank", 1 }, { "\\", "a backslash", 1 },
		{ "\xc3\xa4", "a letter of two bytes", 2 }, { "\xe2\x96\x88", "a block of three", 3 },
		{ "\xf0\x9f\x98\x80", "four bytes", 4 },
		{ "\033[31m", "ESC", 0 }, { "\n", "a line feed", 0 }, { "\x7f", "DEL", 0 }, { "\x9b" "31m", "CSI in Latin-1", 0 },
		{ "\xc2\x9b" "31m", "CSI in UTF-8", 0 }, { "\xc2\x85", "NEL", 0 }, { "\xc3", "a character that is cut", 0 },
		{ "\xc3z", "one that is not continued", 0 }, { "\xc0\xaf", "a slash of two bytes", 0 },
		{ "\xe0\x80\x9b", "CSI of three bytes", 0 }, { "\xed\xa0\x80", "a surrogate", 0 },
		{ "\xf4\x90\x80\x80", "beyond Unicode", 0 }, { "\xff\xbf\xbf\xbf", "no first byte", 0 },
		{ "\xf8\x90\x80\x80", "a first byte of five", 0 }, { "\xf9\x80\x80\x80", "another of five", 0 },
		{ "\xe2\x80\xae", "right to left", 0 }, { "\xe2\x80\xa8", "a line separator", 0 },
		{ "\xef\xbb\xbf", "a byte order mark", 0 },
	};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		is(text_character(cases[i].text), cases[i].length, "%s", cases[i].name);
}

static void test_print(void)
{
	char text[16];

	text_print(text, sizeof(text), "a\033[\xc3\xa4\x9b");
	is_text(text, "a\\x1b[\xc3\xa4\\x9b", "bytes that are not characters are escaped");
	is(text_width(text, strlen(text)), 11, "an escape has its columns");
	text_print(text, 5, "ab\n");
	is_text(text, "ab", "an escape is not cut");
	text_print(text, 5, "abc\xc3\xa4");
	is_text(text, "abc", "a character is not cut");
	text_print(text, 6, "abc\xc3\xa4");
	is_text(text, "abc\xc3\xa4", "a text that just fits is whole");
	text_print(text, 1, "abc");
	is_text(text, "", "no text fits into no room");
}

int main(void)
{
	char text[12] = "";

	text_append(text, sizeof(text), "%s %d", "CPU", 3);
	is_text(text, "CPU 3", "a piece is appended");
	text_append(text, sizeof(text), "%s", "");
	is_text(text, "CPU 3", "an empty piece changes nothing");
	text_append(text, sizeof(text), ", %d, 5", 4);
	is_text(text, "CPU 3, 4, 5", "a piece that just fits is appended");
	text_append(text, sizeof(text), "%s", "");
	is_text(text, "CPU 3, 4, 5", "an empty piece does not cut a full text");
	text_append(text, sizeof(text), ", 6");
	is_text(text, "CPU 3, 4...", "a text that is cut ends in dots");
	text_append(text, sizeof(text), ", 7");
	is_text(text, "CPU 3, 4...", "a text that is cut stays so");

	test_characters();
	test_print();
	return done();
}
