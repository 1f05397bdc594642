/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the wake-ups of the run were made of, so far: the sums of their parts.
 * It lives where the totals do, and adding to it is all or nothing, too. What
 * was not added when the keeper was killed is missing; it is never counted in
 * part. A wake-up that is missing is one whose parts are unknown.
 */
#ifndef EXPLAIN_COMPOSITION_H
#define EXPLAIN_COMPOSITION_H

#include "explain/parts.h"
#include "measure/totals.h"

/* Of the wake-ups of a lateness, in coarse bins. */
struct lateness_parts {
	uint64_t wakeups;
	int64_t sum_ns[PARTS];
};

struct part_sums {
	uint64_t matched;		/* wake-ups whose parts are known */
	uint64_t lost;			/* records that the kernel could not keep for us */
	struct moments moments[PARTS];
	struct lateness_parts by_lateness[HIST_COARSE_BINS];
	unsigned worst;			/* of the events of the totals, so many are known: */
	struct wakeup_parts row[EVENTS_MAX];
	uint64_t bins[PARTS][HIST_BINS];	/* a part below 0 is in the bin of 0 */
};

struct composition;

/* Both return NULL with errno when there is no memory. See totals.h. */
struct composition *composition_create(void);
struct composition *composition_inherit(struct composition *composition);
void composition_forget(struct composition *composition);

/*
 * Add so many wake-ups, which are in the totals already, and what was lost up
 * to now. Of those that are events of the totals, and still are, the parts are kept.
 */
void composition_add(struct composition *composition, const struct wakeup_parts *rows, unsigned count,
		     uint64_t lost, const struct events *events);

const struct part_sums *composition_sums(const struct composition *composition);

/* Of the event with this stamp; NULL: unknown. */
const struct parts *parts_of_event(const struct part_sums *sums, uint64_t stamp_ns);

#endif
