// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Threads that sleep until they are due, and stamp each of their wake-ups:
 * sleeper KIND POLICY RATE [THREADS [APART]]. KIND: nanosleep, timerfd, cond,
 * epoll, posix. POLICY: fifo, rr, other, deadline. RATE: in Hz, up to 1000 for
 * epoll. APART: the first wakes up so many us after whole periods, and each
 * other one so many after the one before it.
 *
 * Prints the numbers of its threads in one line when they are about to start. It
 * ends when its standard input does, and prints for each wake-up: the thread's
 * number, when it was due, when the thread was about to sleep, and its stamp, in
 * ns of CLOCK_MONOTONIC. A thread that was about to sleep only after it was due
 * did not sleep.
 */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S UINT64_C(1000000000)
#define NS_PER_MS 1000000
#define NS_PER_US 1000
#define THREADS_MAX 256
#define WAKEUPS_MAX 100000		/* of one thread; later ones are not kept */
#define PRIORITY 50
#define DEADLINE_SHARE 20		/* a thread may use 5 % of a CPU */
#define ANCHOR_NS 20000000		/* from the start to the first wake-up */

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

struct wakeup {
	uint64_t due_ns, before_ns, stamp_ns;
};

struct sleeper {
	const struct kind *kind;
	const char *policy;
	uint64_t due_ns, period_ns;
	uint64_t later_ns;		/* than whole periods; 0: whenever */
	pid_t thread;
	int fd;
	timer_t timer;
	uint64_t realtime_ns;		/* how far CLOCK_REALTIME is ahead */
	pthread_mutex_t mutex;
	pthread_cond_t never;
	unsigned count;
	struct wakeup wakeup[WAKEUPS_MAX];
};

/* wait() returns after the instant that is due, and says how many more have passed. */
struct kind {
	const char *name;
	void (*prepare)(struct sleeper *sleeper);
	uint64_t (*wait)(struct sleeper *sleeper);
};

static pthread_barrier_t known, go;
static volatile bool stopped;

static void die(const char *what)
{
	fprintf(stderr, "sleeper: %s: %s\n", what, strerror(errno));
	exit(1);
}

static struct timespec timespec_from(uint64_t ns)
{
	return (struct timespec){ .tv_sec = ns / NS_PER_S, .tv_nsec = ns % NS_PER_S };
}

static uint64_t clock_ns(clockid_t clock)
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
	{ "nanosleep", prepare_nothing, wait_nanosleep },
	{ "timerfd", prepare_timerfd, wait_timerfd },
	{ "cond", prepare_cond, wait_cond },
	{ "epoll", prepare_epoll, wait_epoll },
	{ "posix", prepare_posix, wait_posix },
};

static const struct kind *find_kind(const char *name)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (!strcmp(kinds[i].name, name))
			return &kinds[i];
	errno = EINVAL;
	die(name);
	return NULL;
}

static void become_deadline(uint64_t period_ns)
{
	const struct {
		uint32_t size, policy;
		uint64_t flags;
		int32_t nice;
		uint32_t priority;
		uint64_t runtime_ns, deadline_ns, period_ns;
	} attributes = {
		.size = sizeof(attributes), .policy = SCHED_DEADLINE,
		.runtime_ns = period_ns / DEADLINE_SHARE, .deadline_ns = period_ns, .period_ns = period_ns,
	};

	if (syscall(SYS_sched_setattr, 0, &attributes, 0) < 0)
		die("sched_setattr");
}

static void set_policy(const struct sleeper *sleeper)
{
	const struct sched_param param = { .sched_priority = PRIORITY };
	int policy = !strcmp(sleeper->policy, "fifo") ? SCHED_FIFO : !strcmp(sleeper->policy, "rr") ? SCHED_RR : -1;

	if (!strcmp(sleeper->policy, "deadline"))
		become_deadline(sleeper->period_ns);
	else if (policy >= 0 && sched_setscheduler(0, policy, &param) < 0)
		die("sched_setscheduler");
}

