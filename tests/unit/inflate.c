// SPDX-License-Identifier: GPL-2.0-or-later
/* What gzip packed comes out as it was, and damage is found without harm. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "inflate.h"
#include "tap.h"

#define ROOM (1 << 20)

static char text[ROOM], got[ROOM];
static unsigned char file[ROOM];

/* Random lines out of few words, as in a kernel's configuration, or bytes that cannot be packed. */
static size_t make_text(bool random)
{
	static const char *const words[] = { "CONFIG_", "PREEMPT", "=y\n", "=m\n", "# is not set\n", "_NET", "X86" };
	size_t length = 0;

	while (length < 200000)
		if (random)
			text[length++] = random_number();
		else
			length = stpcpy(text + length, words[random_number() % 7]) - text;
	return length;
}

/* With the program gzip. Returns the length of the file. */
static size_t pack(size_t length, const char *option)
{
	char path[] = "/tmp/realfeel-inflate-XXXXXX", command[128];
	int fd = mkstemp(path);
	size_t size = 0;
	FILE *pipe;

	snprintf(command, sizeof(command), "gzip -n %s >%s", option, path);
	pipe = fd < 0 ? NULL : popen(command, "w");
	if (!pipe || fwrite(text, 1, length, pipe) != length || pclose(pipe))
		exit(1);
	pipe = fdopen(fd, "r");
	size = fread(file, 1, sizeof(file), pipe);
	fclose(pipe);
	unlink(path);
	return size;
}

static void comes_back(size_t length, const char *option, const char *name)
{
	size_t size = pack(length, option);
	unsigned wrong = 0;

	memset(got, 0, sizeof(got));
	is(inflate_gzip(file, size, got, sizeof(got)), length, "%s: length", name);
	ok(!memcmp(got, text, length), "%s: content", name);
	is(inflate_gzip(file, size, got, length), length, "%s: room for just that", name);
	if (length)
		is(inflate_gzip(file, size, got, length - 1), -1, "%s: one byte less of room", name);
	for (size_t cut = 0; cut < size; cut += 1 + cut / 8)
		wrong += inflate_gzip(file, cut, got, sizeof(got)) >= 0;
	is(wrong, 0, "%s: no part is taken for the whole", name);
}

/* Not all damage can be seen; none may be written beyond the room, which the sanitizers watch. */
static void survives_damage(size_t length)
{
	size_t size = pack(length, "-9");
	unsigned found = 0;

	for (int i = 0; i < 300; i++) {
		size_t place = random_number() % size;
		unsigned char was = file[place];
		char *room = malloc(length);

		file[place] ^= 1 << random_number() % 8;
		found += inflate_gzip(file, size, room, length) < 0;
		file[place] = was;
		free(room);
	}
	ok(found > 0, "damage is found, %u times of 300", found);
	is(inflate_gzip(file, size, got, sizeof(got)), length, "what is whole again is read");
}

int main(void)
{
	comes_back(make_text(false), "-9", "packed well");
	comes_back(make_text(false), "-1", "packed fast");
	comes_back(make_text(true), "-9", "stored");
	comes_back(5, "-9", "a code that is fixed");
	comes_back(0, "-9", "nothing");
	survives_damage(make_text(false));
	is(inflate_gzip((const unsigned char *)"plain text, no gzip", 19, got, sizeof(got)), -1, "no gzip file");
	return done();
}
