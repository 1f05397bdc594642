// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Threads that are late for a reason that is known: laggard KIND, until it is
 * killed. Two seconds after its start something happens ten times, at eight
 * phases of the ms in which its threads are due. KIND is
 *
 *	overrun   'loop' works for 8.8 ms each 200th ms
 *	catch_up  'loop' works for 38.5 ms once, before the two seconds are over, and
 *		  is then late for all that it missed; each quarter of a second
 *		  'hog' takes the CPU from it for 2.5 ms
 *	lock      'ctl' takes a lock each ms, which 'logger' has for 1.5 ms, 20 times a
 *	          second; half a ms later 'hog' takes the CPU from that for 4 ms
 *	two       'hog' takes the CPU from 'audio' for 2.5 ms, ten times a second;
 *	          'ui' works for 8.8 ms each 200th ms
 *	give_up   'giver' works for 3 ms at a high priority, ten times a second, and gives
 *	          it up until it has worked for another
 *	timer     'tracer' empties the kernel's trace, ten times a second: if that has
 *		  much room, the kernel keeps interrupts off for some ms
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define US UINT64_C(1000)
#define MS (1000 * US)
#define S (1000 * MS)
#define GIVEN 70			/* priority */
#define QUIET_MS 2000
#define TIMES 10
#define PHASES 8

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t begin_ns;

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * S + now.tv_nsec;
}

static void work(uint64_t ns)
{
	for (uint64_t end_ns = now_ns() + ns; now_ns() < end_ns;)
		;
}

/* Without a priority: an ordinary thread. */
static void take_priority(int priority)
{
	const struct sched_param param = { .sched_priority = priority };

	if ((errno = pthread_setschedparam(pthread_self(), priority ? SCHED_FIFO : SCHED_OTHER, &param))) {
		perror("laggard: pthread_setschedparam");
		exit(1);
	}
}

struct role {
	const char *name;
	int priority;
	uint64_t period_ns, later_ns;	/* its first time is so much after the others' */
	void (*act)(uint64_t number);
};

/* What happens less often than each ms is what makes late. */
static bool makes_late(const struct role *role)
{
	return role->period_ns > MS;
}

static uint64_t due_ns(const struct role *role, uint64_t number)
{
	uint64_t ns = begin_ns + role->later_ns + number * role->period_ns;

	return makes_late(role) ? ns + QUIET_MS * MS + number % PHASES * MS / PHASES : ns;
}

static void *play(void *own)
{
	const struct role *role = own;

	prctl(PR_SET_NAME, role->name);
	take_priority(role->priority);
	for (uint64_t number = 0;; number++) {
		uint64_t ns = due_ns(role, number);

		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME,
				&(struct timespec){ .tv_sec = ns / S, .tv_nsec = ns % S }, NULL);
		if (makes_late(role) && number == TIMES)
			break;
		role->act(number);
	}
	take_priority(0);		/* lest the end of the process make late, too */
	pause();
	return NULL;
}

static void rest(uint64_t number)
{
	(void)number;
}

static void overrun(uint64_t number)
{
	if (number >= QUIET_MS && number < QUIET_MS + TIMES * 200 && number % 200 == 0)
		work(8800 * US);
}

static void stall_once(uint64_t number)
{
	if (number == QUIET_MS - 100)
		work(38500 * US);
}

static void take_cpu(uint64_t number)
{
	(void)number;
	work(2500 * US);
}

static void take_cpu_longer(uint64_t number)
{
	(void)number;
	work(4 * MS);
}

static void hold(uint64_t number)
{
	(void)number;
	pthread_mutex_lock(&lock);
	work(1500 * US);
	pthread_mutex_unlock(&lock);
}

static void pass(uint64_t number)
{
	(void)number;
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
}

static void give_up(uint64_t number)
{
	(void)number;
	work(3 * MS);
	take_priority(0);
	work(MS);
	take_priority(GIVEN);
}

static void empty_trace(uint64_t number)
{
	int fd = open("/sys/kernel/tracing/trace", O_WRONLY | O_TRUNC);

	(void)number;
	if (fd < 0) {
		perror("laggard: open the trace");
		exit(1);
	}
	close(fd);
}

static const struct kind {
	const char *name;
	struct role role[3];
} kinds[] = {
	{ "overrun", { { "loop", 50, MS, 0, overrun } } },
	{ "catch_up", { { "loop", 50, MS, 0, stall_once }, { "hog", 70, 250 * MS, 100 * US, take_cpu } } },
	{ "lock", { { "ctl", 50, MS, 0, pass }, { "logger", 10, 50 * MS, 100 * US, hold },
		    { "hog", 30, 50 * MS, 600 * US, take_cpu_longer } } },
	{ "two", { { "audio", 70, MS, 0, rest }, { "ui", 20, MS, 500 * US, overrun },
		   { "hog", 80, 100 * MS, 50 * MS + 100 * US, take_cpu } } },
	{ "give_up", { { "giver", GIVEN, 100 * MS, 100 * US, give_up } } },
	{ "timer", { { "loop", 50, MS, 0, rest }, { "tracer", 0, 100 * MS, 100 * US, empty_trace } } },
};

int main(int argc, char **argv)
{
	const struct kind *kind = kinds, *end = kinds + sizeof(kinds) / sizeof(*kinds);

	while (kind < end && (argc != 2 || strcmp(kind->name, argv[1])))
		kind++;
	if (kind == end) {
		fprintf(stderr, "usage: laggard overrun|catch_up|lock|two|give_up|timer\n");
		return 2;
	}
	mlockall(MCL_CURRENT | MCL_FUTURE);
	begin_ns = (now_ns() / MS + 100) * MS;
	for (unsigned i = 1; i < 3 && kind->role[i].name; i++) {
		pthread_t thread;

		if ((errno = pthread_create(&thread, NULL, play, (void *)&kind->role[i]))) {
			perror("laggard: pthread_create");
			return 1;
		}
	}
	play((void *)&kind->role[0]);
	return 0;
}
