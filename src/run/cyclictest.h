/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The habits of those who come from cyclictest. */
#ifndef RUN_CYCLICTEST_H
#define RUN_CYCLICTEST_H

/*
 * Where the command line has options of cyclictest that are none here, or mean something else, exits with
 * EXIT_NOT_MEASURED after one line that says what they are here. Otherwise returns.
 */
void cyclictest_answer(int argc, char *const *argv);

#endif
