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
 * did not sleep; it was woken all the same if it sets a timer for each sleep. If
 * its timer is periodic (timerfd, posix), nothing woke it, and it prints no stamp.
 *
 * A line of its input, such as "end 1", has the thread of that place do one thing:
 * end; name: call itself "renamed"; fork: begin a process that sleeps 50 times,
 * and then for 0.2 s, in which its name can be seen; exec: print its stamps,
 * and execute a program whose only thread does the same.
 */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sleeper_kinds.h"

#define NS_PER_US 1000
#define THREADS_MAX 256
#define PRIORITY 50
#define DEADLINE_SHARE 20		/* a thread may use 5 % of a CPU */
#define ANCHOR_NS 20000000		/* from the start to the first wake-up */

static pthread_barrier_t known, go;
static sem_t taken;			/* an order */
static volatile bool stopped;

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

/* Since this was asked last. */
static bool has_slept(struct sleeper *sleeper)
{
	long sleeps = sleeper->sleeps;
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	sleeper->sleeps = usage.ru_nvcsw;
	return sleeper->sleeps != sleeps;
}

static void keep(struct sleeper *sleeper, uint64_t before_ns, uint64_t stamp_ns)
{
	if (sleeper->kind->periodic && !has_slept(sleeper))
		return;
	if (sleeper->count < WAKEUPS_MAX)
		sleeper->wakeup[sleeper->count++] = (struct wakeup){ sleeper->due_ns, before_ns, stamp_ns };
}

static uint64_t anchor_ns(const struct sleeper *sleeper)
{
	uint64_t soon_ns = clock_ns(CLOCK_MONOTONIC) + ANCHOR_NS;

	return sleeper->later_ns ? soon_ns - soon_ns % sleeper->period_ns + sleeper->later_ns : soon_ns;
}

static void print(const struct sleeper *sleeper)
{
	for (unsigned i = 0; i < sleeper->count; i++) {
		const struct wakeup *wakeup = &sleeper->wakeup[i];

		printf("%d %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", (int)sleeper->thread, wakeup->due_ns,
		       wakeup->before_ns, wakeup->stamp_ns);
	}
}

/* Each returns whether the thread goes on. */
static bool end(struct sleeper *sleeper)
{
	(void)sleeper;
	return false;
}

static bool rename_itself(struct sleeper *sleeper)
{
	(void)sleeper;
	prctl(PR_SET_NAME, "renamed");
	return true;
}

static bool begin_process(struct sleeper *sleeper)
{
	(void)sleeper;
	if (fork())
		return true;
	for (unsigned i = 0; i < 50; i++)
		nanosleep(&(struct timespec){ .tv_nsec = NS_PER_MS }, NULL);
	nanosleep(&(struct timespec){ .tv_nsec = 200 * NS_PER_MS }, NULL);
	_exit(0);
}

static bool execute(struct sleeper *sleeper)
{
	print(sleeper);
	fflush(stdout);
	execlp("perl", "perl", "-e", "select undef, undef, undef, $_ for (0.001) x 50, 0.2", NULL);
	die("execute");
	return false;
}

static const struct order {
	const char *name;
	bool (*obey)(struct sleeper *sleeper);
} orders[] = { { "end", end }, { "name", rename_itself }, { "fork", begin_process }, { "exec", execute } };

static bool obey(struct sleeper *sleeper)
{
	const struct order *order = sleeper->order;

	if (!order)
		return true;
	sleeper->order = NULL;
	sem_post(&taken);
	return order->obey(sleeper);
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
	while (!stopped && obey(sleeper)) {
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

/* Until the input ends. Each order is taken before the next is read. */
static void pass_orders(struct sleeper **sleeper, unsigned threads)
{
	char line[64], name[16];
	unsigned place;

	while (fgets(line, sizeof(line), stdin)) {
		if (sscanf(line, "%15s %u", name, &place) != 2 || place >= threads)
			continue;
		for (size_t i = 0; i < sizeof(orders) / sizeof(*orders); i++) {
			if (strcmp(orders[i].name, name))
				continue;
			sleeper[place]->order = &orders[i];
			sem_wait(&taken);
		}
	}
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
	sem_init(&taken, 0, 0);
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
	pass_orders(sleeper, threads);
	stopped = true;
	for (unsigned i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	while (wait(NULL) > 0)
		;
	for (unsigned i = 0; i < threads; i++) {
		print(sleeper[i]);
		free(sleeper[i]);
	}
	return 0;
}
