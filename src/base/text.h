/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text that is built in steps, and cut to the room there is. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdarg.h>
#include <stddef.h>

/* Add to the text in a buffer of size bytes, 4 or more. Text that does not fit is cut, and ends in three dots. */
void text_append(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
void text_append_list(char *text, size_t size, const char *format, va_list args)
	__attribute__((format(printf, 3, 0)));

/* The length of as many words as have room in so many columns, and of one at least. */
int text_fit(const char *text, int columns);

#endif
