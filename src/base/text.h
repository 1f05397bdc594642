/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text that is built in steps or comes from outside, and is truncated to fit. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdarg.h>
#include <stddef.h>
#include <sys/ioctl.h>

/* Add to the text in a buffer of size bytes, 4 or more. Text that does not fit ends in "...". */
void text_append(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
void text_append_list(char *text, size_t size, const char *format, va_list args)
	__attribute__((format(printf, 3, 0)));

/* Length of the UTF-8 character at the start; 0: none, or it controls a terminal, ends a line or reverses text. */
unsigned text_character(const char *text);

/* Copy as much of the text as fits in size bytes. Each byte outside such a character becomes \xHH. */
void text_print(char *printable, size_t size, const char *text);

/* How many columns the first length bytes of a text take if each character takes one. */
unsigned text_width(const char *text, size_t length);

/* The window of a terminal: 80 columns and 24 rows if its size is unknown. */
struct winsize terminal_size(int fd);

#endif
