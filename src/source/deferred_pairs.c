// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "source/deferred_pairs.h"

#define PATIENCE_PERIODS 2

void pairs_init(struct pairs *pairs, unsigned limit, bool merged, uint64_t anchor_ns, uint64_t period_ns)
{
	memset(pairs, 0, sizeof(*pairs));
	pairs->limit = limit;
	pairs->merged = merged;
	pairs->anchor_ns = anchor_ns;
	pairs->period_ns = period_ns;
}

uint64_t pairs_next_due(const struct pairs *pairs, uint64_t now_ns)
{
	if (now_ns < pairs->anchor_ns)
		return pairs->anchor_ns;
	return now_ns - (now_ns - pairs->anchor_ns) % pairs->period_ns + pairs->period_ns;
}

static bool is_full(const struct pairs *pairs)
{
	return pairs->pending + pairs->expecting >= pairs->limit;
}

/* May it be asked whether what is pending still is? */
static bool may_ask_again(const struct pairs *pairs, uint64_t due_ns)
{
	return pairs->merged && pairs->pending &&
	       due_ns >= pairs->queue[0].queued_ns + PATIENCE_PERIODS * pairs->period_ns;
}

bool pairs_may_ask(const struct pairs *pairs, uint64_t due_ns)
{
	return due_ns > pairs->last_missed_ns && (!is_full(pairs) || may_ask_again(pairs, due_ns));
}

void pairs_ask(struct pairs *pairs, uint64_t due_ns, uint64_t now_ns)
{
	pairs->asked_due_ns = due_ns;
	pairs->asked_ns = now_ns;
	pairs->again = is_full(pairs);
	pairs->expecting = true;
}

/* The request was one of its own: count the instants since the one before at which none was made. */
static void count_unasked(struct pairs *pairs)
{
	uint64_t due_ns = pairs->asked_due_ns;

	if (pairs->due_ns)
		pairs->unasked += (due_ns - pairs->due_ns) / pairs->period_ns - 1 - pairs->missed;
	pairs->missed = 0;
	pairs->due_ns = due_ns;
}

/* The instants for which there was no room between the youngest request and this end of one. */
static void count_missed(struct pairs *pairs, uint64_t at_ns)
{
	struct pair *youngest = &pairs->queue[pairs->pending - 1];
	uint64_t first_ns = pairs_next_due(pairs, youngest->queued_ns);

	if (pairs->pending < pairs->limit || first_ns > at_ns)
		return;
	youngest->missed_ns = first_ns;
	youngest->missed = 1 + (at_ns - first_ns) / pairs->period_ns;
	pairs->missed += youngest->missed;
	pairs->last_missed_ns = first_ns + (youngest->missed - 1) * pairs->period_ns;
}

static void remove_pending(struct pairs *pairs, unsigned i)
{
	pairs->pending--;
	memmove(&pairs->queue[i], &pairs->queue[i + 1], (pairs->pending - i) * sizeof(*pairs->queue));
	pairs->finished++;
}

static struct pair *executed_at(struct pairs *pairs, unsigned i)
{
	return &pairs->executed[(pairs->first + i) % PAIRS_MAX];
}

/* Those of several CPUs are not told in the order in which they were. */
static void keep_executed(struct pairs *pairs, const struct pair *pair)
{
	unsigned i = pairs->done++;

	for (; i > 0 && executed_at(pairs, i - 1)->executed_ns > pair->executed_ns; i--)
		*executed_at(pairs, i) = *executed_at(pairs, i - 1);
	*executed_at(pairs, i) = *pair;
}

static void give_up_oldest(struct pairs *pairs)
{
	pairs->unasked += pairs->queue[0].missed;
	remove_pending(pairs, 0);
	pairs->unmatched++;
}

static void queue(struct pairs *pairs, uint64_t work, uint64_t at_ns)
{
	count_unasked(pairs);
	pairs->queue[pairs->pending++] = (struct pair){ .work = work, .queued_ns = at_ns };
}

/* The second request was made for an instant that the first, which ended only after it, has been counted to serve. */
static void take_back_missed(struct pairs *pairs)
{
	struct pair *first = pairs->done ? executed_at(pairs, pairs->done - 1) : NULL;

	if (!first || !first->missed || pairs->asked_due_ns > pairs->last_missed_ns)
		return;
	first->missed--;
	pairs->missed--;
	pairs->asked_due_ns = pairs->last_missed_ns;
	pairs->last_missed_ns -= pairs->period_ns;
}

/* The first has ended, or no end of it was recorded before the second was queued. */
static void queue_second(struct pairs *pairs)
{
	if (!pairs->second_ns)
		return;
	if (pairs->pending)
		give_up_oldest(pairs);
	else
		take_back_missed(pairs);
	queue(pairs, pairs->second_work, pairs->second_ns);
	pairs->second_ns = 0;
}

/*
 * What is queued where there was no room for it proves that there was: the one
 * before has ended, and its record may only be told later.
 */
void pairs_queued(struct pairs *pairs, uint64_t work, uint64_t at_ns)
{
	if (!pairs->expecting || at_ns < pairs->asked_ns)
		return;
	pairs->expecting = false;
	if (!is_full(pairs)) {
		queue(pairs, work, at_ns);
		return;
	}
	pairs->second_work = work;
	pairs->second_ns = at_ns;
}

/* The kernel may give a work the address of one before, whose end is told when the new one is pending. */
void pairs_executed(struct pairs *pairs, uint64_t work, uint64_t at_ns)
{
	struct pair pair;
	unsigned i = 0;

	if (at_ns >= pairs->second_ns)
		queue_second(pairs);
	while (i < pairs->pending && pairs->queue[i].work != work)
		i++;
	if (i == pairs->pending || pairs->queue[i].queued_ns > at_ns || pairs->done == PAIRS_MAX)
		return;
	count_missed(pairs, at_ns);
	pair = pairs->queue[i];
	pair.executed_ns = at_ns;
	remove_pending(pairs, i);
	keep_executed(pairs, &pair);
	queue_second(pairs);
}

void pairs_lost(struct pairs *pairs)
{
	queue_second(pairs);
	while (pairs->pending)
		give_up_oldest(pairs);
}

void pairs_settle(struct pairs *pairs, uint64_t ended)
{
	bool unrecorded = pairs->expecting && !pairs->again;

	queue_second(pairs);
	pairs->expecting = false;
	if (unrecorded && !is_full(pairs)) {
		count_unasked(pairs);
		pairs->finished++;
		pairs->unmatched++;
	}
	while (pairs->pending && pairs->finished < ended)
		give_up_oldest(pairs);
}

uint64_t pairs_unasked(const struct pairs *pairs, uint64_t now_ns)
{
	if (!pairs->due_ns || pairs->pending || pairs->expecting)
		return pairs->unasked;
	return pairs->unasked + (now_ns - pairs->due_ns) / pairs->period_ns - pairs->missed;
}

bool pairs_take(struct pairs *pairs, struct pair *pair)
{
	if (!pairs->done)
		return false;
	*pair = *executed_at(pairs, 0);
	pairs->first = (pairs->first + 1) % PAIRS_MAX;
	pairs->done--;
	return true;
}

uint64_t pair_asked(const struct pair *pair, const struct pairs *pairs, uint64_t i)
{
	return i ? pair->missed_ns + (i - 1) * pairs->period_ns : pair->queued_ns;
}
