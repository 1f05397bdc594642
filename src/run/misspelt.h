/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An option that getopt does not take, and what was meant by it. */
#ifndef RUN_MISSPELT_H
#define RUN_MISSPELT_H

#include <argp.h>
#include <stdbool.h>

/* Have argp say nothing of its own until it ends. Not all take ARGP_NO_ERRS for that, as glibc's does. */
void misspelt_silence(struct argp_state *state, bool begins);

/*
 * Exits with EXIT_NOT_MEASURED after one line. next is the word at which getopt stopped: it has read the one before
 * or, where that is of several letters, is still in this one.
 */
void misspelt_refuse(const struct argp_option *table, char *const *argv, int next) __attribute__((noreturn));

#endif
