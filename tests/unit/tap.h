/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Test results in TAP, for prove. */
#ifndef TAP_H
#define TAP_H

#include <stdbool.h>
#include <stdint.h>

/* One test. The name is a printf format. */
bool ok(bool passed, const char *name, ...) __attribute__((format(printf, 2, 3)));

/* One test of two numbers; both are shown when they differ. */
bool is(int64_t got, int64_t expected, const char *name, ...)
	__attribute__((format(printf, 3, 4)));

/* One test of two strings. */
bool is_text(const char *got, const char *expected, const char *name);

/*
 * A random number. The seed is SEED of the environment; else the time if
 * CHECK_ALL is set, and otherwise always the same. It is printed.
 */
uint64_t random_number(void);

/* Print the plan. Returns what main is to return. */
int done(void);

#endif
