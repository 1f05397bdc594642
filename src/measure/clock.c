// SPDX-License-Identifier: GPL-2.0-or-later
/* Chooses, calibrates and latches the clock. */
#include <math.h>
#include <string.h>

#include "base/diag.h"
#include "host/sysfile.h"
#include "measure/clock.h"
#include "measure/hist.h"

#define CALIBRATION_NS 100000000	/* the rate is measured again once a second */

/* The tightest of five brackets: an interrupt between the reads widens one. */
static struct latch latch(void)
{
	struct latch best = { .bracket = UINT64_MAX };

	for (int i = 0; i < 5; i++) {
		struct latch next = { .ticks = tsc_read() };

		next.ns = monotonic_ns();
		next.bracket = tsc_read() - next.ticks;
		next.ticks += next.bracket / 2;
		if (next.bracket < best.bracket)
			best = next;
	}
	return best;
}

/* Ticks and ns are halved until the quotient fits. The 31 bits that are left resolve half a ppb. */
static void set_scale(struct clock *clock, uint64_t ns, uint64_t ticks)
{
	double calibrated = 1e9 / clock->hz * 4294967296.0;

	while (ns >> 31) {
		ns >>= 1;
		ticks >>= 1;
	}
	clock->scale = (ns << 32) / ticks;
	clock->drift_ppm = fmax(clock->drift_ppm, fabs(clock->scale - calibrated) / calibrated * 1e6);
}

static void calibrate(struct clock *clock)
{
	const struct timespec pause = { .tv_nsec = CALIBRATION_NS };
	struct latch start = latch();
	uint64_t ticks, ns;

	nanosleep(&pause, NULL);
	clock->latch = latch();
	ticks = clock->latch.ticks - start.ticks;
	ns = clock->latch.ns - start.ns;
	clock->hz = 1e9 * ticks / ns;
	set_scale(clock, ns, ticks);
	clock->error_ppm = (start.bracket + clock->latch.bracket) / 2 * 1e6 / ticks;
}

/* A rate measured over a shorter time would be less exact than the calibration. */
void clock_latch(struct clock *clock)
{
	struct latch now;

	if (!clock->ticks)
		return;
	now = latch();
	clock->error_ns = greater(clock->error_ns, clock_scale(now.bracket, clock->scale));
	if (now.ns - clock->latch.ns >= CALIBRATION_NS)
		set_scale(clock, now.ns - clock->latch.ns, now.ticks - clock->latch.ticks);
	clock->latch = now;
}

/* Returns why the counter cannot be trusted, or NULL. */
static const char *distrust(void)
{
	char flags[8192], clocksource[32];

	if (!TSC_EXISTS)
		return "not supported on this machine";
	sysfile_value("/proc/cpuinfo", "flags", flags, sizeof(flags));
	if (!TSC_CONSTANT && !strstr(flags, "constant_tsc"))
		return "its rate changes with the CPU's (no constant_tsc in /proc/cpuinfo)";
	if (!TSC_CONSTANT && !strstr(flags, "nonstop_tsc"))
		return "it stops in deep idle states (no nonstop_tsc in /proc/cpuinfo)";
	sysfile_line("/sys/devices/system/clocksource/clocksource0/current_clocksource", clocksource,
		     sizeof(clocksource));
	if (strcmp(clocksource, TSC_CLOCKSOURCE))
		return "the kernel does not trust it (its current clocksource is another)";
	return NULL;
}

int clock_open(struct clock *clock, const char *name)
{
	bool ticks = !strcmp(name, "tsc");
	const char *reason = ticks ? distrust() : NULL;

	if (reason) {
		warn("--clock=tsc: %s; use --clock=monotonic", reason);
		return -1;
	}
	if (!ticks && strcmp(name, "monotonic") && strcmp(name, "auto")) {
		warn("--clock=%s: unknown; use one of auto, monotonic, tsc", name);
		return -1;
	}
	*clock = (struct clock){ .name = ticks ? "tsc" : "monotonic", .ticks = ticks };
	if (ticks)
		calibrate(clock);
	return 0;
}
