/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel says of single CPUs: idle states, frequencies, and the threads that share a core (SMT). */
#ifndef HOST_CPU_FACTS_H
#define HOST_CPU_FACTS_H

#include <stddef.h>

#include "base/cpus.h"

/* Writes the fact of one CPU, or leaves the text "" if it is not known, as if the CPU is offline. */
typedef void cpu_fact(char *text, size_t size, int cpu);

/* The idle states, each with its exit latency, the latency to which they are limited, and the frequency. */
cpu_fact cpu_idle_states, cpu_idle_latency, cpu_governor, cpu_frequency;

/*
 * Write the fact of these CPUs, or of all (NULL, or none is named): one text for those that
 * are alike, "none" if the machine is known to have no such thing, else "unknown".
 */
void cpu_facts(const struct cpus *cpus, cpu_fact *fact, char *value, size_t size);

/* Add the other threads of the CPU's core to the set. Returns their number; -1 if the kernel does not list them. */
int siblings_add(int cpu, cpu_set_t *siblings);

/* The same of several CPUs; the set is emptied first. */
void siblings_of(const struct cpus *cpus, cpu_set_t *siblings);

/* The CPUs of each core that has several, as in "0,4 1,5"; online is the list of CPUs to look at. */
void siblings_of_cores(char *value, size_t size, const char *online);

#endif
