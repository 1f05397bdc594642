// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ledger.h"

/*
 * Each change is made to a copy of the totals, which then becomes the current
 * one by a single store. Of the bins, only those between the extremes are ever
 * looked at: the rest of the memory, and of the CPU's cache, is left alone.
 * Slices are not copied: those that the current totals count are never written
 * to again, and when neighbours are added together the result goes to the
 * other half.
 */
struct ledger {
	_Atomic unsigned current;
	struct totals totals[2];
	struct slice slices[2][LEDGER_SLICES];
};

static size_t page_size(void)
{
	return sysconf(_SC_PAGESIZE);
}

/*
 * Not a file, to which a limit on the size of files would apply. A process that
 * is forked has only the first page, from which it can map the others again.
 */
struct ledger *ledger_create(void)
{
	struct ledger *ledger = mmap(NULL, sizeof(*ledger), PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct totals *totals;

	if (ledger == MAP_FAILED ||
	    madvise((char *)ledger + page_size(), sizeof(*ledger) - page_size(), MADV_DONTFORK) < 0)
		return NULL;
	totals = &ledger->totals[0];
	totals->buffers_per_slice = 1;
	moments_clear(&totals->error);
	moments_clear(&totals->late);
	return ledger;
}

/* A process that was killed may have left bins in the copy that it was making. */
struct ledger *ledger_inherit(struct ledger *ledger)
{
	struct totals *next;

	ledger = mremap(ledger, page_size(), sizeof(*ledger), MREMAP_MAYMOVE);
	if (ledger == MAP_FAILED)
		return NULL;
	next = &ledger->totals[!atomic_load(&ledger->current)];
	memset(next->lateness, 0, sizeof(next->lateness));
	memset(next->errors, 0, sizeof(next->errors));
	return ledger;
}

const struct totals *ledger_totals(const struct ledger *ledger)
{
	return &ledger->totals[atomic_load(&ledger->current)];
}

const struct slice *ledger_slice(const struct ledger *ledger, unsigned index)
{
	const struct totals *totals = ledger_totals(ledger);

	if (index < totals->slices)
		return &ledger->slices[totals->half][index];
	return index == totals->slices && totals->open_buffers ? &totals->open : NULL;
}

static void widen(struct slice *slice, int64_t late_min, int64_t late_max, int64_t error_max)
{
	if (late_min < slice->late_min)
		slice->late_min = late_min;
	if (late_max > slice->late_max)
		slice->late_max = late_max;
	if (error_max > slice->error_max)
		slice->error_max = error_max;
}

static void add_neighbour(struct slice *slice, const struct slice *next)
{
	slice->to_ns = next->to_ns;
	slice->samples += next->samples;
	slice->missed += next->missed;
	widen(slice, next->late_min, next->late_max, next->error_max);
	for (unsigned bin = 0; bin < HIST_COARSE_BINS; bin++)
		slice->bins[bin] += next->bins[bin];
}

/* One slice more than there is room for: add neighbours together, in the other half. */
static void halve(struct ledger *ledger, struct totals *totals)
{
	const struct slice *from = ledger->slices[totals->half];
	struct slice *to = ledger->slices[!totals->half];

	for (unsigned i = 0; i < LEDGER_SLICES / 2; i++) {
		to[i] = from[2 * i];
		add_neighbour(&to[i], &from[2 * i + 1]);
	}
	totals->half = !totals->half;
	totals->slices = LEDGER_SLICES / 2;
	totals->buffers_per_slice *= 2;
}

static void close_slice(struct ledger *ledger, struct totals *totals)
{
	ledger->slices[totals->half][totals->slices++] = totals->open;
	totals->open_buffers = 0;
	if (totals->slices == LEDGER_SLICES)
		halve(ledger, totals);
}

static void add_to_slice(struct slice *slice, const struct live *live)
{
	struct span span = hist_late_span(&live->late);

	slice->to_ns = live->to_ns;
	slice->samples += live->samples;
	slice->missed += live->missed;
	widen(slice, live->late.min, live->late.max, live->error.max);
	for (unsigned bin = span.first; bin < span.end; bin++)
		if (live->lateness[bin])
			slice->bins[hist_coarse_bin(hist_lower_ns(bin))] += live->lateness[bin];
}

static void add_slice(struct ledger *ledger, struct totals *totals, const struct live *live)
{
	if (!totals->open_buffers++)
		totals->open = (struct slice){
			.from_ns = live->from_ns, .late_min = INT64_MAX,
			.late_max = INT64_MIN, .error_max = INT64_MIN,
		};
	add_to_slice(&totals->open, live);
	if (totals->open_buffers == totals->buffers_per_slice)
		close_slice(ledger, totals);
}

/*
 * The sum of the interval errors needs no counting: the intervals of a
 * stretch add up to the time from its first stamp to its last.
 */
static void add_moments(struct totals *totals, const struct live *live, uint64_t period_ns)
{
	struct moments error = live->error, late = live->late;

	error.sum = wide_from(live->to_ns - live->from_ns - live->samples * period_ns);
	error.sumsq = wide_add(error.sumsq, (struct wide){ 0, live->error_sumsq });
	late.sum = wide_add(late.sum, (struct wide){ 0, live->late_sum });
	late.sumsq = wide_add(late.sumsq, (struct wide){ 0, live->late_sumsq });
	moments_merge(&totals->error, &error);
	moments_merge(&totals->late, &late);
}

static void add_counts(struct totals *totals, const struct live *live)
{
	struct span late = hist_late_span(&live->late), error = hist_error_span(&live->error);

	if (!totals->samples)
		totals->from_ns = live->from_ns;
	totals->to_ns = live->to_ns;
	totals->samples += live->samples;
	totals->missed += live->missed;
	totals->early_wakeups += live->early_wakeups;
	for (unsigned i = late.first; i < late.end; i++)
		totals->lateness[i] += live->lateness[i];
	for (unsigned i = error.first; i < error.end; i++)
		totals->errors[i] += live->errors[i];
}

/* The bins outside the spans are 0 in both. */
static void copy(struct totals *to, const struct totals *from)
{
	struct span late = hist_late_span(&from->late), error = hist_error_span(&from->error);

	memcpy(to, from, offsetof(struct totals, lateness));
	memcpy(&to->lateness[late.first], &from->lateness[late.first],
	       (late.end - late.first) * sizeof(*to->lateness));
	memcpy(&to->errors[error.first], &from->errors[error.first],
	       (error.end - error.first) * sizeof(*to->errors));
}

void ledger_add(struct ledger *ledger, const struct live *live, uint64_t period_ns)
{
	unsigned next = !atomic_load(&ledger->current);
	struct totals *totals = &ledger->totals[next];

	copy(totals, &ledger->totals[!next]);
	totals->buffers++;
	if (live->samples) {
		add_counts(totals, live);
		add_moments(totals, live, period_ns);
		add_slice(ledger, totals, live);
	}
	atomic_store(&ledger->current, next);
}
