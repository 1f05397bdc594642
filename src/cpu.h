/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The CPU that this thread runs on, for one load where the C library registers rseq(2). */
#ifndef CPU_H
#define CPU_H

#include <features.h>
#include <stdint.h>

#if __GLIBC_PREREQ(2, 35) && defined(__LP64__)

#include <sys/rseq.h>

/* Returns less than 0 when it is unknown. */
static inline int cpu_now(void)
{
	const char *thread = __builtin_thread_pointer();
	const struct rseq *rseq = (const void *)(thread + __rseq_offset);

	return *(const volatile int32_t *)&rseq->cpu_id;
}

#else

#include <sched.h>

static inline int cpu_now(void)
{
	return sched_getcpu();
}

#endif
#endif