static void keep(struct sleeper *sleeper, uint64_t before_ns, uint64_t stamp_ns)
{
	if (sleeper->count < WAKEUPS_MAX)
		sleeper->wakeup[sleeper->count++] = (struct wakeup){ sleeper->due_ns, before_ns, stamp_ns };
}

static uint64_t anchor_ns(const struct sleeper *sleeper)
{
	uint64_t soon_ns = clock_ns(CLOCK_MONOTONIC) + ANCHOR_NS;

	return sleeper->later_ns ? soon_ns - soon_ns % sleeper->period_ns + sleeper->later_ns : soon_ns;
}

static void *sleep_and_stamp(void *own)
{
	struct sleeper *sleeper = own;

	sleeper->thread = syscall(SYS_gettid);
	set_policy(sleeper);
	pthread_barrier_wait(&known);
	pthread_barrier_wait(&go);
	sleeper->due_ns = anchor_ns(sleeper);
	sleeper->kind->prepare(sleeper);
	while (!stopped) {
		uint64_t before_ns = clock_ns(CLOCK_MONOTONIC), passed = sleeper->kind->wait(sleeper);

		keep(sleeper, before_ns, clock_ns(CLOCK_MONOTONIC));
		sleeper->due_ns += (1 + passed) * sleeper->period_ns;
	}
	return NULL;
}

/* Page faults would be late wake-ups of their own. */
static struct sleeper *make_sleeper(char **argv)
{
	struct sleeper *sleeper = calloc(1, sizeof(*sleeper));

	if (!sleeper)
		die("allocate memory");
	memset(sleeper, 0, sizeof(*sleeper));
	sleeper->kind = find_kind(argv[1]);
	sleeper->policy = argv[2];
	sleeper->period_ns = NS_PER_S / strtoul(argv[3], NULL, 10);
	return sleeper;
}

static void print(const struct sleeper *sleeper)
{
	for (unsigned i = 0; i < sleeper->count; i++) {
		const struct wakeup *wakeup = &sleeper->wakeup[i];

		printf("%d %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", (int)sleeper->thread, wakeup->due_ns,
		       wakeup->before_ns, wakeup->stamp_ns);
	}
}

static void wait_for_end_of_input(void)
{
	char any[64];

	while (read(STDIN_FILENO, any, sizeof(any)) > 0)
		;
}

static void block_signal(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
}

int main(int argc, char **argv)
{
	unsigned threads = argc > 4 ? strtoul(argv[4], NULL, 10) : 1;
	unsigned apart_us = argc > 5 ? strtoul(argv[5], NULL, 10) : 0;
	struct sleeper *sleeper[THREADS_MAX];
	pthread_t thread[THREADS_MAX];

	if (argc < 4 || !strtoul(argv[3], NULL, 10) || !threads || threads > THREADS_MAX) {
		fprintf(stderr, "usage: sleeper KIND POLICY RATE [THREADS [APART]]\n");
		return 2;
	}
	block_signal();
	pthread_barrier_init(&known, NULL, threads + 1);
	pthread_barrier_init(&go, NULL, threads + 1);
	for (unsigned i = 0; i < threads; i++) {
		sleeper[i] = make_sleeper(argv);
		sleeper[i]->later_ns = (i + UINT64_C(1)) * apart_us * NS_PER_US;
		if ((errno = pthread_create(&thread[i], NULL, sleep_and_stamp, sleeper[i])))
			die("pthread_create");
	}
	mlockall(MCL_CURRENT | MCL_FUTURE);
	pthread_barrier_wait(&known);
	for (unsigned i = 0; i < threads; i++)
		printf("%d%c", (int)sleeper[i]->thread, i + 1 < threads ? ' ' : '\n');
	fflush(stdout);
	pthread_barrier_wait(&go);
	wait_for_end_of_input();
	stopped = true;
	for (unsigned i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	for (unsigned i = 0; i < threads; i++) {
		print(sleeper[i]);
		free(sleeper[i]);
	}
	return 0;
}
