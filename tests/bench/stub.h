/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A wait without sleep, to time what a loop does from one wait to the next. It
 * ends the process after some ten thousand turns and prints how many ns a turn
 * took, the wait left out: the mean of the middle half.
 */
#ifndef STUB_H
#define STUB_H

#include <stdint.h>

#define STUB_HZ 50000		/* fast enough to be short, slow enough for every loop */

/* Returns a microsecond after due_ns, on CLOCK_MONOTONIC: not too early for a clock that runs a little behind. */
void stub_wait(uint64_t due_ns);

#endif
