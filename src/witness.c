// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "sysfile.h"
#include "text.h"
#include "witness.h"

#define MESSAGE "RT throttling activated"	/* the kernel says so once, and then never again */
#define TRIES 5			/* to read three clocks without being interrupted */
#define GOOD_NS 2000
#define FLOOR_NS 1000		/* below it, clocks that are read one after the other agree */

static int64_t read_clock(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* Between two readings of the first clock; the closest of some tries. */
static void read_clocks(struct witness_clocks *best)
{
	best->error_ns = INT64_MAX;
	for (int i = 0; i < TRIES && best->error_ns > GOOD_NS; i++) {
		int64_t before = read_clock(CLOCK_MONOTONIC);
		int64_t running = read_clock(CLOCK_BOOTTIME);
		int64_t wall = read_clock(CLOCK_REALTIME);
		int64_t after = read_clock(CLOCK_MONOTONIC);

		if (after - before < best->error_ns)
			*best = (struct witness_clocks){
				running - before, wall - running, after - before, running,
			};
	}
}

/* Of the CPU or of all, in ticks of 10 ms; ever, whether any CPU was stolen time. */
static int64_t read_steal(const struct witness *witness, bool *ever)
{
	FILE *file = fopen("/proc/stat", "re");
	long long steal = 0, count;
	char line[512], wanted[16] = "cpu", name[16];
	bool found = false;

	*ever = false;
	if (witness->cpu >= 0)
		snprintf(wanted, sizeof(wanted), "cpu%d", witness->cpu);
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
		return WITNESS_UNKNOWN;
	return steal * 1000 / sysconf(_SC_CLK_TCK);
}

static int64_t read_rtc(void)
{
	long long now;

	return sysfile_number("/sys/class/rtc/rtc0/since_epoch", &now) ? now : WITNESS_UNKNOWN;
}

/* The first record since the machine was started has the number 0: "5,0,0,-;Linux version ..." */
static bool is_first(const char *record)
{
	const char *comma = strchr(record, ',');

	return comma && !strncmp(comma, ",0,", 3);
}

/* Read on to the end of the kernel's log, one record at a time. What was overwritten before we came is lost. */
static void read_log(struct witness *witness, bool *throttled)
{
	char record[8192];

	for (;;) {
		ssize_t got = read(witness->log, record, sizeof(record) - 1);
		if (got < 0 && errno == EPIPE) {
			witness->log_is_whole = false;
			continue;
		}
		if (got <= 0)
			return;
		record[got] = '\0';
		if (strstr(record, MESSAGE))
			*throttled = true;
		witness->log_is_whole = witness->log_is_whole || is_first(record);
	}
}

static bool is_unlimited(void)
{
	long long runtime_us = 0;

	return sysfile_number("/proc/sys/kernel/sched_rt_runtime_us", &runtime_us) && runtime_us == -1;
}

void witness_begin(struct witness *witness, int cpu, bool virtual)
{
	bool stolen_ever;

	*witness = (struct witness){ .cpu = cpu, .virtual = virtual };
	witness->log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (witness->log >= 0)
		read_log(witness, &witness->throttled_before);
	witness->unlimited = is_unlimited();
	witness->steal_ms = read_steal(witness, &stolen_ever);
	witness->rtc_s = read_rtc();
	read_clocks(&witness->begun);
	witness->last = witness->begun;
}

/* Only a step moves the wall clock against that which counts sleep, too. */
void witness_look(struct witness *witness)
{
	struct witness_clocks now;
	int64_t step;

	read_clocks(&now);
	step = llabs(now.wall_ns - witness->last.wall_ns);
	if (step <= now.error_ns + witness->last.error_ns + FLOOR_NS)
		return;
	witness->stepped_ns += step;
	witness->last = now;
}

static int64_t slept_ns(const struct witness *witness, const struct witness_clocks *now)
{
	int64_t slept = now->slept_ns - witness->begun.slept_ns;

	return slept > now->error_ns + witness->begun.error_ns + FLOOR_NS ? slept : 0;
}

/* Since 6.12 a server of the ordinary processes holds the others off, and says nothing. */
static bool kernel_would_say(void)
{
	unsigned major = 0, minor = 0;
	struct utsname name;

	uname(&name);
	return sscanf(name.release, "%u.%u", &major, &minor) == 2 && (major < 6 || (major == 6 && minor < 12));
}

static int64_t tell_throttling(const struct witness *witness)
{
	if (witness->throttled)
		return 1;
	if (!kernel_would_say())
		return WITNESS_UNKNOWN;
	if (witness->unlimited && is_unlimited())
		return 0;
	return witness->log >= 0 && witness->log_is_whole && !witness->throttled_before ? 0 : WITNESS_UNKNOWN;
}

/* Both are told in whole seconds, so that less than two of them say nothing; nor do 0.05 % of a long run. */
static int64_t tell_rtc_gap(const struct witness *witness, const struct witness_clocks *now)
{
	int64_t run_s = (now->running_ns - witness->begun.running_ns) / 1000000000;
	int64_t rtc_s = read_rtc(), gap_s;

	if (rtc_s == WITNESS_UNKNOWN || witness->rtc_s == WITNESS_UNKNOWN)
		return WITNESS_UNKNOWN;
	gap_s = rtc_s - witness->rtc_s - run_s;
	return llabs(gap_s) > 1 + run_s / 2000 ? gap_s : 0;
}

/* Without steal time ever, a virtual machine may just not be told. */
static int64_t tell_steal(const struct witness *witness)
{
	bool stolen_ever;
	int64_t steal_ms = read_steal(witness, &stolen_ever);

	if (steal_ms == WITNESS_UNKNOWN || witness->steal_ms == WITNESS_UNKNOWN ||
	    (witness->virtual && !stolen_ever))
		return WITNESS_UNKNOWN;
	return steal_ms - witness->steal_ms;
}

void witness_tell_so_far(struct witness *witness, struct testimony *testimony)
{
	struct witness_clocks now;

	read_clocks(&now);
	if (witness->log >= 0)
		read_log(witness, &witness->throttled);
	*testimony = (struct testimony){
		.suspended_ns = slept_ns(witness, &now), .clock_step_ns = witness->stepped_ns,
		.steal_ms = tell_steal(witness), .rt_throttled = tell_throttling(witness),
		.rtc_gap_s = WITNESS_UNKNOWN,
	};
}

void witness_end(struct witness *witness, struct testimony *testimony)
{
	struct witness_clocks now;

	witness_look(witness);
	witness_tell_so_far(witness, testimony);
	read_clocks(&now);
	testimony->rtc_gap_s = tell_rtc_gap(witness, &now);
}

/* Appends a line, the figure in units of so many with so many decimals. */
static void write_figure(char *lines, size_t size, const char *key, int64_t figure, double unit, int decimals)
{
	if (figure == WITNESS_UNKNOWN)
		text_append(lines, size, "%s: unknown\n", key);
	else
		text_append(lines, size, "%s: %.*f\n", key, decimals, figure / unit);
}

void witness_write(const struct testimony *testimony, char *lines, size_t size)
{
	*lines = '\0';
	write_figure(lines, size, "suspended_s", testimony->suspended_ns, 1e9, 6);
	write_figure(lines, size, "clock_step_s", testimony->clock_step_ns, 1e9, 6);
	write_figure(lines, size, "rtc_gap_s", testimony->rtc_gap_s, 1, 0);
	write_figure(lines, size, "steal_ms", testimony->steal_ms, 1, 0);
	text_append(lines, size, "rt_throttled: %s\n",
		    testimony->rt_throttled == WITNESS_UNKNOWN ? "unknown" :
		    testimony->rt_throttled ? "yes" : "no");
}
