/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The counter that every CPU of the machine can read without the kernel. All
 * assembly is here. No read may start before the return of the wait has retired;
 * where the architecture does not ensure that, a fence does.
 *
 * TSC_CLOCKSOURCE is the kernel's name for the counter as a clock source. TSC_CONSTANT: the architecture guarantees a
 * constant rate and a counter that never stops; elsewhere the CPU's flags show whether it does.
 */
#ifndef MEASURE_TSC_H
#define MEASURE_TSC_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__x86_64__) || defined(__i386__)

#define TSC_EXISTS true
#define TSC_CLOCKSOURCE "tsc"
#define TSC_CONSTANT false

/* rdtsc waits for nothing; lfence, for all instructions before it. */
static inline uint64_t tsc_read(void)
{
	uint32_t low, high;

	__asm__ volatile("lfence; rdtsc" : "=a"(low), "=d"(high) : : "memory");
	return (uint64_t)high << 32 | low;
}

#elif defined(__aarch64__)

#define TSC_EXISTS true
#define TSC_CLOCKSOURCE "arch_sys_counter"
#define TSC_CONSTANT true

/* The counter may be read ahead of its turn; isb discards what was begun early. */
static inline uint64_t tsc_read(void)
{
	uint64_t ticks;

	__asm__ volatile("isb; mrs %0, cntvct_el0" : "=r"(ticks) : : "memory");
	return ticks;
}

#else

#define TSC_EXISTS false
#define TSC_CLOCKSOURCE ""
#define TSC_CONSTANT false

static inline uint64_t tsc_read(void)
{
	return 0;
}

#endif
#endif
