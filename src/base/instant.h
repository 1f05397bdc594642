/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's clocks, in ns. */
#ifndef BASE_INSTANT_H
#define BASE_INSTANT_H

#include <stdint.h>
#include <time.h>

static inline uint64_t timespec_ns(struct timespec time)
{
	return (uint64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static inline uint64_t clock_ns(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return timespec_ns(now);
}

static inline uint64_t monotonic_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

static inline struct timespec timespec_from(uint64_t ns)
{
	return (struct timespec){ .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 };
}

#endif
