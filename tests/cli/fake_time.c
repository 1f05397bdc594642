// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A clock for tests, which LD_PRELOAD puts between a program and the C library.
 * It stands still while the keeper or the one meter runs. When both sleep, it
 * leaps to the instant at which the first of them is to wake up. So a run is
 * the same every time, however busy the machine is. FAKE_TIME_SEED says how
 * late the meter wakes up, from nanosleep or a timerfd.
 */
#include <errno.h>
#include <poll.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define SECOND UINT64_C(1000000000)
#define BEGINNING (1000 * SECOND)
#define EPOCH (1600000000 * SECOND)	/* what the wall clock is ahead: 2020-09-13 */

static struct {
	uint64_t now;
	uint64_t keeper_until;		/* for so long the keeper sleeps */
	sem_t keeper, meter;		/* whose turn it is to run */
	bool over;			/* the meter has ended */
} *world;

static pid_t keeper;
static bool is_meter;
static uint64_t draws;

static struct {
	int fd;
	uint64_t due, period;		/* 0: it is not set */
} timer = { .fd = -1 };

__attribute__((constructor))
static void begin(void)
{
	world = mmap(NULL, sizeof(*world), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (world == MAP_FAILED || sem_init(&world->keeper, 1, 0) || sem_init(&world->meter, 1, 0))
		abort();
	world->now = BEGINNING;
	keeper = getpid();
	draws = getenv("FAKE_TIME_SEED") ? strtoull(getenv("FAKE_TIME_SEED"), NULL, 0) << 32 : 0;
}

/* splitmix64, by Sebastiano Vigna */
static uint64_t draw(uint64_t below)
{
	uint64_t z = draws += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return (z ^ z >> 31) % below;
}

/* One of 16 values; at times more, where twice as much is half as likely; rarely a stall of many periods. */
static uint64_t lateness(void)
{
	uint64_t kind = draw(1000), late = 2000 + 137 * draw(16);

	if (kind >= 900)
		late += 1013 * draw(30);
	if (kind >= 980)
		late += UINT64_C(20000) << __builtin_ctzll(draw(UINT64_MAX) | 1 << 9);
	if (kind >= 998)
		late += 100003 * draw(300);
	return late;
}

static void take(sem_t *turn)
{
	while (sem_wait(turn) < 0)
		;
}

/* The meter's first turn is when the keeper has gone to sleep. */
static void become_meter(void)
{
	if (!is_meter)
		take(&world->meter);
	is_meter = true;
}

/* The keeper looks what has happened, and sleeps on. */
static void let_keeper_run(void)
{
	sem_post(&world->keeper);
	take(&world->meter);
}

static void sleep_until(uint64_t until)
{
	become_meter();
	while (world->keeper_until <= until) {
		if (world->now < world->keeper_until)
			world->now = world->keeper_until;
		let_keeper_run();
	}
	if (world->now < until)
		world->now = until;
}

/* What is overdue is served at once. */
static void wake_up(uint64_t due)
{
	sleep_until(due <= world->now ? world->now + 500 + 100 * draw(10) : due + lateness());
}

static int really_poll(struct pollfd *events, nfds_t count, int ms)
{
	const struct timespec patience = { ms / 1000, ms % 1000 * 1000000 };

	return syscall(SYS_ppoll, events, count, ms < 0 ? NULL : &patience, NULL, 0);
}

/* When the meter has ended, the kernel closes its files, and time waits for that. */
static int poll_as_keeper(struct pollfd *events, nfds_t count, uint64_t until)
{
	int ready;

	while (!(ready = really_poll(events, count, world->over ? -1 : 0)) && world->now < until) {
		world->keeper_until = until;
		sem_post(&world->meter);
		take(&world->keeper);
	}
	return ready;
}

/* The keeper waits for the meter, the standby and signals; what is shorter is something else. */
int poll(struct pollfd *events, nfds_t count, int ms)
{
	if (getpid() != keeper || count < 3 || ms <= 0)
		return really_poll(events, count, ms);
	return poll_as_keeper(events, count, world->now + ms * UINT64_C(1000000));
}

int __poll_chk(struct pollfd *events, nfds_t count, int ms, size_t size)
{
	if (count > size / sizeof(*events))
		abort();
	return poll(events, count, ms);
}

/* By this the meter says that it measures, or has done so. */
ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
	ssize_t sent = syscall(SYS_sendmsg, fd, message, flags);

	become_meter();
	let_keeper_run();
	return sent;
}

void _exit(int status)
{
	if (is_meter) {
		world->over = true;
		sem_post(&world->keeper);
	}
	for (;;)
		syscall(SYS_exit_group, status);
}

static struct timespec timespec_from(uint64_t ns)
{
	return (struct timespec){ ns / SECOND, ns % SECOND };
}

static uint64_t timespec_ns(const struct timespec *time)
{
	return time->tv_sec * SECOND + time->tv_nsec;
}

/* Nobody uses the CPU. */
int clock_gettime(clockid_t clock, struct timespec *time)
{
	bool is_cpu = clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID;

	*time = timespec_from(is_cpu ? 0 : world->now + (clock == CLOCK_REALTIME ? EPOCH : 0));
	return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *until, struct timespec *left)
{
	(void)left;
	if (clock != CLOCK_MONOTONIC || flags != TIMER_ABSTIME)
		return EINVAL;
	wake_up(timespec_ns(until));
	return 0;
}

int timerfd_create(clockid_t clock, int flags)
{
	return timer.fd = clock == CLOCK_MONOTONIC ? syscall(SYS_eventfd2, 0, flags) : -1;
}

int timerfd_settime(int fd, int flags, const struct itimerspec *wanted, struct itimerspec *former)
{
	(void)former;
	timer.due = timespec_ns(&wanted->it_value);
	timer.period = timespec_ns(&wanted->it_interval);
	return fd == timer.fd && flags == TFD_TIMER_ABSTIME ? 0 : -1;
}

/* How many periods have passed. */
ssize_t read(int fd, void *buffer, size_t size)
{
	uint64_t *periods = buffer;

	if (fd < 0 || fd != timer.fd || !timer.period)
		return syscall(SYS_read, fd, buffer, size);
	wake_up(timer.due);
	*periods = 1 + (world->now - timer.due) / timer.period;
	timer.due += *periods * timer.period;
	return sizeof(*periods);
}
