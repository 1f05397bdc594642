// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "source/deferred.h"

#define PATIENCE_PERIODS 2

uint64_t pairs_next_due(const struct pairs *pairs, uint64_t now_ns)
{
	if (now_ns < pairs->anchor_ns)
		return pairs->anchor_ns;
	return now_ns - (now_ns - pairs->anchor_ns) % pairs->period_ns + pairs->period_ns;
}

bool pairs_may_ask(const struct pairs *pairs, uint64_t due_ns)
{
	if (due_ns <= pairs->last_ns)
		return false;
	if (pairs->pending < pairs->limit)
		return true;
	return pairs->merged && due_ns >= pairs->queue[0].queued_ns + PATIENCE_PERIODS * pairs->period_ns;
}

void pairs_ask(struct pairs *pairs, uint64_t due_ns, uint64_t now_ns)
{
	pairs->asked_due_ns = due_ns;
	pairs->asked_ns = now_ns;
	pairs->again = pairs->pending >= pairs->limit;
	pairs->expecting = true;
}

static void count_asked(struct pairs *pairs)
{
	if (!pairs->first_ns)
		pairs->first_ns = pairs->asked_due_ns;
	pairs->last_ns = greater(pairs->last_ns, pairs->asked_due_ns);
	pairs->asked++;
	pairs->expecting = false;
}

void pairs_queued(struct pairs *pairs, uint64_t work, uint64_t at_ns)
{
	if (!pairs->expecting || at_ns < pairs->asked_ns)
		return;
	count_asked(pairs);
	pairs->queue[pairs->pending++] = (struct pair){
		.work = work, .due_ns = pairs->asked_due_ns, .queued_ns = at_ns,
	};
}

static struct pair remove_pending(struct pairs *pairs, unsigned i)
{
	struct pair pair = pairs->queue[i];

	pairs->pending--;
	memmove(&pairs->queue[i], &pairs->queue[i + 1], (pairs->pending - i) * sizeof(pair));
	pairs->finished++;
	return pair;
}

/* The instants that this request made us miss belong to no sample, as if nothing had been pending. */
static void drop_unmatched(struct pairs *pairs, unsigned i)
{
	pairs->missed -= remove_pending(pairs, i).missed;
	pairs->unmatched++;
}

/*
 * A request ended at at_ns. Count the instants before it at which there was no room, since the latest request queued
 * by then. If a merged request was made for one of these instants, but queued after the end, that one is not missed.
 */
static void count_missed(struct pairs *pairs, uint64_t at_ns)
{
	uint64_t first_ns, last_ns = pairs_next_due(pairs, at_ns) - pairs->period_ns;
	unsigned queued = pairs->pending;
	struct pair *youngest;

	while (queued && pairs->queue[queued - 1].queued_ns > at_ns)
		queued--;
	if (queued < pairs->limit)
		return;
	youngest = &pairs->queue[queued - 1];
	first_ns = pairs_next_due(pairs, youngest->queued_ns);
	if (first_ns > last_ns)
		return;
	youngest->missed_ns = first_ns;
	youngest->missed = 1 + (last_ns - first_ns) / pairs->period_ns;
	if (queued < pairs->pending && pairs->queue[queued].due_ns <= last_ns)
		youngest->missed--;
	pairs->missed += youngest->missed;
	pairs->last_ns = greater(pairs->last_ns, last_ns);
}

/*
 * If several pending requests have this work, the youngest that was queued by then was executed: the kernel queues a
 * work again, or reuses its address, only after it was executed. So the ends of the older ones were not recorded.
 * Records of several CPUs are not reported in time order, so each is inserted in its place.
 */
void pairs_executed(struct pairs *pairs, uint64_t work, uint64_t at_ns)
{
	unsigned found = pairs->pending;
	struct pair pair;
	unsigned i;

	while (found && (pairs->queue[found - 1].work != work || pairs->queue[found - 1].queued_ns > at_ns))
		found--;
	if (!found--)
		return;
	for (i = found; i--;) {
		if (pairs->queue[i].work == work) {
			drop_unmatched(pairs, i);
			found--;
		}
	}
	count_missed(pairs, at_ns);
	pair = remove_pending(pairs, found);
	pair.executed_ns = at_ns;
	for (i = pairs->executed++; i > 0 && pairs->done[i - 1].executed_ns > at_ns; i--)
		pairs->done[i] = pairs->done[i - 1];
	pairs->done[i] = pair;
}

void pairs_lost(struct pairs *pairs)
{
	while (pairs->pending)
		drop_unmatched(pairs, 0);
}

void pairs_complete(struct pairs *pairs, uint64_t ended)
{
	if (pairs->expecting && !pairs->again) {
		count_asked(pairs);
		pairs->finished++;
		pairs->unmatched++;
	}
	if (pairs->expecting && pairs->again)
		pairs->merged_ns = pairs->asked_ns;
	pairs->expecting = false;
	while (pairs->pending > pairs->limit || (pairs->pending && pairs->finished < ended))
		drop_unmatched(pairs, 0);
}

uint64_t pairs_waited(const struct pairs *pairs, uint64_t now_ns)
{
	uint64_t until_ns = pairs->merged ? pairs->merged_ns : now_ns;

	return pairs->pending && until_ns > pairs->queue[0].queued_ns ? until_ns - pairs->queue[0].queued_ns : 0;
}

bool pairs_take(struct pairs *pairs, struct pair *pair)
{
	if (pairs->taken == pairs->executed) {
		pairs->taken = pairs->executed = 0;
		return false;
	}
	*pair = pairs->done[pairs->taken++];
	return true;
}

uint64_t pair_asked(const struct pair *pair, const struct pairs *pairs, uint64_t i)
{
	return i ? pair->missed_ns + (i - 1) * pairs->period_ns : pair->queued_ns;
}

uint64_t pairs_unasked(const struct pairs *pairs, uint64_t now_ns)
{
	uint64_t last_ns = pairs->last_ns;

	if (!pairs->first_ns)
		return 0;
	if (!pairs->pending && !pairs->expecting)
		last_ns = greater(last_ns, now_ns);
	return (last_ns - pairs->first_ns) / pairs->period_ns + 1 - pairs->asked - pairs->missed;
}
