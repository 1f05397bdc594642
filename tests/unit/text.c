// SPDX-License-Identifier: GPL-2.0-or-later
/* Text that is put together, and what has no room in it. */
#include "tap.h"
#include "base/text.h"

int main(void)
{
	char text[12] = "";

	text_append(text, sizeof(text), "%s %d", "CPU", 3);
	is_text(text, "CPU 3", "a piece");
	text_append(text, sizeof(text), "%s", "");
	is_text(text, "CPU 3", "an empty one");
	text_append(text, sizeof(text), ", %d, 5", 4);
	is_text(text, "CPU 3, 4, 5", "one that just fits");
	text_append(text, sizeof(text), "%s", "");
	is_text(text, "CPU 3, 4, 5", "nothing more is cut");
	text_append(text, sizeof(text), ", 6");
	is_text(text, "CPU 3, 4...", "what is cut says so");
	text_append(text, sizeof(text), ", 7");
	is_text(text, "CPU 3, 4...", "once");

	is(text_fit("one two three", 6), 3, "words that have room");
	is(text_fit("one two three", 7), 7, "and that just have");
	is(text_fit("one two three", 13), 13, "all of them");
	is(text_fit("one two three", 2), 3, "one at least");
	is(text_fit("", 5), 0, "none");
	return done();
}
