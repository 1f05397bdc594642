// SPDX-License-Identifier: GPL-2.0-or-later
/* Lays out a channel, and flips its buffers. */

#include "host/process.h"
#include "measure/channel.h"

#define STAMPED_BINS (PARTS_ZERO - STAMPED_ZERO)

/* What a run does not need gets no memory, so no meter locks it. */
struct channel *channel_create(enum measures measures, enum explain_level level)
{
	size_t stamps = series_name(measures, STAMPED) ? STAMPED_BINS * sizeof(uint32_t) : 0;
	size_t log = level ? sizeof(struct wakelog) : 0;
	size_t recordings = level >= EXPLAIN_BLAME ? sizeof(struct recordings) : 0;
	size_t flight = level >= EXPLAIN_BLAME ? sizeof(struct recording) : 0;
	size_t size = sizeof(struct channel) + log + flight + 2 * (recordings + stamps);
	struct channel *channel = shared_create(size);
	char *room;

	if (!channel)
		return NULL;
	channel->size = size;
	room = channel->room;
	channel->wakelog = log ? (struct wakelog *)room : NULL;
	room += log;
	channel->flight = flight ? (struct recording *)room : NULL;
	room += flight;
	for (struct counters *live = channel->live; live < channel->live + 2; live++) {
		counters_clear(live);
		live->measures = measures;
		live->recordings = recordings ? (struct recordings *)room : NULL;
		room += recordings;
		live->stamped = stamps ? (uint32_t *)room : NULL;
		room += stamps;
	}
	return channel;
}

void channel_want_flip(struct channel *channel)
{
	struct counters *live = &channel->live[channel_flips(channel) % 2];

	atomic_store_explicit(&live->wanted, true, memory_order_release);
}

uint32_t channel_flips(const struct channel *channel)
{
	return atomic_load_explicit(&channel->flips, memory_order_acquire);
}

struct counters *channel_flip(struct channel *channel)
{
	uint32_t flips = atomic_load_explicit(&channel->flips, memory_order_relaxed);
	const struct counters *left = &channel->live[flips % 2];
	struct counters *next = &channel->live[++flips % 2];

	next->from_ns = next->to_ns = left->to_ns;
	next->asked_ns = left->asked_ns;
	events_go_on_from(&next->events, &left->events);
	atomic_store_explicit(&channel->flips, flips, memory_order_release);
	return next;
}

void channel_stop(struct channel *channel, enum end reason)
{
	enum end none = END_NONE;

	atomic_compare_exchange_strong(&channel->stop, &none, reason);
	channel->live[0].wanted = true;
	channel->live[1].wanted = true;
}
