/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The CPU that this thread runs on, for one load where the C library registers rseq(2). */
#ifndef CPU_H
#define CPU_H

#include <features.h>
#include <stdint.h>

#if __GLIBC_PREREQ(2, 35) && defined(__LP64__) && !defined(__powerpc64__)

#include <sys/rseq.h>

/* Where the kernel keeps the number of the calling thread's CPU; less than 0 when it does not. */
static inline const volatile int32_t *cpu_place(void)
{
	const char *thread = __builtin_thread_pointer();
	const struct rseq *rseq = (const void *)(thread + __rseq_offset);

	return (const volatile int32_t *)&rseq->cpu_id;
}

static inline int cpu_now(const volatile int32_t *place)
{
	return *place;
}

#else

#include <sched.h>
#include <stddef.h>

static inline const volatile int32_t *cpu_place(void)
{
	return NULL;
}

static inline int cpu_now(const volatile int32_t *place)
{
	(void)place;
	return sched_getcpu();
}

#endif
#endif
