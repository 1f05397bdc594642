/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where stamps come from. Every stamp is in ns on the time scale of CLOCK_MONOTONIC. */
#ifndef MEASURE_CLOCK_H
#define MEASURE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/instant.h"
#include "measure/tsc.h"

struct clock {
	const char *name;
	bool ticks;			/* a stamp is the counter, scaled since the last latch; else CLOCK_MONOTONIC */
	struct latch {			/* one instant on both scales, */
		uint64_t ticks, ns;
		uint64_t bracket;	/* uncertain by the ticks between two reads of the counter */
	} latch;
	uint64_t scale;			/* ns per tick, times 2^32 */
	double hz;			/* calibrated rate of the counter; 0 without a counter */
	double error_ppm;		/* bound on the error of hz */
	double drift_ppm;		/* the greatest deviation from hz since the calibration */
	uint64_t error_ns;		/* bound on the error of a latch: the widest bracket */
};

/* Choose the clock by its name, and calibrate a counter, which takes 100 ms. Returns 0, or -1 after a warning. */
int clock_open(struct clock *clock, const char *name);

/*
 * Latch the counter to CLOCK_MONOTONIC again, about once a second, between two samples. Until the next latch,
 * stamps use the rate since the last one: the calibration is only exact to error_ppm, and NTP slews the clock.
 */
void clock_latch(struct clock *clock);

/* ticks * scale / 2^32, exact for every product below 2^96. */
static inline uint64_t clock_scale(uint64_t ticks, uint64_t scale)
{
#ifdef __SIZEOF_INT128__
	return (unsigned __int128)ticks * scale >> 32;
#else
	uint64_t low = (uint32_t)ticks;

	return (ticks >> 32) * scale + low * (scale >> 32) + (low * (uint32_t)scale >> 32);
#endif
}

/* ticks: clock->ticks, passed by a caller that knows it at compile time. */
static inline uint64_t clock_stamp(const struct clock *clock, bool ticks)
{
	if (!ticks)
		return monotonic_ns();
	return clock->latch.ns + clock_scale(tsc_read() - clock->latch.ticks, clock->scale);
}

#endif
