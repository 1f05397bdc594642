/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which work was executed when, of what was asked for: the two ends of each
 * request, as the kernel tells them. Pure.
 *
 * One request is due at each instant of a grid. When as many are pending as
 * may be, none can be made: those instants are missed, and served with the
 * youngest that is pending, which they would have been part of.
 */
#ifndef SOURCE_DEFERRED_PAIRS_H
#define SOURCE_DEFERRED_PAIRS_H

#include <stdbool.h>
#include <stdint.h>

#define PAIRS_MAX 256

struct pair {
	uint64_t work;			/* the kernel's address of it; 0: there is only one */
	uint64_t queued_ns, executed_ns;
	uint64_t missed;		/* so many instants were, and */
	uint64_t missed_ns;		/* this is the first of them; the others follow by a period each */
};

struct pairs {
	unsigned limit;			/* so many may be pending */
	bool merged;			/* what is asked for while one is pending is part of it */
	uint64_t anchor_ns, period_ns;	/* the grid is anchor + k * period */

	unsigned pending;
	struct pair queue[PAIRS_MAX];	/* in the order in which they were queued */
	unsigned first, done;		/* ring: executed, and not yet taken */
	struct pair executed[PAIRS_MAX];

	uint64_t second_work, second_ns;	/* queued where there was no room, when; 0: none was */
	bool expecting;			/* the record of the last request, which was made */
	bool again;			/* while one was pending, of which it may be part, and then leaves no record */
	uint64_t asked_ns;		/* then, and */
	uint64_t asked_due_ns;		/* was due at this instant */
	uint64_t due_ns;		/* of the last that was one of its own; 0: there was none yet */
	uint64_t finished;		/* requests of which nothing is to come any more */
	uint64_t missed;		/* instants since that one was due, and */
	uint64_t last_missed_ns;	/* the last of all */

	uint64_t unmatched;		/* requests of which one end was not seen */
	uint64_t unasked;		/* see pairs_unasked(): up to the last request */
};

/* Nothing is pending. limit is 1 to PAIRS_MAX, and 1 where requests are merged. */
void pairs_init(struct pairs *pairs, unsigned limit, bool merged, uint64_t anchor_ns, uint64_t period_ns);

/* The first instant of the grid behind now. */
uint64_t pairs_next_due(const struct pairs *pairs, uint64_t now_ns);

/*
 * May a request be made for this instant? Where requests are merged, also when
 * one has been pending for two periods: if the new one is queued, the end of
 * that was not recorded, and it is unmatched.
 */
bool pairs_may_ask(const struct pairs *pairs, uint64_t due_ns);

/* One was made, no sooner than now. */
void pairs_ask(struct pairs *pairs, uint64_t due_ns, uint64_t now_ns);

/* Records of the kernel. Those of a request are told in this order; what belongs to none of ours is ignored. */
void pairs_queued(struct pairs *pairs, uint64_t work, uint64_t at_ns);
void pairs_executed(struct pairs *pairs, uint64_t work, uint64_t at_ns);

/* Records are missing here: no end is to be expected of what is pending. */
void pairs_lost(struct pairs *pairs);

/* All records up to now were told, and so many requests have ended for certain; 0: that is not known. */
void pairs_settle(struct pairs *pairs, uint64_t ended);

/* The next that was executed, the earliest first. Returns false when there is none. */
bool pairs_take(struct pairs *pairs, struct pair *pair);

/* Instants at which nothing was pending and nothing was asked, up to now. */
uint64_t pairs_unasked(const struct pairs *pairs, uint64_t now_ns);

/* What the pair served: 1 request, and those that were missed. */
static inline uint64_t pair_requests(const struct pair *pair)
{
	return 1 + pair->missed;
}

/* When the i-th of these was made, or was to be made; the oldest is the 0th. */
uint64_t pair_asked(const struct pair *pair, const struct pairs *pairs, uint64_t i);

#endif
