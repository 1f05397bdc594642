/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of the report's header, realfeel(5). Pure. */
#ifndef REPORT_LINES_H
#define REPORT_LINES_H

#include <stdint.h>
#include <stdio.h>

/* Escapes backslashes, and what text_character() is none of: the text stays on one line. */
void print_text(FILE *out, const char *text);

/* Print the text as one word of a line: spaces are escaped, too; an empty text is "-". */
void print_word(FILE *out, const char *text);

void print_value(FILE *out, const char *key, const char *value);
void print_count(FILE *out, const char *key, uint64_t count);
void print_share(FILE *out, const char *key, uint64_t some, uint64_t all);

/* Print a command, quoted for a shell. argv ends with NULL. */
void print_words(FILE *out, const char *key, char **argv);

#endif
