// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/cells.h"
#include "base/units.h"

#define WORD_SIZE 16
#define STEP 4				/* bytes: the arrays hold 32-bit numbers */

/* Take the next entry of a list. Returns the text after it; NULL if it is empty or too long. */
static const char *take_word(const char *text, char word[WORD_SIZE])
{
	size_t length = strcspn(text, ",");

	if (!length || length >= WORD_SIZE)
		return NULL;
	memcpy(word, text, length);
	word[length] = '\0';
	return text + length + (text[length] == ',' && text[length + 1]);
}

static bool read_size(char *word, uint64_t *bytes)
{
	size_t last = strlen(word) - 1;
	uint64_t unit = word[last] == 'k' ? 1024 : 1;

	if (unit > 1)
		word[last] = '\0';
	if (units_count(word, 0, CELLS_MAX_KB * 1024 / unit, bytes))
		return false;
	*bytes *= unit;
	return *bytes % STEP == 0;
}

static bool read_number(char *word, uint64_t *processes)
{
	return !units_count(word, 2, CELLS_MAX_PROCESSES, processes);
}

static bool is_listed(const struct cells_list *list, uint32_t value)
{
	for (unsigned i = 0; i < list->count; i++)
		if (list->values[i] == value)
			return true;
	return false;
}

/* Returns NULL, or the caller's reason if the text is not such a list. */
static const char *read_list(const char *text, bool (*read)(char *, uint64_t *), struct cells_list *list,
			     const char *reason)
{
	struct cells_list found = { .count = 0 };
	char word[WORD_SIZE];
	uint64_t value;

	do {
		text = take_word(text, word);
		if (!text || !read(word, &value))
			return reason;
		if (is_listed(&found, value))
			continue;
		if (found.count == CELLS_LIST)
			return reason;
		found.values[found.count++] = value;
	} while (*text);
	*list = found;
	return NULL;
}

const char *cells_parse_processes(const char *text, struct cells *cells)
{
	return read_list(text, read_number, &cells->processes,
			 "not a list of numbers from 2 to 256; give up to 16, as in 2,8,32");
}

const char *cells_parse_arrays(const char *text, struct cells *cells)
{
	return read_list(text, read_size, &cells->array_bytes,
			 "not a list of sizes from 0 to 16384k, multiples of 4 bytes; give up to 16, as in 0,16k,64k");
}

unsigned cells_count(const struct cells *cells)
{
	return cells->processes.count * cells->array_bytes.count;
}

struct cell cells_at(const struct cells *cells, unsigned index)
{
	const struct cells_list *processes = &cells->processes;

	return (struct cell){
		processes->values[index % processes->count], cells->array_bytes.values[index / processes->count],
	};
}

const char *cell_name(const struct cell *cell, char name[CELL_NAME_SIZE])
{
	bool kilo = cell->array_bytes && cell->array_bytes % 1024 == 0;

	snprintf(name, CELL_NAME_SIZE, "%ux%u%s", cell->processes,
		 (unsigned)cell->array_bytes / (kilo ? 1024 : 1), kilo ? "k" : "");
	return name;
}
