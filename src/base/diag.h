/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Words for the user: one line on standard error that names the thing, the
 * reason and the remedy.
 */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include <stdbool.h>

/* What realfeel exits with; realfeel(8) documents each. */
enum exit_status {
	EXIT_MEASURED = 0,
	EXIT_NOT_MEASURED = 1,	/* or the report is not where it was asked for, or the verdict is invalid */
	EXIT_EXCEEDED = 2,
	EXIT_INTERRUPTED = 3,
	EXIT_NO_DEVICE = 4,
};

/*
 * Print "realfeel: " and the message, formatted as by printf, with '?' in place
 * of control characters. warn() does not change errno.
 */
void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same, then exit with the status. */
void die(enum exit_status status, const char *format, ...)
	__attribute__((noreturn, format(printf, 2, 3)));

/* Flush standard output. Returns false, after a warning, when that or an earlier write failed. */
bool diag_flush(void);

/* From now on pass each message, without "realfeel: ", to this function instead of printing it; NULL: print again. */
void diag_redirect(void (*to)(const char *message));

#endif
