// SPDX-License-Identifier: GPL-2.0-or-later
/* Adds buffers and parts to a copy of the sums, which then becomes the current one. */
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include "host/process.h"
#include "measure/totals.h"

/*
 * A change is made to a copy of the sums, and a single store makes the copy the current one. Slices and recordings
 * are not copied, so those that the current sums refer to are never written again: merged slices go to the other
 * half, and there is room for twice as many recordings as events.
 */
struct totals {
	size_t size;			/* of all the memory */
	_Atomic unsigned current;
	unsigned room;			/* slices in each half */
	uint32_t seen_ms[SEEN_KINDS];	/* so far */
	struct recording *recordings;	/* KEPT of them after the slices, indexed by the events' slots; NULL: none */
	struct sums sums[2];
	_Alignas(8) struct slice slices[];	/* two halves; what follows them needs the alignment */
};

#define KEPT (2 * EVENTS_MAX)
#define ALL_SLICES 4096			/* of all meters */
#define LEAST_SLICES 32			/* of each meter, however many there are: fewer would show no shape */

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

struct totals *totals_create(unsigned slices, bool recordings)
{
	size_t without = sizeof(struct totals) + 2 * slices * sizeof(struct slice);
	size_t size = without + (recordings ? KEPT * sizeof(struct recording) : 0);
	struct totals *totals = shared_create(size);

	if (!totals)
		return NULL;
	totals->size = size;
	totals->recordings = recordings ? (struct recording *)((char *)totals + without) : NULL;
	totals->room = slices;
	totals->sums->buffers_per_slice = 1;
	totals->sums->smis = EVENTS_UNKNOWN;
	for (enum series series = 0; series < SERIES; series++)
		moments_clear(&totals->sums->moments[series]);
	events_clear(&totals->sums->events);
	return totals;
}

/*
 * Set to 0 every bin of the copy that a killed process may have changed, and nothing else. The extremes and matched,
 * which give the span to clear, change before the bins; so no changed bin is missed.
 */
void totals_inherit(struct totals *totals)
{
	struct sums *sums = &totals->sums[!atomic_load(&totals->current)];

	for (enum series series = 0; series < SERIES; series++) {
		struct span span = series_span(series, &sums->moments[series]);

		memset(&sums->bins[span.first], 0, (span.end - span.first) * sizeof(*sums->bins));
	}
	if (sums->matched)
		memset(sums->by_lateness, 0, sizeof(sums->by_lateness));
}

void totals_forget(struct totals *totals)
{
	munmap(totals, totals->size);
}

const struct sums *totals_sums(const struct totals *totals)
{
	return &totals->sums[atomic_load(&totals->current)];
}

const struct recording *totals_recording(const struct totals *totals, const struct event *event)
{
	const struct recording *recording = totals->recordings ? &totals->recordings[event->slot] : NULL;

	return recording && atomic_load_explicit(&recording->stamp_ns, memory_order_acquire) == event->stamp_ns ?
	       recording : NULL;
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
	slice->seen |= next->seen;
	slice->smis = slice->smis == EVENTS_UNKNOWN || next->smis == EVENTS_UNKNOWN ? EVENTS_UNKNOWN :
		      slice->smis + next->smis;
	for (enum series series = 0; series < COUNTED_SERIES; series++)
		moments_merge(&slice->moments[series], &next->moments[series]);
	for (unsigned bin = 0; bin < HIST_COARSE_BINS; bin++)
		slice->bins[bin] += next->bins[bin];
}

static struct slice slice_of(const struct counters *live, uint64_t period_ns)
{
	struct span span = series_span(LATENCY, &live->moments[LATENCY]);
	struct slice slice = { live->from_ns, live->to_ns, live->samples, live->missed, live->smis, .bins = { 0 } };

	for (enum series series = 0; series < COUNTED_SERIES; series++)
		slice.moments[series] = counters_moments(live, series, period_ns);
	for (unsigned i = span.first; i < span.end; i++)
		if (live->bins[i])
			slice.bins[hist_coarse_bin(hist_lower_ns(i - LATENCY_ZERO))] += live->bins[i];
	return slice;
}

/* A new event gives up its slot in the buffer for one that no event of the current sums has. */
static void keep_recordings(struct totals *totals, struct sums *sums, const struct sums *before,
			    const struct counters *live)
{
	uint64_t taken = 0;

	for (unsigned i = 0; i < before->events.count; i++)
		taken |= UINT64_C(1) << before->events.worst[i].slot;
	for (unsigned i = 0; i < sums->events.count; i++) {
		struct event *event = &sums->events.worst[i];
		unsigned slot = __builtin_ctzll(~taken);

		if (event->stamp_ns <= before->to_ns)
			continue;
		recording_keep(&totals->recordings[slot], live->recordings, event->slot, event->stamp_ns);
		event->slot = slot;
		taken |= UINT64_C(1) << slot;
	}
}

/*
 * Returns a copy of the current sums, to be changed and published. The other sums are all
 * 0 or an earlier state of these, so only bins in the span of the current ones are written.
 */
static struct sums *begin_change(struct totals *totals)
{
	const struct sums *from = totals_sums(totals);
	struct sums *to = &totals->sums[from == totals->sums];

