/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The CPU's time stamp counter: all the assembly that there is. Counters of
 * other machines go here.
 */
#ifndef TSC_H
#define TSC_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__x86_64__) || defined(__i386__)

#define TSC_EXISTS true

/* The fence keeps the read from starting before the wait's return has retired. */
static inline uint64_t tsc_read(void)
{
	uint32_t low, high;

	__asm__ volatile("lfence; rdtsc" : "=a"(low), "=d"(high) : : "memory");
	return (uint64_t)high << 32 | low;
}

#else

#define TSC_EXISTS false

static inline uint64_t tsc_read(void)
{
	return 0;
}

#endif
#endif
