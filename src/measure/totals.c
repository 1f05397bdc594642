// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "host/shared.h"
#include "measure/totals.h"

#define BEYOND 10			/* so many periods beyond a quantile support it */

/*
 * Each change is made to a copy of the sums, which then becomes the current
 * one by a single store. Of the bins, only those between the extremes are ever
 * looked at: the rest of the memory, and of the CPU's cache, is left alone.
 * Slices are not copied: those that the current sums count are never written
 * to again, and when neighbours are added together the result goes to the
 * other half. Nor is a recording that an event of the current sums has: there
 * is room for as many again. Memory that is never written to costs nothing.
 */
struct totals {
	_Atomic unsigned current;
	unsigned room;			/* for so many slices in each half */
	struct recording *recordings;	/* KEPT, by the slots of events of the sums; NULL: none are kept */
	struct recording *recordings_forked;	/* where they were mapped when any process was forked */
	struct sums sums[2];		/* beyond the page that a process has which is forked later */
	struct slice slices[];		/* one half behind the other */
};

#define KEPT (2 * EVENTS_MAX)
#define ALL_SLICES 4096			/* the budget */
#define LEAST_SLICES 32			/* of a meter, whatever the budget: fewer are no shape */

unsigned totals_share(unsigned meters)
{
	unsigned share = TOTALS_SLICES;

	while (share * meters > ALL_SLICES && share > LEAST_SLICES)
		share /= 2;
	return share;
}

static struct slice *slices_of(const struct totals *totals, unsigned half)
{
	return (struct slice *)&totals->slices[half * totals->room];
}

static size_t size_for(unsigned slices)
{
	return sizeof(struct totals) + 2 * slices * sizeof(struct slice);
}

struct totals *totals_create(unsigned slices)
{
	struct totals *totals = shared_create_apart(size_for(slices));
	struct sums *sums;

	if (!totals)
		return NULL;
	totals->room = slices;
	sums = &totals->sums[0];
	sums->buffers_per_slice = 1;
	for (enum series series = 0; series < SERIES; series++)
		moments_clear(&sums->moments[series]);
	events_clear(&sums->events);
	return totals;
}

int totals_add_recordings(struct totals *totals)
{
	totals->recordings = shared_create_apart(KEPT * sizeof(*totals->recordings));
	totals->recordings_forked = totals->recordings;
	return totals->recordings ? 0 : -1;
}

/*
 * A process that was killed may have left bins in the copy that it was making:
 * between the extremes of this copy or of the sums, which will be copied over it.
 */
struct totals *totals_inherit(struct totals *totals)
{
	struct sums *next;

	totals = shared_inherit(totals, size_for(totals->room));
	if (!totals)
		return NULL;
	if (totals->recordings)
		totals->recordings = shared_inherit(totals->recordings_forked, KEPT * sizeof(*totals->recordings));
	next = &totals->sums[!atomic_load(&totals->current)];
	for (enum series series = 0; series < SERIES; series++) {
		struct span span = series_span(series, &next->moments[series]);

		memset(&next->bins[span.first], 0, (span.end - span.first) * sizeof(*next->bins));
	}
	return totals;
}

void totals_forget(struct totals *totals)
{
	if (totals->recordings)
		shared_forget(totals->recordings);
	shared_forget(totals);
}

const struct sums *totals_sums(const struct totals *totals)
{
	return &totals->sums[atomic_load(&totals->current)];
}

const struct recording *totals_recording(const struct totals *totals, const struct event *event)
{
	const struct recording *recording = totals->recordings ? &totals->recordings[event->slot] : NULL;

	return recording && recording_is_of(recording, event->stamp_ns) ? recording : NULL;
}

const struct slice *totals_slice(const struct totals *totals, unsigned index)
{
	const struct sums *sums = totals_sums(totals);

	if (index < sums->slices)
		return &slices_of(totals, sums->half)[index];
	return index == sums->slices && sums->open_buffers ? &sums->open : NULL;
}

static void add_neighbour(struct slice *slice, const struct slice *next)
{
	slice->to_ns = next->to_ns;
	slice->samples += next->samples;
	slice->missed += next->missed;
	for (enum series series = 0; series < SERIES; series++)
		moments_merge(&slice->moments[series], &next->moments[series]);
	for (unsigned bin = 0; bin < HIST_COARSE_BINS; bin++)
		slice->bins[bin] += next->bins[bin];
}

/* One slice more than there is room for: add neighbours together, in the other half. */
static void halve(struct totals *totals, struct sums *sums)
{
	const struct slice *from = slices_of(totals, sums->half);
	struct slice *to = slices_of(totals, !sums->half);

	for (unsigned i = 0; i < totals->room / 2; i++) {
		to[i] = from[2 * i];
		add_neighbour(&to[i], &from[2 * i + 1]);
	}
	sums->half = !sums->half;
	sums->slices = totals->room / 2;
	sums->buffers_per_slice *= 2;
}

static void close_slice(struct totals *totals, struct sums *sums)
{
	slices_of(totals, sums->half)[sums->slices++] = sums->open;
	sums->open_buffers = 0;
	if (sums->slices == totals->room)
		halve(totals, sums);
}

static struct slice slice_of(const struct live *live, uint64_t period_ns)
{
	struct span span = series_span(LATENCY, &live->moments[LATENCY]);
	struct slice slice = { live->from_ns, live->to_ns, live->samples, live->missed, .bins = { 0 } };

