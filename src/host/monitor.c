// SPDX-License-Identifier: GPL-2.0-or-later
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
#include "host/preemption.h"
#include "host/sysfile.h"

#define TRIES 5			/* to read three clocks without being interrupted */
#define GOOD_NS 2000		/* up to this error, no other try is needed */
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

/* Returns whether the machine has ever counted stolen time. */
static bool read_steal(struct steal *steal)
{
	const int64_t tick_ms = 1000 / sysconf(_SC_CLK_TCK);
	char *text = sysfile_text("/proc/stat"), *rest = text, *line;
	long long ticks;
	int cpu;

	steal->all_ms = MONITOR_UNKNOWN;
	for (cpu = 0; cpu < CPUS_MAX; cpu++)
		steal->of_ms[cpu] = MONITOR_UNKNOWN;
	while ((line = strsep(&rest, "\n")) && !strncmp(line, "cpu", 3)) {
		if (sscanf(line, "%*s %*u %*u %*u %*u %*u %*u %*u %lld", &ticks) != 1)
			continue;
		if (line[3] == ' ')
			steal->all_ms = ticks * tick_ms;
		else if (sscanf(line, "cpu%d", &cpu) == 1 && cpu >= 0 && cpu < CPUS_MAX)
			steal->of_ms[cpu] = ticks * tick_ms;
	}
	free(text);
	return steal->all_ms != MONITOR_UNKNOWN && steal->all_ms;
}

int64_t steal_of(const struct steal *steal, int cpu)
{
	return cpu < 0 ? steal->all_ms : steal->of_ms[cpu];
}

static int64_t read_rtc(const struct monitor *monitor)
{
	long long now;

	return sysfile_number(sysfile_of_rtc(monitor->device, "since_epoch"), &now) ? now : MONITOR_UNKNOWN;
}

/* Since 6.12 it is a server for ordinary processes, which may run even if there is no bound of real-time processes. */
int64_t monitor_guard_ns(void)
{
	struct cgroup_runtime all;

	if (!cgroup_read_global_runtime(&all))
		return USUAL_GUARD_NS;
	if (all.runtime_us < 0)
		return kernel_is_since(6, 12) ? USUAL_GUARD_NS : 0;
	return (all.period_us - all.runtime_us) * 1000;
}

/* The kernel cancels such a timer when the wall clock is set, and goes on to watch: timerfd_create(2). */
void monitor_begin(struct monitor *monitor, bool virtual, const char *device)
{
	const struct itimerspec never = { .it_value.tv_sec = INT32_MAX };

	*monitor = (struct monitor){
		.virtual = virtual, .device = device,
		.seen = { .rtc_gap_s = MONITOR_UNKNOWN, .guard_ns = monitor_guard_ns() },
	};
	monitor->rtc_s = read_rtc(monitor);
	read_steal(&monitor->steal);
	monitor->clock = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC);
	if (monitor->clock >= 0)
		timerfd_settime(monitor->clock, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, NULL);
	read_clocks(&monitor->begun);
	monitor->last = monitor->begun;
}

static int64_t slept_ns(const struct monitor *monitor, const struct monitor_clocks *now)
{
	int64_t slept = now->slept_ns - monitor->begun.slept_ns;

	return slept > now->error_ns + monitor->begun.error_ns + FLOOR_NS ? slept : 0;
}

/* Both count whole seconds, so a gap below two of them says nothing; nor does 0.05 % of a long run. */
static int64_t rtc_gap_s(const struct monitor *monitor, const struct monitor_clocks *now)
{
	int64_t run_s = (now->running_ns - monitor->begun.running_ns) / 1000000000;
	int64_t rtc_s = read_rtc(monitor), gap_s;

	if (rtc_s == MONITOR_UNKNOWN || monitor->rtc_s == MONITOR_UNKNOWN)
		return MONITOR_UNKNOWN;
	gap_s = rtc_s - monitor->rtc_s - run_s;
	return llabs(gap_s) > 1 + run_s / 2000 ? gap_s : 0;
}

static int64_t since(int64_t begun, int64_t now)
{
	return begun == MONITOR_UNKNOWN || now == MONITOR_UNKNOWN ? MONITOR_UNKNOWN : now - begun;
}

/* A virtual machine that never saw steal time may not be given any. */
static void read_steal_since(const struct monitor *monitor, struct steal *steal)
{
	bool known = read_steal(steal) || !monitor->virtual;

	steal->all_ms = known ? since(monitor->steal.all_ms, steal->all_ms) : MONITOR_UNKNOWN;
	for (int cpu = 0; cpu < CPUS_MAX; cpu++)
		steal->of_ms[cpu] = known ? since(monitor->steal.of_ms[cpu], steal->of_ms[cpu]) : MONITOR_UNKNOWN;
}

/*
 * Only a step moves CLOCK_REALTIME against CLOCK_BOOTTIME, which counts sleep too. The
 * kernel reports the end of sleep as if the clock were set.
 */
void monitor_look(struct monitor *monitor)
{
	struct disturbances *seen = &monitor->seen;
	int64_t suspended_ns = seen->suspended_ns, step;
	struct monitor_clocks now;
	uint64_t expired;
	bool set = read(monitor->clock, &expired, sizeof(expired)) < 0 && errno == ECANCELED;

	read_clocks(&now);
	step = llabs(now.wall_ns - monitor->last.wall_ns);
	if (step > now.error_ns + monitor->last.error_ns + FLOOR_NS) {
		seen->clock_step_ns += step;
		monitor->last = now;
	}
	seen->suspended_ns = slept_ns(monitor, &now);
	seen->clock_sets += set && seen->suspended_ns <= suspended_ns + FLOOR_NS;
	read_steal_since(monitor, &seen->steal);
}

void monitor_tell_so_far(const struct monitor *monitor, struct disturbances *disturbances)
{
	int64_t guard_ns = monitor_guard_ns();
	struct monitor_clocks now;

	read_clocks(&now);
	*disturbances = monitor->seen;
	disturbances->suspended_ns = slept_ns(monitor, &now);
	if (guard_ns > disturbances->guard_ns)
		disturbances->guard_ns = guard_ns;
	read_steal_since(monitor, &disturbances->steal);
}

void monitor_end(struct monitor *monitor, struct disturbances *disturbances)
{
	struct monitor_clocks now;

	monitor_look(monitor);
	monitor_tell_so_far(monitor, disturbances);
	read_clocks(&now);
	disturbances->rtc_gap_s = rtc_gap_s(monitor, &now);
}
