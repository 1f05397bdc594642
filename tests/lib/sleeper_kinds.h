/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the threads of the program sleeper sleep. */
#ifndef SLEEPER_KINDS_H
#define SLEEPER_KINDS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#define NS_PER_S UINT64_C(1000000000)
#define NS_PER_MS 1000000
#define WAKEUPS_MAX 100000		/* of one thread; later ones are not kept */

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
	int epoll, event;		/* descriptors of an event loop */
	timer_t timer;
	long sleeps;			/* that has_slept() has counted */
	uint64_t realtime_ns;		/* how far CLOCK_REALTIME is ahead */
	pthread_mutex_t mutex;
	pthread_cond_t never;
	const struct order *volatile order;	/* what to do next; NULL: nothing */
	unsigned count;
	struct wakeup wakeup[WAKEUPS_MAX];
};

/* wait() returns after the instant that is due, and says how many more have passed. */
struct kind {
	const char *name;
	bool periodic;			/* its timer may expire while the thread does not wait for it */
	void (*prepare)(struct sleeper *sleeper);
	uint64_t (*wait)(struct sleeper *sleeper);
};

uint64_t clock_ns(clockid_t clock);

/* End the program, with this and errno. */
void die(const char *what);

/* Ends the program if there is no such kind. */
const struct kind *find_kind(const char *name);

#endif
