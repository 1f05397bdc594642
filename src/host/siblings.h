/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The threads of a core (SMT): what one of them does slows the others. */
#ifndef HOST_SIBLINGS_H
#define HOST_SIBLINGS_H

#include <stddef.h>

#include "base/cpus.h"

/* Add the other threads of the CPU's core to the set. Returns their number; -1 if the kernel does not tell. */
int siblings_add(int cpu, cpu_set_t *siblings);

/* The same of several CPUs; the set is emptied first. */
void siblings_of(const struct cpus *cpus, cpu_set_t *siblings);

/* For the report: the CPUs of each core that has several, as in "0,4 1,5"; online is the list of CPUs to look at. */
void siblings_of_cores(char *value, size_t size, const char *online);

#endif
