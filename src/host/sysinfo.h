/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine, as its kernel describes it, for the report's header. */
#ifndef HOST_SYSINFO_H
#define HOST_SYSINFO_H

#include <stdbool.h>
#include <stddef.h>

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

/* The value of the fact of that key; "unknown" when there is no such fact. */
const char *sysinfo_value(const struct machine *machine, const char *key);

/* Is the fact known both times, and has it changed? */
bool sysinfo_differs(const struct sysinfo_fact *before, const struct sysinfo_fact *after);

/* Writes what has changed, as "KEY changed: BEFORE -> AFTER" joined by "; ", or "". */
void sysinfo_tell_changes(const struct machine *before, const struct machine *after, char *text, size_t size);

#endif
