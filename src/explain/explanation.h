/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the wake-ups of the run were made of, so far: the sums of their parts.
 * It lives where the totals do, and adding to it is all or nothing, too. What
 * was not added when the keeper was killed is missing; it is never counted in
 * part. A wake-up that is missing is one whose parts are unknown.
 */
#ifndef EXPLAIN_EXPLANATION_H
#define EXPLAIN_EXPLANATION_H

#include "explain/parts.h"
#include "measure/totals.h"

/* Of the wake-ups of a lateness, in coarse bins. */
struct made_of {
	uint64_t wakeups;
	int64_t sum_ns[PARTS];
};

struct part_sums {
	uint64_t matched;		/* wake-ups whose parts are known */
	uint64_t lost;			/* records that the kernel could not keep for us */
	struct moments moments[PARTS];
	struct made_of by_lateness[HIST_COARSE_BINS];
	unsigned worst;			/* of the events of the totals, so many are known: */
	struct explain_row row[EVENTS_MAX];
	uint64_t bins[PARTS][HIST_BINS];	/* a part below 0 is in the bin of 0 */
};

struct explanation;

/* Both return NULL with errno when there is no memory. See totals.h. */
struct explanation *explanation_create(void);
struct explanation *explanation_inherit(struct explanation *explanation);
void explanation_forget(struct explanation *explanation);

/*
 * Add so many wake-ups, which are in the totals already, and what was lost up
 * to now. Of those that are events of the totals, and still are, the parts are kept.
 */
void explanation_add(struct explanation *explanation, const struct explain_row *rows, unsigned count,
		     uint64_t lost, const struct events *events);

const struct part_sums *explanation_sums(const struct explanation *explanation);

/* Of the event with this stamp; NULL: unknown. */
const struct parts *parts_of_event(const struct part_sums *sums, uint64_t stamp_ns);

#endif
