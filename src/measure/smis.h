/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System management interrupts: firmware has the CPU, and the kernel does not notice. */
#ifndef MEASURE_SMIS_H
#define MEASURE_SMIS_H

#include <stdint.h>

/*
 * Begin to count those of a CPU. Returns a descriptor; -1 if the machine cannot or this
 * process may not count them. Who counts runs on that CPU, or interrupts it.
 */
int smis_open(int cpu);

/* The count so far, and since an earlier count, with 32 bits. Without a counter: EVENTS_UNKNOWN, and no system call. */
int64_t smis_count(int smis);
int64_t smis_since(int smis, int64_t before);

#endif
