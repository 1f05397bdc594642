/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A terminal that is standard error, and what it shows. */
#ifndef TERMINAL_H
#define TERMINAL_H

#include <stdbool.h>

#define TERMINAL_SIZE 16384
#define SCREEN_ROWS 24			/* at most */
#define SCREEN_COLUMNS 100

/* Returns false when there are no pseudo-terminals. */
bool terminal_open(void);
void terminal_resize(int rows, int columns);

/* What was written since the last time, up to a mark: a terminal gets it a moment later. */
void terminal_read(char shown[TERMINAL_SIZE]);

/*
 * A screen goes on in the next line with the next character after the last
 * column, and scrolls at the end. What scrolls out is lost.
 */
void screen_open(int rows, int columns);
void screen_take(const char *written);

/* All its lines, without the space at their ends and the empty ones at the end. */
const char *screen_text(void);

#endif
