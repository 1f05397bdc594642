/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The process that wakes a meter: where it runs, and how. */
#ifndef SOURCE_WAKER_H
#define SOURCE_WAKER_H

#include <sys/types.h>

#include "base/options.h"

struct rights;

/* Give that process its CPU and its policy. Adds what was granted, and what was refused. */
void waker_place(const struct waker *waker, pid_t pid, struct rights *rights);

#endif
