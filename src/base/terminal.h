/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The window of a terminal. */
#ifndef BASE_TERMINAL_H
#define BASE_TERMINAL_H

#include <stdio.h>
#include <sys/ioctl.h>

/* 80 columns and 24 rows where the terminal does not say. */
struct winsize terminal_size(int fd);

/* Print the text as a line; on a terminal wrapped at words, with all lines but the first indented. */
void terminal_print(FILE *out, const char *text, int indent);

#endif