	memcpy(to, from, offsetof(struct sums, bins));
	atomic_signal_fence(memory_order_seq_cst);
	for (enum series series = 0; series < SERIES; series++) {
		struct span span = series_span(series, &from->moments[series]);

		memcpy(&to->bins[span.first], &from->bins[span.first], (span.end - span.first) * sizeof(*to->bins));
	}
	if (from->matched)
		memcpy(to->by_lateness, from->by_lateness, sizeof(to->by_lateness));
	return to;
}

static void publish(struct totals *totals, const struct sums *sums)
{
	atomic_store(&totals->current, sums - totals->sums);
}

/* Disturbances since the last slice belong to this one. A full half is merged, in adjacent pairs, into the other. */
static void add_slice(struct totals *totals, struct sums *sums, const struct slice *slice)
{
	struct slice *from = slices_of(totals, sums->half), *to = slices_of(totals, !sums->half);

	if (sums->open_buffers++)
		add_neighbour(&sums->open, slice);
	else
		sums->open = *slice;
	for (enum seen kind = 0; kind < SEEN_KINDS; kind++)
		sums->open.seen |= (unsigned)(totals->seen_ms[kind] > sums->seen_ms[kind]) << kind;
	memcpy(sums->seen_ms, totals->seen_ms, sizeof(sums->seen_ms));
	if (sums->open_buffers < sums->buffers_per_slice)
		return;
	from[sums->slices++] = sums->open;
	sums->open_buffers = 0;
	if (sums->slices < totals->room)
		return;
	sums->half = !sums->half;
	sums->slices = totals->room / 2;
	sums->buffers_per_slice *= 2;
	for (unsigned i = 0; i < sums->slices; i++) {
		to[i] = from[2 * i];
		add_neighbour(&to[i], &from[2 * i + 1]);
	}
}

static void add_buffer(struct sums *sums, const struct counters *live, const struct slice *slice)
{
	if (!sums->samples)
		sums->from_ns = slice->from_ns;
	sums->to_ns = slice->to_ns;
	sums->samples += slice->samples;
	sums->missed += slice->missed;
	sums->early_wakeups += live->early_wakeups;
	sums->timed += live->timed;
	sums->slack_ns += live->slack_ns;
	if (slice->smis != EVENTS_UNKNOWN)
		sums->smis = slice->smis + greater(sums->smis, 0);
	events_merge(&sums->events, &live->events);
	for (enum series series = 0; series < COUNTED_SERIES; series++) {
		struct span span = series_span(series, &slice->moments[series]);
		const uint32_t *bins = counters_bins(live, span.first);

		/* The extremes change before the bins: see totals_inherit(). */
		moments_merge(&sums->moments[series], &slice->moments[series]);
		atomic_signal_fence(memory_order_seq_cst);
		for (unsigned i = span.first; i < span.end; i++)
			sums->bins[i] += *bins++;
	}
}

void totals_add(struct totals *totals, const struct counters *live, uint64_t period_ns)
{
	const struct sums *before = totals_sums(totals);
	struct sums *sums = begin_change(totals);

	sums->buffers++;
	if (live->left)
		sums->figures = live->figures;
	if (live->samples) {
		const struct slice slice = slice_of(live, period_ns);

		add_buffer(sums, live, &slice);
		add_slice(totals, sums, &slice);
	}
	if (live->recordings && totals->recordings)
		keep_recordings(totals, sums, before, live);
	publish(totals, sums);
}

void totals_see(struct totals *totals, enum seen seen, int64_t ms)
{
	totals->seen_ms[seen] = lesser(UINT32_MAX, greater(ms, totals->seen_ms[seen]));
}

uint32_t totals_seen_ms(const struct totals *totals, enum seen seen)
{
	return totals->seen_ms[seen];
}

static void add_wakeup(struct sums *sums, const struct parts *parts)
{
	struct lateness_parts *late;
	int64_t late_ns = 0;

	for (enum part part = 0; part < PARTS; part++)
		late_ns += parts->ns[part];
	late = &sums->by_lateness[hist_coarse_bin(late_ns < 0 ? 0 : late_ns)];
	late->wakeups++;
	for (unsigned i = 0; i < sums->events.count; i++)
		if (sums->events.worst[i].stamp_ns == parts->stamp_ns)
			sums->events.worst[i].parts = *parts;
	for (enum part part = 0; part < PARTS; part++) {
		enum series series = COUNTED_SERIES + part;

		late->sum_ns[part] += parts->ns[part];
		moments_add(&sums->moments[series], parts->ns[part]);
		atomic_signal_fence(memory_order_seq_cst);
		sums->bins[series_index(series, parts->ns[part])]++;
	}
}

/* The successor of a keeper starts reading at the beginning of the log. */
void totals_add_parts(struct totals *totals, const struct parts *parts, unsigned count, uint64_t trace_lost)
{
	struct sums *sums = begin_change(totals);

	sums->trace_lost = greater(sums->trace_lost, trace_lost);
	for (; count && parts->stamp_ns <= sums->matched_to_ns; count--)
		parts++;
	if (count)
		sums->matched_to_ns = parts[count - 1].stamp_ns;
	sums->matched += count;
	atomic_signal_fence(memory_order_seq_cst);
	for (unsigned i = 0; i < count; i++)
		add_wakeup(sums, &parts[i]);
	publish(totals, sums);
}
