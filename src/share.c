// SPDX-License-Identifier: GPL-2.0-or-later
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include "share.h"

struct share *share_create(void)
{
	struct share *share = mmap(NULL, sizeof(*share), PROT_READ | PROT_WRITE,
				   MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (share == MAP_FAILED)
		return NULL;
	live_clear(&share->live[0]);
	live_clear(&share->live[1]);
	return share;
}

void share_want_flip(struct share *share)
{
	struct live *live = &share->live[share_flips(share) % 2];

	atomic_store_explicit(&live->wanted, true, memory_order_release);
}

uint32_t share_flips(const struct share *share)
{
	return atomic_load_explicit(&share->flips, memory_order_acquire);
}

const struct findings *share_findings(const struct share *share, uint32_t flips)
{
	return &share->left[(flips - 1) % 2];
}

/* The events are many, and seldom new. */
static void leave(struct findings *left, const struct findings *found)
{
	bool same = left->events.added == found->events.added;

	memcpy(left, found, same ? offsetof(struct findings, events) : sizeof(*left));
}

struct live *share_flip(struct share *share)
{
	uint32_t flips = atomic_load_explicit(&share->flips, memory_order_relaxed);
	uint64_t now = share->live[flips % 2].to_ns;
	struct live *next = &share->live[++flips % 2];

	next->from_ns = next->to_ns = now;
	leave(&share->left[(flips - 1) % 2], &share->found);
	atomic_store_explicit(&share->flips, flips, memory_order_release);
	return next;
}

void share_stop(struct share *share, enum end reason)
{
	if (!share->stop)
		share->stop = reason;
	share->live[0].wanted = true;
	share->live[1].wanted = true;
}
