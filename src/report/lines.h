/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of the header of the report, realfeel(5), and edges of bins. Pure. */
#ifndef REPORT_LINES_H
#define REPORT_LINES_H

#include <stdint.h>
#include <stdio.h>

#include "measure/hist.h"

/* Control characters and backslashes are escaped, so that it is one line. */
void print_text(FILE *out, const char *text);

/* The same as one word of a line: a space is escaped, too, and nothing is "-". */
void print_word(FILE *out, const char *text);

void print_value(FILE *out, const char *key, const char *value);
void print_count(FILE *out, const char *key, uint64_t count);

/* A command, to be read by a shell. */
void print_words(FILE *out, const char *key, char **argv);

/* Of so many values; without any there is no line. */
void print_moments(FILE *out, const char *name, const struct moments *moments, uint64_t count);

/* Where bin n of so many begins and ends, in us; lower_ns is that of the bins. */
void print_edges(FILE *out, uint64_t (*lower_ns)(unsigned), unsigned bin, unsigned bins);

#endif
