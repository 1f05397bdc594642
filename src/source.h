/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What wakes us: a periodic event with a known schedule. Period k is due at
 * anchor_ns + k * period_ns on CLOCK_MONOTONIC, k = 1, 2, ...
 *
 * The keeper opens and stops a source, the meter starts it and waits. Where
 * there are several meters, each starts its own copy of what was opened.
 */
#ifndef SOURCE_H
#define SOURCE_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct source_ops;

struct source {
	const struct source_ops *ops;
	const char *device;		/* the file that was opened; NULL when there is none */
	int fd;
	unsigned hz;
	uint64_t period_ns;		/* 1 s / hz, rounded down as the kernel does it */
	bool passed_over;		/* auto passed over one that only one process may have */

	/* set by the keeper of several, which share a grid; 0, 0: the schedule begins with start */
	uint64_t origin_ns;		/* one instant for all of them */
	uint64_t phase_ns;		/* when in the period this one is due */

	uint64_t handler;		/* the address of ops->handler; 0: not known */

	/* set by start */
	uint64_t anchor_ns;		/* no later than the schedule's true start */
	uint64_t anchor_uncertainty_ns;	/* and earlier by no more than this */

	uint64_t other_interrupts;	/* wake-ups that counted an alarm or an update, too */

	union {				/* the backend's own */
		unsigned long former_hz;	/* rtc: the rate to be put back */
		struct timespec sleep_until;	/* nanosleep */
	};
};

struct source_ops {
	const char *name;
	unsigned max_hz;
	bool exclusive;			/* only one process may have it */
	bool sets_rate;			/* of the device, for which it may need a right until it is put back */
	const char *handler;		/* what its timer calls in the kernel */
	bool in_thread;			/* on PREEMPT_RT its timer expires in a thread, not in the interrupt */

	/*
	 * Make ready, with hz and period_ns set. device is NULL or the file
	 * asked for. Returns EXIT_MEASURED (0), or EXIT_NOT_MEASURED after a
	 * warning for each thing that is refused, or EXIT_NO_DEVICE with errno
	 * when the machine has none.
	 */
	int (*open)(struct source *source, const char *device);

	/* Fix the schedule and set it going. Returns 0, or -1 after a warning. */
	int (*start)(struct source *source);

	/*
	 * Sleep until the next wake-up; the oldest period that was not served
	 * is due at due_ns. Returns how many periods the wake-up served, 0 for
	 * those that are due at its stamp, or an errno made negative: -EINTR
	 * for a signal.
	 */
	int64_t (*wait)(struct source *source, uint64_t due_ns);

	/* Put everything back. Never called by a real-time process: see rtc_stop(). */
	void (*stop)(struct source *source);
};

/* All that --source may name. */
#define SOURCE_NAMES "auto, rtc, nanosleep, timerfd"

extern const struct source_ops source_rtc, source_nanosleep, source_timerfd;

/*
 * Open the source of that name, for a meter on each of so many CPUs; auto is the first of the
 * registry that they can have: the RTC or, where there is none or several would
 * need it, and none was asked for, nanosleep. Returns EXIT_MEASURED (0) or,
 * after a warning, what to exit with.
 */
int source_open(struct source *source, const char *name, const char *device, unsigned hz, int cpus);

/* Returns false, after a warning, when the source does not take such a rate. */
bool source_takes_rate(const struct source *source);

/* For sources whose schedule is a timer on CLOCK_MONOTONIC, of which nothing is to be put back. */
#define SOURCE_TIMER_MAX_HZ 100000
int source_open_timer(struct source *source, const char *device);
int source_start_timer(struct source *source);
void source_stop_timer(struct source *source);

static inline struct timespec source_timespec(uint64_t ns)
{
	return (struct timespec){ .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 };
}

#endif
