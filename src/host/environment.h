/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Facts of the machine that take more than reading a line. Each reader writes
 * "none" if the machine is known to have no such thing, and leaves the value ""
 * if that is not known.
 */
#ifndef HOST_ENVIRONMENT_H
#define HOST_ENVIRONMENT_H

#include <stddef.h>

#include "base/cpus.h"

typedef void environment_reader(char *value, size_t size, const char *where);

/* The first line of a file that not every machine has. */
environment_reader environment_line;

/* The name of the distribution; where is its os-release(5). */
environment_reader environment_distribution;

/* The names of the machine and its board, and of the firmware; where is the firmware's directory in /sys. */
environment_reader environment_board, environment_bios;

/* The vulnerabilities of the CPU and their mitigations; where is a directory of files. */
environment_reader environment_mitigations;

/* Of all CPUs, one text for those that are alike; where is a directory below that of each CPU. */
environment_reader environment_idle_states, environment_governor, environment_frequency;

/* The same, of these CPUs; and the latency to which their idle states are limited. */
void environment_idle_states_of(const struct cpus *cpus, char *value, size_t size);
void environment_governor_of(const struct cpus *cpus, char *value, size_t size);
void environment_idle_latency_of(const struct cpus *cpus, char *value, size_t size);	/* of none: of all */

/* The scheduler that is loaded in place of the kernel's own, for ordinary processes; where is the directory in /sys. */
environment_reader environment_sched_ext;

/* May the CPUs run above their nominal frequency? on, off. */
environment_reader environment_boost;

/* The control groups of this process. */
environment_reader environment_cgroup;

environment_reader environment_hypervisor, environment_container;

#endif
