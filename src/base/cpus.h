/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A list of CPUs, as people and the kernel write it: "0-3,6". */
#ifndef BASE_CPUS_H
#define BASE_CPUS_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>

#define CPUS_MAX ((int)(8 * sizeof(cpu_set_t)))	/* 1024; the CPU_SETSIZE of musl is 128 */
#define CPUS_TEXT_SIZE 4096		/* enough for any list as text */

struct cpus {
	int count;			/* 0: none is named */
	int number[CPUS_MAX];	/* ascending, each once */
};

/*
 * Read the whole text: numbers and ranges, or "all" for the CPUs that this process may use. Returns NULL; or, with the
 * list unchanged, the reason and the remedy, to follow "--option=text: ", valid until the next call.
 */
const char *cpus_parse(const char *text, struct cpus *cpus);

/* The CPUs of the set. */
void cpus_take(struct cpus *cpus, const cpu_set_t *set);

/* Write the list as text; consecutive numbers become ranges. */
void cpus_print(const struct cpus *cpus, char text[CPUS_TEXT_SIZE]);

bool cpus_include(const struct cpus *cpus, int number);

#endif
