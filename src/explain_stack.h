/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A stack of the kernel with names, and what of it tells something. */
#ifndef EXPLAIN_STACK_H
#define EXPLAIN_STACK_H

#include <stdbool.h>

#include "symbols.h"
#include "trace_record.h"

struct stack {
	unsigned frames;
	struct {
		const char *name;		/* NULL: unknown */
		uint64_t offset;		/* in the function; if that is unknown, the address */
	} frame[TRACE_FRAMES];			/* innermost first */
};

/* Name the frames of the record. The names last as long as the symbols. */
void stack_name(struct stack *stack, const struct trace_record *record, const struct symbols *symbols);

/*
 * Append up to three functions, as "vprintk_store < printk": of a stack in an
 * interrupt those that were interrupted, of one in the scheduler those that
 * made way. Returns false if there are none.
 */
bool stack_tell_interrupted(const struct stack *stack, char *text, size_t size);
bool stack_tell_switched(const struct stack *stack, char *text, size_t size);

/* Was it a program, and not the kernel, that was interrupted? */
bool stack_is_of_program(const struct stack *stack);

#endif
