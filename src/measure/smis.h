/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System management interrupts: firmware has the CPU, and the kernel does not notice. */
#ifndef MEASURE_SMIS_H
#define MEASURE_SMIS_H

#include <stdint.h>

/* Count those of a CPU. Returns a descriptor; -1 where the machine does not count them, or this process may not. */
int smis_open(int cpu);

/* The count so far, and since a count before; EVENTS_UNKNOWN, without a system call, where they are not counted. */
int64_t smis_count(int smis);
int64_t smis_since(int smis, int64_t before);

#endif
