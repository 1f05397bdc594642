/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One of the worst wake-ups, explained from what was recorded before it: who
 * had the CPU by the records, who cannot have had it though they say so, and
 * what the stacks add.
 */
#ifndef EXPLAIN_EVENT_H
#define EXPLAIN_EVENT_H

#include "events.h"
#include "explain_words.h"
#include "recording.h"

/* What is the same for all events of a meter. */
struct explain_context {
	const struct trace_layout *layout;
	const struct symbols *symbols;
	int meter;			/* its pid */
	bool asked;			/* its wake-ups are asked for */
	bool hypervisor;		/* there is one, or may be */
};

struct explained_event {
	struct blame blame;
	struct words_facts facts;
};

/* The records of a wake-up of the meter, which is that of the context; oldest first. */
void explain_blame(struct blame *blame, const struct trace_record *records, unsigned count, uint64_t due_ns,
		   uint64_t stamp_ns, const struct explain_context *context);

/*
 * The stack at the expiry shows that a program was interrupted, not the kernel.
 * Then interrupts were on, and a timer that is late all the same had no CPU.
 */
void blame_interrupted_program(struct blame *blame);

/* recording: of the event; NULL: there is none. Returns memory to be freed, or NULL when there is none. */
struct explained_event *explain_event(const struct event *event, const struct recording *recording,
				      const struct explain_context *context);

#endif
