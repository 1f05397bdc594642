/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the meter was waiting for, from one record to the next. Pure. */
#ifndef EXPLAIN_WAIT_H
#define EXPLAIN_WAIT_H

#include "explain_blame.h"

/* What comes later may tell that it was another thing: then the segments up to there change, too. */
struct wait {
	struct blame *blame;
	enum blame_phase phase;
	bool woken;			/* the meter was, since it went to sleep */
	bool others_came;		/* interrupts, though not the timer's */
};

/* The segment was added: the last. */
void wait_note_segment(struct wait *wait, const struct segment *segment);

/* An interrupt or timer, so long after due. */
void wait_note_interrupt(struct wait *wait, const struct trace_record *record, int64_t at_ns);

void wait_note_waking(struct wait *wait, const struct trace_record *record, bool within_interrupt);
void wait_note_switch(struct wait *wait, const struct trace_record *record, int64_t at_ns);
void wait_note_loss(struct wait *wait);

/* Nothing more comes, or nothing that tells who woke the meter: that was on another CPU, or before, or is lost. */
void wait_end(struct wait *wait);

#endif
