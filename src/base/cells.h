/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cells of a ring's table: each number of processes with each size of their arrays. No I/O. */
#ifndef BASE_CELLS_H
#define BASE_CELLS_H

#include <stdint.h>

#define CELLS_LIST 16			/* the most entries of a list */
#define CELLS_MAX_PROCESSES 256
#define CELLS_MAX_KB 16384
#define CELL_NAME_SIZE 24
#define OVERHEAD_REPEATS 3		/* how often a hop without a switch is measured */

struct cell {
	unsigned processes;		/* 2 or more; 0: this is not a cell */
	uint32_t array_bytes;		/* of each process */
};

struct cells_list {
	unsigned count;
	uint32_t values[CELLS_LIST];
};

struct cells {
	struct cells_list processes, array_bytes;
};

/*
 * Read a whole list, "2,4,8" or "0,16k,64k"; an entry that is named twice counts
 * once. Both return NULL; or, with the cells unchanged, the reason and the
 * remedy, which complete the message "--option=text: ".
 */
const char *cells_parse_processes(const char *text, struct cells *cells);
const char *cells_parse_arrays(const char *text, struct cells *cells);

/* The number of cells; 0 if no list was read. */
unsigned cells_count(const struct cells *cells);

/* The cell that is measured at this place: all numbers of processes with the first size, then with the next. */
struct cell cells_at(const struct cells *cells, unsigned index);

/* "64x16k". */
const char *cell_name(const struct cell *cell, char name[CELL_NAME_SIZE]);

#endif
