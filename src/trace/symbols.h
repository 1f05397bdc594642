/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names of the kernel's functions and their addresses, from /proc/kallsyms. */
#ifndef TRACE_SYMBOLS_H
#define TRACE_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

#define KALLSYMS "/proc/kallsyms"

/* Some MB, which a fork inherits. All 0: no names are known. */
struct symbols {
	struct symbol *sorted;		/* by address */
	unsigned count;
	char *names;
};

/*
 * Read all functions from path and keep them until forgotten; or find count of them by name, 0 if there is none,
 * without reading more. Returns 0, or -1 with errno; EPERM: kernel.kptr_restrict hides the addresses.
 */
int symbols_load(struct symbols *symbols, const char *path);
void symbols_forget(struct symbols *symbols);
int symbols_look_up(const char *path, const char *const names[], uint64_t addresses[], unsigned count);

/* Returns the name of the function that holds the address, and the bytes from its start; NULL: unknown. */
const char *symbols_find(const struct symbols *symbols, uint64_t address, uint64_t *offset);

#endif
