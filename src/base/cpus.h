/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A list of CPUs, as people and the kernel write it: "0-3,6". */
#ifndef BASE_CPUS_H
#define BASE_CPUS_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>

#define CPUS_TEXT_SIZE 4096		/* holds every list as text */

struct cpus {
	int count;			/* 0: none is named */
	int number[CPU_SETSIZE];	/* each once, the lowest first */
};

/*
 * Read the whole text: numbers and ranges, or "all" for the CPUs that this
 * process may use. Returns NULL; or the reason with the remedy, to be put behind
 * "--option=text: ", and leaves the list alone. The reason is valid until the
 * next call.
 */
const char *cpus_parse(const char *text, struct cpus *cpus);

/* The list as text, with ranges where numbers follow each other. */
void cpus_print(const struct cpus *cpus, char text[CPUS_TEXT_SIZE]);

bool cpus_include(const struct cpus *cpus, int number);

#endif
