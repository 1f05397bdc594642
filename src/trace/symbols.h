/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names of the kernel's functions, by their addresses. */
#ifndef TRACE_SYMBOLS_H
#define TRACE_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

/* A few megabytes, which a process that is forked has as well. All 0: no names are known. */
struct symbols {
	struct symbol *sorted;
	unsigned count;
	size_t room;			/* bytes of sorted */
	char *names;
	size_t names_room;		/* bytes */
};

/*
 * Read them from path, /proc/kallsyms, with the rights of one who may see
 * them. Returns 0, or -1 with errno; EPERM: the kernel hides the addresses
 * (kernel.kptr_restrict).
 */
int symbols_load(struct symbols *symbols, const char *path);

/* Give the memory back, in this process. */
void symbols_forget(struct symbols *symbols);

/* Of the function with that name. Returns 0 when it is not known. */
uint64_t symbols_address(const struct symbols *symbols, const char *name);

/* The function that the address is in, and how far in it. Returns NULL when it is not known. */
const char *symbols_find(const struct symbols *symbols, uint64_t address, uint64_t *offset);

#endif
