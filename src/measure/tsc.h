/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The counter that every CPU of the machine can read without the kernel. All
 * assembly is here. No read may start before the return of the wait has retired;
 * where the architecture does not ensure that, a fence does.
 *
 * TSC_CLOCKSOURCE is the kernel's name for the counter as a clock source.
 * TSC_CONSTANT: the architecture guarantees a constant rate and a counter that
 * never stops; elsewhere the CPU's flags tell whether it does.
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

#elif defined(__riscv) && __riscv_xlen == 64

#define TSC_EXISTS true
#define TSC_CLOCKSOURCE "riscv_clocksource"
#define TSC_CONSTANT true

/* No fence: a hart's reads of its CSRs, and its returns from the kernel, keep their order. */
static inline uint64_t tsc_read(void)
{
	uint64_t ticks;

	__asm__ volatile("rdtime %0" : "=r"(ticks) : : "memory");
	return ticks;
}

#elif defined(__powerpc64__)

#define TSC_EXISTS true
#define TSC_CLOCKSOURCE "timebase"
#define TSC_CONSTANT true

/* mftb may run ahead; isync waits for all instructions before it. */
static inline uint64_t tsc_read(void)
{
	uint64_t ticks;

	__asm__ volatile("isync; mftb %0" : "=r"(ticks) : : "memory");
	return ticks;
}

#elif defined(__s390x__)

#define TSC_EXISTS true
#define TSC_CLOCKSOURCE "tod"
#define TSC_CONSTANT true

/* 4096 units a microsecond. No fence: stck itself serializes, unlike stckf. */
static inline uint64_t tsc_read(void)
{
	uint64_t ticks;

	__asm__ volatile("stck %0" : "=Q"(ticks) : : "memory", "cc");
	return ticks;
}

#else

/* 32-bit ARM, too: its kernel may keep time by a counter other than the one that users can read. */
#define TSC_EXISTS false
#define TSC_CLOCKSOURCE ""
#define TSC_CONSTANT false

static inline uint64_t tsc_read(void)
{
	return 0;
}

#endif
#endif
