// SPDX-License-Identifier: GPL-2.0-or-later
/* The names of the kernel's functions, and what hides them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "trace/symbols.h"
#include "tap.h"

static char path[] = "/tmp/realfeel-symbols-XXXXXX";

static void put(const char *text)
{
	FILE *file = fopen(path, "w");

	if (!file || fputs(text, file) < 0 || fclose(file))
		exit(1);
}

static void find(const struct symbols *symbols, uint64_t address, const char *expected, const char *what)
{
	uint64_t offset;
	const char *name = symbols_find(symbols, address, &offset);
	char text[64] = "unknown";

	if (name)
		snprintf(text, sizeof(text), "%s+0x%lx", name, (long)offset);
	is_text(text, expected, what);
}

static void test_names(void)
{
	struct symbols symbols;

	put("ffffffff81000200 T schedule\n"
	    "ffffffff81000100 T _text\n"
	    "ffffffff81000100 T startup_64\n"
	    "ffffffff81000280 d jiffies_data\n"
	    "ffffffffc0000010 t irq_handler\t[driver]\n"
	    "ffffffff81000300 W weak");
	is(symbols_load(&symbols, path), 0, "names are read");
	find(&symbols, 0xffffffff81000200, "schedule+0x0", "the start of a function");
	find(&symbols, 0xffffffff810002ff, "schedule+0xff", "the end of a function is found, with data between");
	find(&symbols, 0xffffffff81000110, "_text+0x10", "the first of two names at one address is taken");
	find(&symbols, 0xffffffff81000301, "weak+0x1", "a line without an end is read");
	find(&symbols, 0xffffffffc0000020, "irq_handler+0x10", "a module's function is found");
	find(&symbols, 0xffffffff810000ff, "unknown", "an address before all functions is unknown");
	symbols_forget(&symbols);
	find(&symbols, 0xffffffff81000200, "unknown", "an address is unknown once names were forgotten");
}

static void test_hidden(void)
{
	struct symbols symbols;

	put("0000000000000000 T _text\n0000000000000000 T schedule\n");
	is(symbols_load(&symbols, path), -1, "hidden addresses cannot be loaded");
	is(errno, EPERM, "hidden addresses are hidden from those without the right");
	find(&symbols, 0xffffffff81000200, "unknown", "no name is made up");
	put("");
	is(symbols_load(&symbols, path), -1, "an empty file cannot be loaded");
	is(symbols_load(&symbols, "/nowhere"), -1, "a missing file cannot be loaded");
	is(errno, ENOENT, "a missing file is not found");
}

static void test_look_up(void)
{
	static const char *const names[] = { "schedule", "no_such", "jiffies_data", "irq_handler" };
	uint64_t addresses[] = { 1, 1, 1, 1 };

	put("ffffffff81000100 T _text\n"
	    "ffffffff81000200 T schedule\n"
	    "ffffffff81000280 d jiffies_data\n"
	    "ffffffff81000300 t schedule\n"
	    "ffffffffc0000010 t irq_handler\t[driver]\n");
	is(symbols_look_up(path, names, addresses, 4), 0, "addresses are looked up");
	is(addresses[0], (long long)0xffffffff81000200, "the first of two functions of one name is looked up");
	is(addresses[1], 0, "a name that does not exist has no address");
	is(addresses[2], 0, "data cannot be looked up");
	is(addresses[3], (long long)0xffffffffc0000010, "a module's function is looked up");
	put("0000000000000000 T schedule\n");
	is(symbols_look_up(path, names, addresses, 1), -1, "hidden addresses cannot be looked up");
	is(errno, EPERM, "hidden addresses lack a right");
	is(addresses[0], 0, "a hidden address is left 0");
	is(symbols_look_up("/nowhere", names, addresses, 1), -1, "a missing file cannot be looked up in");
	is(errno, ENOENT, "a missing file to look up in is not found");
}

static void test_many(void)
{
	enum { MANY = 200000 };
	struct symbols symbols;
	FILE *file = fopen(path, "w");

	for (unsigned i = MANY; i; i--)
		fprintf(file, "%016x t function_%u\n", i * 16, i);
	fclose(file);
	is(symbols_load(&symbols, path), 0, "many names are loaded");
	is(symbols.count, MANY, "many names are loaded completely");
	find(&symbols, 16 + 1, "function_1+0x1", "the first of many functions is found");
	find(&symbols, MANY * 16, "function_200000+0x0", "the last of many functions is found");
	find(&symbols, MANY * 16 + (1 << 20), "unknown", "an address far behind all functions is unknown");
	symbols_forget(&symbols);
}

int main(void)
{
	int fd = mkstemp(path);

	if (fd < 0)
		return 1;
	close(fd);
	test_names();
	test_hidden();
	test_look_up();
	test_many();
	unlink(path);
	return done();
}
