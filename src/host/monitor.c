// SPDX-License-Identifier: GPL-2.0-or-later
/* What happens to the machine during the run, as its clocks and the stolen time show. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "base/instant.h"
#include "host/cgroup.h"
#include "host/monitor.h"
#include "host/sysfile.h"
#include "host/sysinfo.h"

#define TRIES 5			/* to read three clocks without being interrupted */
#define GOOD_NS 2000		/* up to this error, no further try is needed */
#define FLOOR_NS 1000		/* clocks that are read one after the other agree to within this */
#define USUAL_GUARD_NS 50000000	/* of each second */

/* The others are read between two readings of CLOCK_MONOTONIC; the shortest try counts. */
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

/* A hypervisor that never reported steal time may not count it. */
static void read_steal(struct steal *steal, const struct steal *since, bool virtual)
{
	const int64_t tick_ms = 1000 / sysconf(_SC_CLK_TCK);
	char *text = sysfile_text("/proc/stat"), *rest = text, *line;
	long long ticks;

	for (int i = 0; i <= CPUS_MAX; i++)
		steal->ms[i] = MONITOR_UNKNOWN;
	while ((line = strsep(&rest, "\n")) && !strncmp(line, "cpu", 3)) {
		int cpu = line[3] == ' ' ? -1 : atoi(line + 3);

		if (cpu >= CPUS_MAX || since->ms[cpu + 1] == MONITOR_UNKNOWN ||
		    sscanf(line, "%*s %*u %*u %*u %*u %*u %*u %*u %lld", &ticks) != 1)
			continue;
		if (cpu < 0 && virtual && !ticks)
			break;
		steal->ms[cpu + 1] = ticks * tick_ms - since->ms[cpu + 1];
	}
	free(text);
}

/* Since 6.12 a server for ordinary processes may run even if real-time processes are not limited. */
int64_t monitor_guard_ns(void)
{
	struct cgroup_runtime all;

	if (!cgroup_read_global_runtime(&all))
		return USUAL_GUARD_NS;
	if (all.runtime_us < 0)
		return kernel_is_since(6, 12) ? USUAL_GUARD_NS : 0;
	return (all.period_us - all.runtime_us) * 1000;
}

/* The kernel cancels such a timer when the wall clock is set, and keeps watching: timerfd_create(2). */
void monitor_begin(struct monitor *monitor, bool virtual, const char *device)
{
	const struct itimerspec never = { .it_value.tv_sec = INT32_MAX };

	*monitor = (struct monitor){
		.virtual = virtual, .device = device, .rtc_s = MONITOR_UNKNOWN,
		.seen = { .rtc_gap_s = MONITOR_UNKNOWN, .guard_ns = monitor_guard_ns() },
	};
	sysfile_number(sysfile_of_rtc(device, "since_epoch"), &monitor->rtc_s);
	read_steal(&monitor->steal, &(struct steal){ .ms = { 0 } }, false);
	monitor->clock = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC);
	if (monitor->clock >= 0)
		timerfd_settime(monitor->clock, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, NULL);
	read_clocks(&monitor->begun);
	monitor->last = monitor->begun;
}

/*
 * Only a step moves CLOCK_REALTIME against CLOCK_BOOTTIME. Two readings of the clocks must differ by more than the
 * errors of both. The end of sleep is reported as if the clock were set.
 */
void monitor_look(struct monitor *monitor)
{
	struct disturbances *seen = &monitor->seen;
	int64_t suspended_ns = seen->suspended_ns, slept_ns, step_ns;
	struct monitor_clocks now;
	uint64_t expired;
	bool set = read(monitor->clock, &expired, sizeof(expired)) < 0 && errno == ECANCELED;

	read_clocks(&now);
	step_ns = llabs(now.wall_ns - monitor->last.wall_ns);
	if (step_ns > now.error_ns + monitor->last.error_ns + FLOOR_NS) {
		seen->clock_step_ns += step_ns;
		monitor->last = now;
	}
	slept_ns = now.slept_ns - monitor->begun.slept_ns;
	seen->suspended_ns = slept_ns > now.error_ns + monitor->begun.error_ns + FLOOR_NS ? slept_ns : 0;
	seen->clock_sets += set && seen->suspended_ns <= suspended_ns + FLOOR_NS;
	read_steal(&seen->steal, &monitor->steal, monitor->virtual);
}

void monitor_report(struct monitor *monitor, struct disturbances *disturbances)
{
	int64_t guard_ns = monitor_guard_ns();

	monitor_look(monitor);
	if (guard_ns > monitor->seen.guard_ns)
		monitor->seen.guard_ns = guard_ns;
	*disturbances = monitor->seen;
}

/* RTC and kernel count whole seconds, so a gap below two of them says nothing; nor does 0.05 % of a long run. */
void monitor_end(struct monitor *monitor, struct disturbances *disturbances)
{
	long long rtc_s = MONITOR_UNKNOWN;
	int64_t run_s, gap_s;

	monitor_report(monitor, disturbances);
	run_s = (clock_ns(CLOCK_BOOTTIME) - monitor->begun.running_ns) / 1000000000;
	sysfile_number(sysfile_of_rtc(monitor->device, "since_epoch"), &rtc_s);
	if (rtc_s == MONITOR_UNKNOWN || monitor->rtc_s == MONITOR_UNKNOWN)
		return;
	gap_s = rtc_s - monitor->rtc_s - run_s;
	disturbances->rtc_gap_s = llabs(gap_s) > 1 + run_s / 2000 ? gap_s : 0;
}
