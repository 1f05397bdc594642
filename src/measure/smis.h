/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System management interrupts, in which firmware has the CPU and no kernel knows of it. */
#ifndef MEASURE_SMIS_H
#define MEASURE_SMIS_H

#include <stdint.h>

/* Count those of a CPU. Returns a descriptor; -1 where the machine does not count them, or not for us. */
int smis_open(int cpu);

/* How many there were, in all and since then; EVENTS_UNKNOWN, without a system call, where they are not counted. */
int64_t smis_count(int smis);
int64_t smis_since(int smis, int64_t before);

#endif
