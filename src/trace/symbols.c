// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads /proc/kallsyms, and finds functions by their names or by an address. */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/symbols.h"

#define FUNCTION_MAX (UINT64_C(1) << 20)	/* bytes; an address farther from a name is not in its function */
#define READ_SIZE 65536			/* bytes: at most a page is read, and each read costs as much as 30 lines */

struct symbol {
	uint64_t address;
	uint32_t name;			/* offset in names */
};

/*
 * A line is "ffffffff810004a0 T do_one_initcall"; a module's name may follow.
 * Returns the address; 0 when it is hidden, or not a function's.
 */
static uint64_t read_line(char *line, const char **name)
{
	char *type;
	uint64_t address = strtoull(line, &type, 16);

	if (strlen(type) < strlen(" T f") || !strchr("tw", tolower(type[1])))
		return 0;
	type[strcspn(type, "\t\n")] = '\0';
	*name = type + 3;
	return address;
}

/* Names with the same address keep the kernel's order. */
static int by_address(const void *one, const void *other)
{
	const struct symbol *a = one, *b = other;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return a->name < b->name ? -1 : a->name > b->name;
}

static void read_functions(FILE *file, struct symbols *symbols, FILE *sorted, FILE *names)
{
	char *line = NULL;
	uint32_t used = 0;
	const char *name;
	size_t room = 0;

	while (getline(&line, &room, file) > 0) {
		const struct symbol symbol = { read_line(line, &name), used };

		if (!symbol.address)
			continue;
		symbols->count += fwrite(&symbol, sizeof(symbol), 1, sorted);
		used += fwrite(name, 1, strlen(name) + 1, names);
	}
	free(line);
}

/* Streams that write into memory allocate it as needed. */
int symbols_load(struct symbols *symbols, const char *path)
{
	char buffer[READ_SIZE], *table = NULL;
	FILE *file = fopen(path, "re"), *sorted, *names;
	size_t size;
	bool failed;

	*symbols = (struct symbols){ .count = 0 };
	if (!file)
		return -1;
	setvbuf(file, buffer, _IOFBF, READ_SIZE);
	sorted = open_memstream(&table, &size);
	names = sorted ? open_memstream(&symbols->names, &size) : NULL;
	if (names)
		read_functions(file, symbols, sorted, names);
	failed = !names || ferror(names) || ferror(sorted);
	if (names && fclose(names))
		failed = true;
	if (sorted && fclose(sorted))
		failed = true;
	symbols->sorted = (void *)table;
	fclose(file);
	if (failed || !symbols->count) {
		symbols_forget(symbols);
		errno = failed ? ENOMEM : EPERM;
		return -1;
	}
	qsort(symbols->sorted, symbols->count, sizeof(*symbols->sorted), by_address);
	return 0;
}

int symbols_look_up(const char *path, const char *const names[], uint64_t addresses[], unsigned count)
{
	char buffer[READ_SIZE];
	FILE *file = fopen(path, "re");
	unsigned found = 0;
	bool hidden = true;
	char *line = NULL;
	const char *name;
	size_t room = 0;

	memset(addresses, 0, count * sizeof(*addresses));
	if (!file)
		return -1;
	setvbuf(file, buffer, _IOFBF, READ_SIZE);
	while (found < count && getline(&line, &room, file) > 0) {
		uint64_t address = read_line(line, &name);

		hidden &= !address;
		for (unsigned i = 0; address && i < count; i++)
			if (!addresses[i] && !strcmp(name, names[i])) {
				addresses[i] = address;
				found++;
			}
	}
	free(line);
	fclose(file);
	errno = hidden ? EPERM : 0;
	return hidden ? -1 : 0;
}

void symbols_forget(struct symbols *symbols)
{
	free(symbols->sorted);
	free(symbols->names);
	*symbols = (struct symbols){ .count = 0 };
}

const char *symbols_find(const struct symbols *symbols, uint64_t address, uint64_t *offset)
{
	unsigned low = 0, high = symbols->count;

	while (low < high) {
		unsigned middle = low + (high - low) / 2;

		if (symbols->sorted[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return NULL;
	while (--low && symbols->sorted[low - 1].address == symbols->sorted[low].address)
		;
	*offset = address - symbols->sorted[low].address;
	return *offset >= FUNCTION_MAX ? NULL : symbols->names + symbols->sorted[low].name;
}
