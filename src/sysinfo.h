/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine, in the words of its kernel: lines of the report's header. */
#ifndef SYSINFO_H
#define SYSINFO_H

#define SYSINFO_FACTS 10

struct sysinfo_fact {
	const char *key;	/* as in realfeel(5) */
	char value[1024];	/* "unknown" when it could not be read */
};

struct machine {
	struct sysinfo_fact fact[SYSINFO_FACTS];
};

void sysinfo_read(struct machine *machine);

/* The value of a fact by its key. */
const char *sysinfo_value(const struct machine *machine, const char *key);

#endif
