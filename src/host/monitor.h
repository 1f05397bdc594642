/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What happened to the machine during the run: clocks that disagree, time that a hypervisor took. */
#ifndef HOST_MONITOR_H
#define HOST_MONITOR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cpus.h"

#define MONITOR_UNKNOWN INT64_MIN

/* Time stolen, in steps of 10 ms; MONITOR_UNKNOWN if the machine does not count it. */
struct steal {
	int64_t ms[1 + CPUS_MAX];	/* [0]: from all CPUs; [1 + cpu]: from that CPU */
};

/* steal and rtc_gap_s may be MONITOR_UNKNOWN. */
struct disturbances {
	int64_t suspended_ns;		/* how long the machine slept */
	int64_t clock_step_ns;		/* by how much the wall clock was changed, all steps added up */
	unsigned clock_sets;		/* how often it was set; 0 also if the kernel does not report it */
	struct steal steal;		/* what a hypervisor took */
	int64_t rtc_gap_s;		/* by how much the hardware clock ran ahead of the kernel's */
	int64_t guard_ns;		/* how long at a time the kernel may throttle real-time processes; 0: never */
};

/* CLOCK_BOOTTIME and CLOCK_REALTIME against CLOCK_MONOTONIC. */
struct monitor_clocks {
	int64_t slept_ns;		/* since the machine was started */
	int64_t wall_ns;		/* CLOCK_REALTIME when the machine was started */
	int64_t error_ns;		/* bound on the error of both */
	int64_t running_ns;		/* CLOCK_BOOTTIME itself */
};

struct monitor {
	bool virtual;			/* see monitor_begin() */
	const char *device;		/* of the source; NULL: none */
	struct monitor_clocks begun, last;	/* last: after the last step of the wall clock, if any */
	struct disturbances seen;	/* at the last look */
	int clock;			/* a timer that the kernel cancels when the wall clock is set; -1: none */
	struct steal steal;		/* at the beginning, like the next */
	long long rtc_s;		/* or MONITOR_UNKNOWN */
};

/* Returns how long at a time the kernel throttles real-time processes that take all of a CPU, in ns; 0: never. */
int64_t monitor_guard_ns(void);

/* Before the run. virtual: there is, or may be, a hypervisor. The RTC is the device, else the first one. */
void monitor_begin(struct monitor *monitor, bool virtual, const char *device);

/*
 * Once a second during the run, and when a meter has ended: bring monitor->seen up to date, and report it. The hardware
 * clock is read only at the end, when the source has stopped: the read disables interrupts.
 */
void monitor_look(struct monitor *monitor);
void monitor_report(struct monitor *monitor, struct disturbances *disturbances);
void monitor_end(struct monitor *monitor, struct disturbances *disturbances);

#endif
