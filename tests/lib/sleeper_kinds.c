// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
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

/* From whenever it is done, so the rest of its loop adds up. */
static uint64_t wait_relative(struct sleeper *sleeper)
{
	const struct timespec sleep = timespec_from(sleeper->period_ns);

	sleeper->due_ns = clock_ns(CLOCK_MONOTONIC) + sleeper->period_ns;
	clock_nanosleep(CLOCK_MONOTONIC, 0, &sleep, NULL);
	return 0;
}

static void *write_events(void *own)
{
	const struct timespec pause = timespec_from(3 * NS_PER_MS);
	const int event = (intptr_t)own;	/* the sleeper may be gone before the program is */
	const uint64_t one = 1;

	while (write(event, &one, sizeof(one)) == sizeof(one))
		nanosleep(&pause, NULL);
	return NULL;
}

static void add_to_epoll(const struct sleeper *sleeper, int fd)
{
	struct epoll_event event = { .events = EPOLLIN, .data.fd = fd };

	if (fd < 0 || epoll_ctl(sleeper->epoll, EPOLL_CTL_ADD, fd, &event) < 0)
		die("epoll_ctl");
}

/* An event loop as of a sound server: a timer, and what another thread writes. */
static void prepare_events(struct sleeper *sleeper)
{
	pthread_t writer;

	prepare_epoll(sleeper);
	sleeper->epoll = sleeper->fd;
	sleeper->fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	sleeper->event = eventfd(0, EFD_CLOEXEC);
	add_to_epoll(sleeper, sleeper->fd);
	add_to_epoll(sleeper, sleeper->event);
	if (pthread_create(&writer, NULL, write_events, (void *)(intptr_t)sleeper->event))
		die("pthread_create");
}

/* Each time it sets the timer anew, though that may not have expired. */
static uint64_t wait_events(struct sleeper *sleeper)
{
	const struct itimerspec due = { .it_value = timespec_from(sleeper->due_ns) };
	struct epoll_event event = { .data.fd = -1 };
	uint64_t count;

	while (event.data.fd != sleeper->fd) {
		timerfd_settime(sleeper->fd, TFD_TIMER_ABSTIME, &due, NULL);
		if (epoll_wait(sleeper->epoll, &event, 1, -1) == 1 && event.data.fd == sleeper->event &&
		    read(sleeper->event, &count, sizeof(count)) != sizeof(count))
			die("read eventfd");
	}
	return 0;
}

static const struct kind kinds[] = {
	{ "nanosleep", false, prepare_nothing, wait_nanosleep },
	{ "timerfd", true, prepare_timerfd, wait_timerfd },
	{ "cond", false, prepare_cond, wait_cond },
	{ "epoll", false, prepare_epoll, wait_epoll },
	{ "posix", true, prepare_posix, wait_posix },
	{ "relative", false, prepare_nothing, wait_relative },
	{ "events", false, prepare_events, wait_events },
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
