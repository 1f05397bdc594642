/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The process that wakes a meter: where it runs, and how. */
#ifndef WAKER_H
#define WAKER_H

#include <stddef.h>
#include <sys/types.h>

struct waker {
	int cpu;		/* -1: the meter's own */
	int priority;		/* of SCHED_FIFO; 0: there is no waker */
};

#define WAKER_TEXT_SIZE 160

/*
 * Give that process its CPU and its policy. Writes what was granted, as lines
 * "key: value" of realfeel(5), and what was refused, as one clause, or "".
 */
void waker_place(const struct waker *waker, pid_t pid, char granted[WAKER_TEXT_SIZE],
		 char refused[WAKER_TEXT_SIZE]);

#endif
