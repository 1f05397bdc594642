// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "status.h"

struct status status_line(bool quiet, uint64_t samples, uint64_t duration_ns)
{
	return (struct status){ !quiet && isatty(STDERR_FILENO), samples, duration_ns };
}

/* What part of the run is behind us, 0 to 1; less than 0 when it has no end. */
static double progress(const struct status *status, const struct totals *totals, double elapsed_ns)
{
	double part = -1;

	if (status->samples)
		part = (double)totals->samples / status->samples;
	if (status->duration_ns && elapsed_ns / status->duration_ns > part)
		part = elapsed_ns / status->duration_ns;
	return part > 1 ? 1 : part;
}

static void show_time_left(double part, double elapsed_ns)
{
	uint64_t left_s = elapsed_ns / 1e9 / part * (1 - part) + 0.5;

	fprintf(stderr, "  %.0f%%  %" PRIu64 ":%02d:%02d left", part * 100, left_s / 3600,
		(int)(left_s / 60 % 60), (int)(left_s % 60));
}

void status_show(const struct status *status, const struct totals *totals, uint64_t elapsed_ns)
{
	double part = progress(status, totals, elapsed_ns);

	if (!status->on || !totals->samples)
		return;
	fprintf(stderr, "\r%" PRIu64 " samples", totals->samples);
	if (part > 0)
		show_time_left(part, elapsed_ns);
	fprintf(stderr, "  worst %.1f us late  %" PRIu64 " missed\033[K", totals->late.max / 1e3,
		totals->missed);
}

void status_clear(const struct status *status)
{
	if (status->on)
		fputs("\r\033[K", stderr);
}
