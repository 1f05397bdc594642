// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "explain/composition.h"
#include "host/shared.h"

/* As in the totals: a change is made to a copy, which becomes the current one by a single store. */
struct composition {
	_Atomic unsigned current;
	struct part_sums sums[2];
};

struct composition *composition_create(void)
{
	struct composition *composition = shared_create_apart(sizeof(*composition));

	if (!composition)
		return NULL;
	for (enum part part = 0; part < PARTS; part++)
		moments_clear(&composition->sums[0].moments[part]);
	return composition;
}

struct composition *composition_inherit(struct composition *composition)
{
	return shared_inherit(composition, sizeof(*composition));
}

void composition_forget(struct composition *composition)
{
	shared_forget(composition);
}

const struct part_sums *composition_sums(const struct composition *composition)
{
	return &composition->sums[atomic_load(&composition->current)];
}

/* Nobody adds to what was inherited, so bins that were left by a kill in the copy do no harm. */
static void copy(struct part_sums *to, const struct part_sums *from)
{
	memcpy(to, from, offsetof(struct part_sums, bins));
	for (enum part part = 0; part < PARTS; part++) {
		struct span span = series_span(LATENCY, &from->moments[part]);

		memcpy(&to->bins[part][span.first], &from->bins[part][span.first],
		       (span.end - span.first) * sizeof(to->bins[part][0]));
	}
}

static unsigned bin_of(int64_t ns, unsigned (*bin)(uint64_t ns))
{
	return bin(ns < 0 ? 0 : ns);
}

static void add(struct part_sums *sums, const struct parts *parts)
{
	struct lateness_parts *late;
	int64_t late_ns = 0;

	for (enum part part = 0; part < PARTS; part++)
		late_ns += parts->ns[part];
	late = &sums->by_lateness[bin_of(late_ns, hist_coarse_bin)];
	late->wakeups++;
	sums->matched++;
	for (enum part part = 0; part < PARTS; part++) {
		late->sum_ns[part] += parts->ns[part];
		moments_add(&sums->moments[part], parts->ns[part]);
		sums->bins[part][bin_of(parts->ns[part], hist_bin)]++;
	}
}

static int compare(const void *stamp_ns, const void *row)
{
	uint64_t a = *(const uint64_t *)stamp_ns, b = ((const struct wakeup_parts *)row)->stamp_ns;

	return (a > b) - (a < b);
}

/* There may be no row of an event, nor have been one. */
static void keep_worst(struct part_sums *sums, const struct part_sums *before, const struct wakeup_parts *rows,
		       unsigned count, const struct events *events)
{
	sums->worst = 0;
	for (unsigned i = 0; i < events->count; i++) {
		uint64_t stamp_ns = events->worst[i].stamp_ns;
		const struct parts *parts = parts_of_event(before, stamp_ns);
		const struct wakeup_parts *row = bsearch(&stamp_ns, rows, count, sizeof(*rows), compare);

		if (row)
			sums->row[sums->worst++] = *row;
		else if (parts)
			sums->row[sums->worst++] = (struct wakeup_parts){ stamp_ns, *parts };
	}
}

void composition_add(struct composition *composition, const struct wakeup_parts *rows, unsigned count,
		     uint64_t lost, const struct events *events)
{
	unsigned next = !atomic_load(&composition->current);
	struct part_sums *sums = &composition->sums[next];
	const struct part_sums *before = &composition->sums[!next];

	copy(sums, before);
	sums->lost = lost;
	for (unsigned i = 0; i < count; i++)
		add(sums, &rows[i].parts);
	keep_worst(sums, before, rows, count, events);
	atomic_store(&composition->current, next);
}

const struct parts *parts_of_event(const struct part_sums *sums, uint64_t stamp_ns)
{
	for (unsigned i = 0; i < sums->worst; i++)
		if (sums->row[i].stamp_ns == stamp_ns)
			return &sums->row[i].parts;
	return NULL;
}
