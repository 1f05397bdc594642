// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "sleeper_kinds.h"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

void die(const char *what)
{
	fprintf(stderr, "sleeper: %s: %s\n", what, strerror(errno));
	exit(1);
}

static struct timespec timespec_from(uint64_t ns)
{
	return (struct timespec){ .tv_sec = ns / NS_PER_S, .tv_nsec = ns % NS_PER_S };
}

uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * NS_PER_S + now.tv_nsec;
}

static struct itimerspec grid_of(const struct sleeper *sleeper)
{
	return (struct itimerspec){
		.it_value = timespec_from(sleeper->due_ns), .it_interval = timespec_from(sleeper->period_ns),
	};
}

static void prepare_nothing(struct sleeper *sleeper)
{
	(void)sleeper;
}

static uint64_t wait_nanosleep(struct sleeper *sleeper)
{
	const struct timespec due = timespec_from(sleeper->due_ns);

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
	return 0;
}

static void prepare_timerfd(struct sleeper *sleeper)
{
	const struct itimerspec grid = grid_of(sleeper);

	sleeper->fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	if (sleeper->fd < 0 || timerfd_settime(sleeper->fd, TFD_TIMER_ABSTIME, &grid, NULL) < 0)
		die("timerfd");
}

static uint64_t wait_timerfd(struct sleeper *sleeper)
{
	uint64_t expired;

	if (read(sleeper->fd, &expired, sizeof(expired)) != sizeof(expired))
		die("read timerfd");
	return expired - 1;
}

/* With the clock that a condition variable has by default. It may be due a little later than we say, but no earlier. */
static void prepare_cond(struct sleeper *sleeper)
{
	uint64_t before_ns = clock_ns(CLOCK_MONOTONIC);

	sleeper->realtime_ns = clock_ns(CLOCK_REALTIME) - before_ns;
	pthread_mutex_init(&sleeper->mutex, NULL);
	pthread_cond_init(&sleeper->never, NULL);
}

static uint64_t wait_cond(struct sleeper *sleeper)
{
	const struct timespec due = timespec_from(sleeper->due_ns + sleeper->realtime_ns);

	pthread_mutex_lock(&sleeper->mutex);
	while (pthread_cond_timedwait(&sleeper->never, &sleeper->mutex, &due) != ETIMEDOUT)
		;
	pthread_mutex_unlock(&sleeper->mutex);
	return 0;
}

static void prepare_epoll(struct sleeper *sleeper)
{
	sleeper->fd = epoll_create1(EPOLL_CLOEXEC);
	if (sleeper->fd < 0)
		die("epoll_create1");
}

/* Its timeout is relative, and counts from a little after this. */
static uint64_t wait_epoll(struct sleeper *sleeper)
{
	struct epoll_event event;

	sleeper->due_ns = clock_ns(CLOCK_MONOTONIC) + sleeper->period_ns;
	epoll_wait(sleeper->fd, &event, 1, sleeper->period_ns / NS_PER_MS);
	return 0;
}

static void prepare_posix(struct sleeper *sleeper)
{
	const struct itimerspec grid = grid_of(sleeper);
	struct sigevent event = {
		.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN, .sigev_notify_thread_id = sleeper->thread,
	};

	if (timer_create(CLOCK_MONOTONIC, &event, &sleeper->timer) < 0 ||
	    timer_settime(sleeper->timer, TIMER_ABSTIME, &grid, NULL) < 0)
		die("timer");
}

static uint64_t wait_posix(struct sleeper *sleeper)
{
	siginfo_t info;
	sigset_t set;

	(void)sleeper;
	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	while (sigwaitinfo(&set, &info) < 0)
		;
	return info.si_overrun;
}

static const struct kind kinds[] = {
	{ "nanosleep", false, prepare_nothing, wait_nanosleep },
	{ "timerfd", true, prepare_timerfd, wait_timerfd },
	{ "cond", false, prepare_cond, wait_cond },
	{ "epoll", false, prepare_epoll, wait_epoll },
	{ "posix", true, prepare_posix, wait_posix },
};

const struct kind *find_kind(const char *name)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (!strcmp(kinds[i].name, name))
			return &kinds[i];
	errno = EINVAL;
	die(name);
	return NULL;
}