	for (enum series series = 0; series < SERIES; series++)
		slice.moments[series] = live_moments(live, series, period_ns);
	for (unsigned i = span.first; i < span.end; i++)
		if (live->bins[i])
			slice.bins[hist_coarse_bin(hist_lower_ns(i - LATENCY_ZERO))] += live->bins[i];
	return slice;
}

static uint64_t greater(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t slots_of(const struct events *events)
{
	uint64_t slots = 0;

	for (unsigned i = 0; i < events->count; i++)
		slots |= UINT64_C(1) << events->worst[i].slot;
	return slots;
}

/* Events that the sums did not have before get slots that those before do not have, and not the buffer's. */
static void keep_recordings(struct totals *totals, struct sums *sums, const struct sums *before,
			    const struct live *live)
{
	uint64_t taken = slots_of(&before->events);

	for (unsigned i = 0; i < sums->events.count; i++) {
		struct event *event = &sums->events.worst[i];
		unsigned slot = __builtin_ctzll(~taken);

		if (event->stamp_ns <= before->to_ns)
			continue;
		if (recordings_have(live->recordings, event->slot, event->stamp_ns))
			recording_keep(&totals->recordings[slot], live->recordings, event->slot);
		event->slot = slot;
		taken |= UINT64_C(1) << slot;
	}
}

static void add_counts(struct sums *sums, const struct live *live)
{
	if (!sums->samples)
		sums->from_ns = live->from_ns;
	sums->to_ns = live->to_ns;
	sums->samples += live->samples;
	sums->missed += live->missed;
	sums->early_wakeups += live->early_wakeups;
	events_merge(&sums->events, &live->events);
}

/* What a buffer says of the whole run it does not say when the meter was killed in it. */
static void add_of_run(struct sums *sums, const struct live *live)
{
	sums->other_interrupts = greater(sums->other_interrupts, live->other_interrupts);
	sums->unmatched = greater(sums->unmatched, live->unmatched);
	sums->unasked = greater(sums->unasked, live->unasked);
	sums->away_ns = greater(sums->away_ns, live->away_ns);
	sums->pending_ns = greater(sums->pending_ns, live->pending_ns);
	sums->clock_error_ns = greater(sums->clock_error_ns, live->clock_error_ns);
	sums->clock_drift_ppm = fmax(sums->clock_drift_ppm, live->clock_drift_ppm);
}

/* The extremes first: see totals_inherit(). */
static void add_series(struct sums *sums, const struct live *live, enum series series, const struct moments *moments)
{
	struct span span = series_span(series, moments);
	const uint32_t *bins = live_bins(live, span.first);

	moments_merge(&sums->moments[series], moments);
	atomic_signal_fence(memory_order_seq_cst);
	for (unsigned i = span.first; i < span.end; i++)
		sums->bins[i] += *bins++;
}

/* The bins outside the spans are 0 in both. */
static void copy(struct sums *to, const struct sums *from)
{
	memcpy(to, from, offsetof(struct sums, bins));
	atomic_signal_fence(memory_order_seq_cst);
	for (enum series series = 0; series < SERIES; series++) {
		struct span span = series_span(series, &from->moments[series]);

		memcpy(&to->bins[span.first], &from->bins[span.first],
		       (span.end - span.first) * sizeof(*to->bins));
	}
}

static void add(struct totals *totals, struct sums *sums, const struct live *live, uint64_t period_ns)
{
	struct slice slice = slice_of(live, period_ns);

	add_counts(sums, live);
	for (enum series series = 0; series < SERIES; series++)
		add_series(sums, live, series, &slice.moments[series]);
	if (sums->open_buffers++)
		add_neighbour(&sums->open, &slice);
	else
		sums->open = slice;
	if (sums->open_buffers == sums->buffers_per_slice)
		close_slice(totals, sums);
}

void totals_add(struct totals *totals, const struct live *live, uint64_t period_ns)
{
	unsigned next = !atomic_load(&totals->current);
	struct sums *sums = &totals->sums[next];

	copy(sums, &totals->sums[!next]);
	sums->buffers++;
	add_of_run(sums, live);
	if (live->samples)
		add(totals, sums, live, period_ns);
	if (live->recordings && totals->recordings)
		keep_recordings(totals, sums, &totals->sums[!next], live);
	atomic_store(&totals->current, next);
}

/* The bin of the period of that rank; the least lateness has rank 1. */
static unsigned bin_of(const struct sums *const sums[], unsigned count, uint64_t rank)
{
	uint64_t up_to = 0;
	unsigned bin;

	for (bin = 0; bin < HIST_BINS - 1; bin++) {
		for (unsigned i = 0; i < count; i++)
			up_to += sums[i]->bins[LATENCY_ZERO + bin];
		if (up_to >= rank)
			break;
	}
	return bin;
}

int64_t sums_max(const struct sums *const sums[], unsigned count)
{
	int64_t max = UNSUPPORTED;

	for (unsigned i = 0; i < count; i++)
		if (sums[i]->samples && sums[i]->moments[LATENCY].max > max)
			max = sums[i]->moments[LATENCY].max;
	return max;
}

int64_t sums_quantile(const struct sums *const sums[], unsigned count, unsigned one_in)
{
	int64_t max = sums_max(sums, count), edge;
	uint64_t periods = 0;
	unsigned bin;

	for (unsigned i = 0; i < count; i++)
		periods += sums[i]->samples + sums[i]->missed;
	if (periods / one_in < BEYOND)
		return UNSUPPORTED;
	bin = bin_of(sums, count, periods - periods / one_in);
	if (bin == HIST_BINS - 1)
		return UNSUPPORTED;
	edge = hist_lower_ns(bin + 1);
	return edge < max ? edge : max;
}
