// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/totals.h"
#include "report/room.h"

#define NS_PER_S UINT64_C(1000000000)

/* Bytes. The report of a day on one CPU has 3 MB, most of it slices, and each of many CPUs has fewer of them. */
#define HEADER_BYTES (16 * 1024)
#define SAMPLE_BYTES 1024		/* of a few: a row in each table */
#define BINS_BYTES (256 * 1024)		/* of many, with the header: they share rows */
#define SLICE_BYTES 3840
#define RECORDS_BYTES (16 * 1024)	/* of an event that was recorded; of a storm of interrupts there are more */
#define RING_BYTES (1024 * 1024)	/* of all that a ring holds, with stacks */

/* A slice is a second or longer. Where half of the periods are missed, the samples take twice as long. */
static int64_t most_slices(const struct options *options, unsigned meters)
{
	int64_t slices = totals_share(meters);

	if (options->duration_ns)
		slices = lesser(slices, options->duration_ns / NS_PER_S + 1);
	if (options->samples && options->frequency_hz)
		slices = lesser(slices, 2 * lesser(slices, options->samples / options->frequency_hz) + 1);
	return slices;
}

static int64_t most_samples(const struct options *options)
{
	int64_t samples = options->samples ? options->samples : INT64_MAX;

	if (options->duration_ns && options->frequency_hz)
		samples = lesser(samples, (options->duration_ns / NS_PER_S + 1) * options->frequency_hz);
	return samples;
}

static int64_t records_bytes(const struct options *options, int64_t samples)
{
	if (options->explain < EXPLAIN_BLAME)
		return 0;
	return lesser(samples, EVENTS_MAX) * RECORDS_BYTES + (options->break_ns ? RING_BYTES : 0);
}

off_t report_room(const struct options *options)
{
	unsigned meters = options_meters(options);
	int64_t bytes = BINS_BYTES + most_slices(options, meters) * SLICE_BYTES, samples = most_samples(options);

	if (samples < bytes / SAMPLE_BYTES)
		bytes = lesser(bytes, HEADER_BYTES + samples * SAMPLE_BYTES);
	return meters * (bytes + records_bytes(options, samples));
}
