// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "totals.h"

/*
 * Each change is made to a copy of the sums, which then becomes the current
 * one by a single store. Of the bins, only those between the extremes are ever
 * looked at: the rest of the memory, and of the CPU's cache, is left alone.
 * Slices are not copied: those that the current sums count are never written
 * to again, and when neighbours are added together the result goes to the
 * other half.
 */
struct totals {
	_Atomic unsigned current;
	struct sums sums[2];
	struct slice slices[2][TOTALS_SLICES];
};

static size_t page_size(void)
{
	return sysconf(_SC_PAGESIZE);
}

/*
 * Not a file, to which a limit on the size of files would apply. A process that
 * is forked has only the first page, from which it can map the others again.
 */
struct totals *totals_create(void)
{
	struct totals *totals = mmap(NULL, sizeof(*totals), PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct sums *sums;

	if (totals == MAP_FAILED ||
	    madvise((char *)totals + page_size(), sizeof(*totals) - page_size(), MADV_DONTFORK) < 0)
		return NULL;
	sums = &totals->sums[0];
	sums->buffers_per_slice = 1;
	moments_clear(&sums->error);
	moments_clear(&sums->late);
	return totals;
}

/* A process that was killed may have left bins in the copy that it was making. */
struct totals *totals_inherit(struct totals *totals)
{
	struct sums *next;

	totals = mremap(totals, page_size(), sizeof(*totals), MREMAP_MAYMOVE);
	if (totals == MAP_FAILED)
		return NULL;
	next = &totals->sums[!atomic_load(&totals->current)];
	memset(next->lateness, 0, sizeof(next->lateness));
	memset(next->errors, 0, sizeof(next->errors));
	return totals;
}

const struct sums *totals_sums(const struct totals *totals)
{
	return &totals->sums[atomic_load(&totals->current)];
}

const struct slice *totals_slice(const struct totals *totals, unsigned index)
{
	const struct sums *sums = totals_sums(totals);

	if (index < sums->slices)
		return &totals->slices[sums->half][index];
	return index == sums->slices && sums->open_buffers ? &sums->open : NULL;
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
static void halve(struct totals *totals, struct sums *sums)
{
	const struct slice *from = totals->slices[sums->half];
	struct slice *to = totals->slices[!sums->half];

	for (unsigned i = 0; i < TOTALS_SLICES / 2; i++) {
		to[i] = from[2 * i];
		add_neighbour(&to[i], &from[2 * i + 1]);
	}
	sums->half = !sums->half;
	sums->slices = TOTALS_SLICES / 2;
	sums->buffers_per_slice *= 2;
}

static void close_slice(struct totals *totals, struct sums *sums)
{
	totals->slices[sums->half][sums->slices++] = sums->open;
	sums->open_buffers = 0;
	if (sums->slices == TOTALS_SLICES)
		halve(totals, sums);
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

static void add_slice(struct totals *totals, struct sums *sums, const struct live *live)
{
	if (!sums->open_buffers++)
		sums->open = (struct slice){
			.from_ns = live->from_ns, .late_min = INT64_MAX,
			.late_max = INT64_MIN, .error_max = INT64_MIN,
		};
	add_to_slice(&sums->open, live);
	if (sums->open_buffers == sums->buffers_per_slice)
		close_slice(totals, sums);
}

/*
 * The sum of the interval errors needs no counting: the intervals of a
 * stretch add up to the time from its first stamp to its last.
 */
static void add_moments(struct sums *sums, const struct live *live, uint64_t period_ns)
{
	struct moments error = live->error, late = live->late;

	error.sum = u128_from(live->to_ns - live->from_ns - live->samples * period_ns);
	error.sumsq = u128_add(error.sumsq, (struct u128){ 0, live->error_sumsq });
	late.sum = u128_add(late.sum, (struct u128){ 0, live->late_sum });
	late.sumsq = u128_add(late.sumsq, (struct u128){ 0, live->late_sumsq });
	moments_merge(&sums->error, &error);
	moments_merge(&sums->late, &late);
}

static void add_counts(struct sums *sums, const struct live *live)
{
	struct span late = hist_late_span(&live->late), error = hist_error_span(&live->error);

	if (!sums->samples)
		sums->from_ns = live->from_ns;
	sums->to_ns = live->to_ns;
	sums->samples += live->samples;
	sums->missed += live->missed;
	sums->early_wakeups += live->early_wakeups;
	for (unsigned i = late.first; i < late.end; i++)
		sums->lateness[i] += live->lateness[i];
	for (unsigned i = error.first; i < error.end; i++)
		sums->errors[i] += live->errors[i];
}

/* The bins outside the spans are 0 in both. */
static void copy(struct sums *to, const struct sums *from)
{
	struct span late = hist_late_span(&from->late), error = hist_error_span(&from->error);

	memcpy(to, from, offsetof(struct sums, lateness));
	memcpy(&to->lateness[late.first], &from->lateness[late.first],
	       (late.end - late.first) * sizeof(*to->lateness));
	memcpy(&to->errors[error.first], &from->errors[error.first],
	       (error.end - error.first) * sizeof(*to->errors));
}

void totals_add(struct totals *totals, const struct live *live, uint64_t period_ns)
{
	unsigned next = !atomic_load(&totals->current);
	struct sums *sums = &totals->sums[next];

	copy(sums, &totals->sums[!next]);
	sums->buffers++;
	if (live->samples) {
		add_counts(sums, live);
		add_moments(sums, live, period_ns);
		add_slice(totals, sums, live);
	}
	atomic_store(&totals->current, next);
}
