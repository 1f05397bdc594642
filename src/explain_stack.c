// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "explain_stack.h"
#include "text.h"

#define TOLD 3

static bool begins(const char *name, const char *const beginnings[])
{
	for (; name && *beginnings; beginnings++)
		if (!strncmp(name, *beginnings, strlen(*beginnings)))
			return true;
	return false;
}

/* The way into the kernel: what lies below was interrupted, or is a program. */
static bool is_entry(const char *name)
{
	static const char *const entries[] = {
		"asm_", "el0t_", "el1h_64_irq", "el1h_64_fiq", "entry_", "ret_from_", NULL
	};

	return begins(name, entries) && !strstr(name, "_handler");
}

static bool is_scheduler(const char *name)
{
	static const char *const parts[] = {
		"perf_", "__traceiter_", "trace_", "__schedule", "schedule", "preempt_schedule", "__preempt_schedule",
		"dynamic_preempt_schedule", "__bpf_trace", NULL
	};

	return begins(name, parts);
}

void stack_name(struct stack *stack, const struct trace_record *record, const struct symbols *symbols)
{
	stack->frames = record->frames;
	for (unsigned i = 0; i < record->frames; i++) {
		stack->frame[i].offset = record->frame[i];
		stack->frame[i].name = symbols_find(symbols, record->frame[i], &stack->frame[i].offset);
	}
}

/* The way back to a program says nothing of where it began. */
static bool is_exit(const char *name)
{
	return name && !strncmp(name, "exit_to_user_mode", strlen("exit_to_user_mode"));
}

static bool tell(const struct stack *stack, unsigned first, char *text, size_t size)
{
	unsigned i;

	for (i = first; i < stack->frames && i < first + TOLD && !is_entry(stack->frame[i].name); i++) {
		const char *name = stack->frame[i].name;

		if (i > first && is_exit(stack->frame[i - 1].name))
			break;
		text_append(text, size, "%s%s", i > first ? " < " : "", name ? name : "?");
	}
	return i > first;
}

/* The first frame that was interrupted; 0: none is known. */
static unsigned interrupted(const struct stack *stack)
{
	for (unsigned i = 0; i < stack->frames; i++)
		if (is_entry(stack->frame[i].name))
			return i + 1;
	return 0;
}

bool stack_tell_interrupted(const struct stack *stack, char *text, size_t size)
{
	unsigned first = interrupted(stack);

	return first && tell(stack, first, text, size);
}

bool stack_tell_switched(const struct stack *stack, char *text, size_t size)
{
	unsigned first = 0;

	while (first < stack->frames && is_scheduler(stack->frame[first].name))
		first++;
	return tell(stack, first, text, size);
}

/* One that is full may go on. */
bool stack_is_of_program(const struct stack *stack)
{
	return stack->frames && stack->frames < TRACE_FRAMES && interrupted(stack) == stack->frames;
}
