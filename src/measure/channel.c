// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>
#include <sys/mman.h>

#include "host/process.h"
#include "measure/channel.h"

#define STAMPED_BINS (PARTS_ZERO - STAMPED_ZERO)
#define STAMPS_SIZE (2 * STAMPED_BINS * sizeof(uint32_t))

struct channel *channel_create(void)
{
	struct channel *channel = shared_create(sizeof(*channel));

	if (!channel)
		return NULL;
	counters_clear(&channel->live[0]);
	counters_clear(&channel->live[1]);
	return channel;
}

int channel_measure(struct channel *channel, enum measures measures)
{
	uint32_t *stamped = NULL;

	if (series_name(measures, STAMPED)) {
		stamped = shared_create(STAMPS_SIZE);
		if (!stamped)
			return -1;
		channel->live[0].stamped = stamped;
		channel->live[1].stamped = stamped + STAMPED_BINS;
	}
	channel->live[0].measures = channel->live[1].measures = measures;
	return 0;
}

int channel_explain(struct channel *channel, bool record)
{
	channel->wakelog = shared_create(sizeof(*channel->wakelog));
	if (!channel->wakelog || !record)
		return channel->wakelog ? 0 : -1;
	channel->flight = shared_create(sizeof(*channel->flight));
	channel->live[0].recordings = shared_create(2 * sizeof(struct recordings));
	if (!channel->live[0].recordings || !channel->flight)
		return -1;
	channel->live[1].recordings = channel->live[0].recordings + 1;
	return 0;
}

bool channel_idle_latency_changed(const struct channel *channel)
{
	return *channel->idle_latency && *channel->idle_latency_after &&
	       strcmp(channel->idle_latency, channel->idle_latency_after);
}

void channel_forget(struct channel *channel)
{
	if (channel->wakelog)
		munmap(channel->wakelog, sizeof(*channel->wakelog));
	if (channel->live[0].recordings)
		munmap(channel->live[0].recordings, 2 * sizeof(struct recordings));
	if (channel->live[0].stamped)
		munmap(channel->live[0].stamped, STAMPS_SIZE);
	if (channel->flight)
		munmap(channel->flight, sizeof(*channel->flight));
	munmap(channel, sizeof(*channel));
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
