// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "monitor.h"
#include "sysfile.h"
#include "sysinfo_preemption.h"

#define TRIES 5			/* to read three clocks without being interrupted */
#define GOOD_NS 2000
#define FLOOR_NS 1000		/* below it, clocks that are read one after the other agree */
#define USUAL_GUARD_NS 50000000	/* of each second */

/* Between two readings of the first clock; the closest of some tries. */
static void read_clocks(struct monitor_clocks *best)
{
	best->error_ns = INT64_MAX;
	for (int i = 0; i < TRIES && best->error_ns > GOOD_NS; i++) {
		int64_t before = clock_ns(CLOCK_MONOTONIC);
		int64_t running = clock_ns(CLOCK_BOOTTIME);
		int64_t wall = clock_ns(CLOCK_REALTIME);
		int64_t after = clock_ns(CLOCK_MONOTONIC);

		if (after - before < best->error_ns)
			*best = (struct monitor_clocks){
				running - before, wall - running, after - before, running,
			};
	}
}

/* Of the CPU or of all, in ticks of 10 ms; ever, whether any CPU was stolen time. */
static int64_t read_steal(const struct monitor *monitor, bool *ever)
{
	FILE *file = fopen("/proc/stat", "re");
	long long steal = 0, count;
	char line[512], wanted[16] = "cpu", name[16];
	bool found = false;

	*ever = false;
	if (monitor->cpu >= 0)
		snprintf(wanted, sizeof(wanted), "cpu%d", monitor->cpu);
	while (file && fgets(line, sizeof(line), file) && !strncmp(line, "cpu", 3)) {
		if (sscanf(line, "%15s %*u %*u %*u %*u %*u %*u %*u %lld", name, &count) != 2)
			continue;
		*ever |= count != 0;
		if (strcmp(name, wanted))
			continue;
		found = true;
		steal = count;
	}
	if (file)
		fclose(file);
	if (!found)
		return MONITOR_UNKNOWN;
	return steal * 1000 / sysconf(_SC_CLK_TCK);
}

static int64_t read_rtc(void)
{
	long long now;

	return sysfile_number("/sys/class/rtc/rtc0/since_epoch", &now) ? now : MONITOR_UNKNOWN;
}

/*
 * The kernel's guard against real-time processes that take all of a CPU: for how long does it take it from them?
 * Since 6.12 it is a server of the ordinary processes, which is there even if the guard is off.
 */
static int64_t read_guard(void)
{
	long long runtime_us, period_us;

	if (!sysfile_number("/proc/sys/kernel/sched_rt_runtime_us", &runtime_us) ||
	    !sysfile_number("/proc/sys/kernel/sched_rt_period_us", &period_us))
		return USUAL_GUARD_NS;
	if (runtime_us < 0)
		return kernel_is_since(6, 12) ? USUAL_GUARD_NS : 0;
	return (period_us - runtime_us) * 1000;
}

static int64_t longer(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

void monitor_begin(struct monitor *monitor, int cpu, bool virtual)
{
	bool stolen_ever;

	*monitor = (struct monitor){ .cpu = cpu, .virtual = virtual };
	monitor->guard_ns = read_guard();
	monitor->steal_ms = read_steal(monitor, &stolen_ever);
	monitor->rtc_s = read_rtc();
	read_clocks(&monitor->begun);
	monitor->last = monitor->begun;
}

/* Only a step moves the wall clock against that which counts sleep, too. */
void monitor_look(struct monitor *monitor)
{
	struct monitor_clocks now;
	int64_t step;

	read_clocks(&now);
	step = llabs(now.wall_ns - monitor->last.wall_ns);
	if (step <= now.error_ns + monitor->last.error_ns + FLOOR_NS)
		return;
	monitor->stepped_ns += step;
	monitor->last = now;
}

static int64_t slept_ns(const struct monitor *monitor, const struct monitor_clocks *now)
{
	int64_t slept = now->slept_ns - monitor->begun.slept_ns;

	return slept > now->error_ns + monitor->begun.error_ns + FLOOR_NS ? slept : 0;
}

/* Both are told in whole seconds, so that less than two of them say nothing; nor do 0.05 % of a long run. */
static int64_t tell_rtc_gap(const struct monitor *monitor, const struct monitor_clocks *now)
{
	int64_t run_s = (now->running_ns - monitor->begun.running_ns) / 1000000000;
	int64_t rtc_s = read_rtc(), gap_s;

	if (rtc_s == MONITOR_UNKNOWN || monitor->rtc_s == MONITOR_UNKNOWN)
		return MONITOR_UNKNOWN;
	gap_s = rtc_s - monitor->rtc_s - run_s;
	return llabs(gap_s) > 1 + run_s / 2000 ? gap_s : 0;
}

/* Without steal time ever, a virtual machine may just not be told. */
static int64_t tell_steal(const struct monitor *monitor)
{
	bool stolen_ever;
	int64_t steal_ms = read_steal(monitor, &stolen_ever);

	if (steal_ms == MONITOR_UNKNOWN || monitor->steal_ms == MONITOR_UNKNOWN ||
	    (monitor->virtual && !stolen_ever))
		return MONITOR_UNKNOWN;
	return steal_ms - monitor->steal_ms;
}

void monitor_tell_so_far(struct monitor *monitor, struct disturbances *disturbances)
{
	struct monitor_clocks now;

	read_clocks(&now);
	*disturbances = (struct disturbances){
		.suspended_ns = slept_ns(monitor, &now), .clock_step_ns = monitor->stepped_ns,
		.steal_ms = tell_steal(monitor), .rtc_gap_s = MONITOR_UNKNOWN,
		.guard_ns = longer(monitor->guard_ns, read_guard()),
	};
}

void monitor_end(struct monitor *monitor, struct disturbances *disturbances)
{
	struct monitor_clocks now;

	monitor_look(monitor);
	monitor_tell_so_far(monitor, disturbances);
	read_clocks(&now);
	disturbances->rtc_gap_s = tell_rtc_gap(monitor, &now);
}
