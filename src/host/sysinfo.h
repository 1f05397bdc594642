/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine as its kernel describes it; for CPUs the idle states, frequencies, and threads that share a core. */
#ifndef HOST_SYSINFO_H
#define HOST_SYSINFO_H

#include <stdbool.h>
#include <stddef.h>

#include "base/cpus.h"

#define SYSINFO_FACTS 33

struct sysinfo_fact {
	const char *key;	/* as in realfeel(5) */
	char value[2048];	/* "none": there is none; "unknown...": it could not be read */
};

struct machine {
	struct sysinfo_fact fact[SYSINFO_FACTS];
};

/* All facts, as they are now. */
void sysinfo_read(struct machine *machine);

/* The value of the fact with that key; "unknown" when there is no such fact. */
const char *sysinfo_value(const struct machine *machine, const char *key);

/* Is the fact known both times, and has it changed? */
bool sysinfo_differs(const struct sysinfo_fact *before, const struct sysinfo_fact *after);

/* Writes what has changed, as "KEY changed: BEFORE -> AFTER" joined by "; ", or "". */
void sysinfo_tell_changes(const struct machine *before, const struct machine *after, char *text, size_t size);

/* By the kernel's version: is it PREEMPT_RT, is it this release or a later one? */
bool kernel_is_rt(void);
bool kernel_is_since(unsigned major, unsigned minor);

/*
 * Facts: how much of the kernel can be preempted, and where that was last found. If the kernel can change it, only root
 * can read it (in the file where), and the kernel may log that; else see configuration or version.
 */
void preemption_model(char *value, size_t size, const char *where);
void preemption_from(char *value, size_t size, const char *where);

/* Writes the fact of one CPU, or leaves the text "" if it is not known, as when the CPU is offline. */
typedef void cpu_fact(char *text, size_t size, int cpu);

/* The idle states, each with its exit latency, and the frequency. */
cpu_fact cpu_idle_states, cpu_governor, cpu_frequency;

/* Write the fact of these CPUs, or of all (NULL): one text for those that are alike; "none", "unknown". */
void cpu_facts(const struct cpus *cpus, cpu_fact *fact, char *value, size_t size);

/* Add the other threads of the CPU's core to the set. Returns their number, -1 if unknown. */
int siblings_add(int cpu, cpu_set_t *siblings);

/* The CPUs of each core that has several, as in "0,4 1,5"; online is the list of CPUs to look at. */
void siblings_of_cores(char *value, size_t size, const char *online);

#endif
