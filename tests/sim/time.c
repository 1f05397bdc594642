// SPDX-License-Identifier: GPL-2.0-or-later
/* Clocks, sleeps and timers. No one uses the CPU. */
#include <errno.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "sim.h"

#define EPOCH (1600000000 * SECOND)	/* what the wall clock is ahead: 2020-09-13 */

static struct {
	uint64_t due_ns, period_ns;
} timer;				/* behind a descriptor, of which each process has one */

static uint64_t known_step_ns;		/* of the wall clock, when its descriptor was last read */

static struct timespec timespec_from(uint64_t ns)
{
	return (struct timespec){ ns / SECOND, ns % SECOND };
}

static uint64_t ns_of(const struct timespec *time)
{
	return time->tv_sec * SECOND + time->tv_nsec;
}

static uint64_t read_clock(clockid_t clock)
{
	switch (clock) {
	case CLOCK_PROCESS_CPUTIME_ID: case CLOCK_THREAD_CPUTIME_ID: return 0;
	case CLOCK_BOOTTIME: return world->now_ns + world->slept_ns;
	case CLOCK_REALTIME: return world->now_ns + world->slept_ns + world->stepped_ns + EPOCH;
	default: return world->now_ns;
	}
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
	if (script_fails("clock_gettime"))
		return -1;
	if (!self)
		return raw(SYS_clock_gettime, clock, time);
	*time = timespec_from(read_clock(clock));
	return 0;
}

int clock_getres(clockid_t clock, struct timespec *resolution)
{
	if (!self)
		return raw(SYS_clock_getres, clock, resolution);
	*resolution = timespec_from(world->resolution_ns);
	return 0;
}

time_t time(time_t *seconds)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	if (seconds)
		*seconds = now.tv_sec;
	return now.tv_sec;
}

/* One of 16 values; with a seed at times more, where twice as much is half as likely; rarely a stall of many periods. */
static uint64_t lateness(void)
{
	uint64_t *draws = &self->draws, kind = draw(draws, 1000), late = 2000 + 137 * draw(draws, 16);

	if (!world->seed)
		return late;
	if (kind >= 900)
		late += 1013 * draw(draws, 30);
	if (kind >= 980)
		late += UINT64_C(20000) << __builtin_ctzll(draw(draws, UINT64_MAX) | 1 << 9);
	if (kind >= 998)
		late += 100003 * draw(draws, 300);
	return late;
}

int time_sleep(uint64_t until_ns)
{
	do
		if (turn_wait(until_ns, FOR_TIME))
			return EINTR;
	while (world->now_ns < until_ns);
	return 0;
}

/* What is overdue is served at once. */
int time_wake(uint64_t due_ns)
{
	uint64_t until_ns = due_ns <= world->now_ns ? world->now_ns + 500 + 100 * draw(&self->draws, 10)
						    : due_ns + lateness();
	int result = time_sleep(until_ns + self->late_ns);

	self->late_ns = 0;
	self->wakeups += !result;
	return result;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *until, struct timespec *left)
{
	(void)left;
	if (!self)
		return raw(SYS_clock_nanosleep, clock, flags, until, NULL, 0L, UNTRAPPED) < 0 ? errno : 0;
	if (script_fails("clock_nanosleep"))
		return errno;
	return flags == TIMER_ABSTIME ? time_wake(ns_of(until)) : time_sleep(world->now_ns + ns_of(until));
}

int nanosleep(const struct timespec *duration, struct timespec *left)
{
	errno = clock_nanosleep(CLOCK_MONOTONIC, 0, duration, left);
	return errno ? -1 : 0;
}

int usleep(useconds_t us)
{
	const struct timespec duration = timespec_from(us * UINT64_C(1000));

	return nanosleep(&duration, NULL);
}

unsigned alarm(unsigned seconds)
{
	if (!self)
		return NEXT(alarm, seconds);
	self->alarm_ns = seconds ? world->now_ns + seconds * SECOND : NEVER;
	return 0;
}

/* Each process has one timer, which sends SIGALRM once. */
int timer_create(clockid_t clock, struct sigevent *event, timer_t *id)
{
	(void)clock;
	(void)event;
	*id = NULL;
	return script_fails("timer_create") ? -1 : 0;
}

int timer_settime(timer_t id, int flags, const struct itimerspec *wanted, struct itimerspec *former)
{
	(void)id;
	(void)flags;
	(void)former;
	self->alarm_ns = world->now_ns + ns_of(&wanted->it_value);
	return 0;
}

/* Of the wall clock only that it is set is of interest: the timer is cancelled. */
int timerfd_create(clockid_t clock, int flags)
{
	if (script_fails("timerfd_create"))
		return -1;
	known_step_ns = world->stepped_ns;
	return descriptor_set(eventfd(0, flags), clock == CLOCK_REALTIME ? CLOCK : TIMER, 0);
}

ssize_t clock_read(void)
{
	errno = world->stepped_ns == known_step_ns ? EAGAIN : ECANCELED;
	known_step_ns = world->stepped_ns;
	return -1;
}

int timerfd_settime(int fd, int flags, const struct itimerspec *wanted, struct itimerspec *former)
{
	(void)former;
	if (descriptor_get(fd).kind == CLOCK)
		return 0;
	timer.due_ns = ns_of(&wanted->it_value);
	timer.period_ns = ns_of(&wanted->it_interval);
	return descriptor_get(fd).kind == TIMER && flags == TFD_TIMER_ABSTIME ? 0 : -1;
}

ssize_t timer_read(void *buffer)
{
	uint64_t *periods = buffer;

	errno = time_wake(timer.due_ns);
	if (errno)
		return -1;
	*periods = 1 + (world->now_ns - timer.due_ns) / timer.period_ns;
	timer.due_ns += *periods * timer.period_ns;
	return sizeof(*periods);
}
