// SPDX-License-Identifier: GPL-2.0-or-later
/* The lists that make the cells of a ring's table. */
#include <string.h>

#include "base/cells.h"
#include "tap.h"

static void refuse(const char *(*parse)(const char *, struct cells *), const char *text)
{
	struct cells cells = { .processes.count = 1, .array_bytes.count = 1 };
	const char *reason = parse(text, &cells);

	ok(reason && strstr(reason, "; give up to 16"), "\"%s\" is refused, with the remedy", text);
	ok(cells.processes.count == 1 && cells.array_bytes.count == 1, "and leaves the cells alone");
}

static void is_cell(const struct cells *cells, unsigned index, const char *expected)
{
	const struct cell cell = cells_at(cells, index);
	char name[CELL_NAME_SIZE];

	is_text(cell_name(&cell, name), expected, expected);
}

int main(void)
{
	static const char *const no_numbers[] = {
		"", ",", "2,", "2,,4", ",2", "1", "257", "2k", "2-4", "-2", "2 4", "2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18",
		"00000000000000002",
	};
	static const char *const no_sizes[] = { "", "k", "0,", "16K", "16m", "16385k", "16777220", "18446744073709551615k", "2", "1kk" };
	struct cells cells = { .processes.count = 0 };

	is(cells_count(&cells), 0, "without lists there is no cell");
	ok(!cells_parse_processes("2,64,256", &cells), "three numbers of processes");
	ok(!cells_parse_arrays("0,16k,16384k,100", &cells), "four sizes");
	is(cells_count(&cells), 12, "twelve cells");
	is_cell(&cells, 0, "2x0");
	is_cell(&cells, 1, "64x0");
	is_cell(&cells, 3, "2x16k");
	is_cell(&cells, 8, "256x16384k");
	is_cell(&cells, 11, "256x100");
	is(cells_at(&cells, 4).array_bytes, 16384, "k is 1024 bytes");
	ok(!cells_parse_processes("8", &cells), "the last list counts");
	is_cell(&cells, 1, "8x16k");
	ok(!cells_parse_processes("8,2,8,2,02", &cells), "numbers named twice");
	ok(!cells_parse_arrays("0,1k,0k,1024,4096,4k,0", &cells), "sizes named twice, in other words");
	is(cells_count(&cells), 6, "count once");
	is_cell(&cells, 3, "2x1k");
	is_cell(&cells, 4, "8x4k");
	ok(!cells_parse_processes("2,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17", &cells), "and not against the limit");
	for (unsigned i = 0; i < sizeof(no_numbers) / sizeof(*no_numbers); i++)
		refuse(cells_parse_processes, no_numbers[i]);
	for (unsigned i = 0; i < sizeof(no_sizes) / sizeof(*no_sizes); i++)
		refuse(cells_parse_arrays, no_sizes[i]);
	return done();
}
