// SPDX-License-Identifier: GPL-2.0-or-later
/* Texts, lines, values and numbers of small files, and what is no such file. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "host/sysfile.h"
#include "tap.h"

static char path[] = "/tmp/realfeel-sysfile-XXXXXX";

static void put(const char *text)
{
	FILE *file = fopen(path, "w");

	if (!file || fputs(text, file) < 0 || fclose(file))
		exit(1);
}

static void test_texts(void)
{
	char *text;

	put("one\ntwo");
	text = sysfile_text(path);
	if (ok(text, "a text can be read"))
		is_text(text, "one\ntwo", "a text is read to its end");
	free(text);
	put("");
	ok(!sysfile_text(path), "an empty file has no text");
	ok(!sysfile_text("/nowhere"), "a missing file has no text");
}

static void test_lines(void)
{
	char text[16];

	put("powersave\nmore\n");
	ok(sysfile_line(path, text, sizeof(text)), "a line can be read");
	is_text(text, "powersave", "a line is read without its end");
	put("0123456789abcdefghij\n");
	ok(sysfile_line(path, text, sizeof(text)), "a long line can be read");
	is_text(text, "0123456789abcde", "a long line is cut");
	put("");
	ok(!sysfile_line(path, text, sizeof(text)) && !*text, "an empty file has no line");
	ok(!sysfile_line("/nowhere", text, sizeof(text)) && !*text, "a missing file has no line");
}

static void test_values(void)
{
	char text[16];

	put("Name:\tprogram\nVmLck:\t    5012 kB\nCpus_allowed:\t3\nCpus_allowed_list:\t0-1\nmodel name\t: x: y\nlast: end");
	ok(sysfile_value(path, "VmLck:", text, sizeof(text)), "a value can be read");
	is_text(text, "5012 kB", "a value is the rest of its line");
	sysfile_value(path, "Cpus_allowed:", text, sizeof(text));
	is_text(text, "3", "a key may be the beginning of others");
	sysfile_value(path, "model name", text, sizeof(text));
	is_text(text, "x: y", "a key may have a blank");
	sysfile_value(path, "last:", text, sizeof(text));
	is_text(text, "end", "a value may end without the line's end");
	ok(!sysfile_value(path, "VmSwap:", text, sizeof(text)) && !*text, "a key that is not there has no value");
}

static void test_numbers(void)
{
	long long number = 42;

	put("950000\n");
	ok(sysfile_number(path, &number), "a number can be read");
	is(number, 950000, "a number has its value");
	put("-1");
	ok(sysfile_number(path, &number) && number == -1, "a negative number has its value");
	put("none\n");
	ok(!sysfile_number(path, &number) && number == -1, "a word is not a number and changes nothing");
}

int main(void)
{
	int fd = mkstemp(path);

	if (fd < 0)
		return 1;
	close(fd);
	test_texts();
	test_lines();
	test_values();
	test_numbers();
	unlink(path);
	return done();
}
