// SPDX-License-Identifier: GPL-2.0-or-later
/* How long a real-time ring rests, by a clock that the test sets. */
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include "base/instant.h"
#include "host/privilege.h"
#include "host/process.h"
#include "source/registry.h"
#include "tap.h"

#define MS UINT64_C(1000000)

static uint64_t now_ns, slept_ns;

/* The program calls this one: its own functions come before a library's of the same name. */
int clock_gettime(clockid_t id, struct timespec *time)
{
	(void)id;
	*time = timespec_from(now_ns += 1000);
	return 0;
}

int clock_nanosleep(clockid_t id, int flags, const struct timespec *until, struct timespec *left)
{
	uint64_t until_ns = until->tv_sec * UINT64_C(1000000000) + until->tv_nsec;

	(void)id;
	(void)flags;
	(void)left;
	slept_ns = until_ns - now_ns;
	now_ns = until_ns;
	return 0;
}

int sched_getscheduler(pid_t pid)
{
	(void)pid;
	return SCHED_FIFO;
}

/* Wait for hops until the ring rests. Returns for how long it does, in ns; 0: it does not. */
static uint64_t rest_ns(struct source *source)
{
	struct wakeup wakeup;

	slept_ns = 0;
	for (unsigned hops = 0; hops < 100000 && !slept_ns; hops++)
		if (source->ops->serve(source, &wakeup) != 1)
			return 0;
	return slept_ns;
}

int main(void)
{
	const struct caller caller = { .uid = getuid(), .gid = getgid() };
	struct children children = { .count = 0 };
	struct source source = {
		.ops = &source_ring, .processes = 2, .caller = &caller, .unlocked = true, .children = &children,
	};
	struct wakeup wakeup;
	uint64_t rested_ns;

	is(source.ops->start(&source), 0, "a ring of two processes starts");
	rested_ns = rest_ns(&source);
	ok(rested_ns >= 10 * MS && rested_ns < 11 * MS, "a ring rests as long as it worked: %.3f ms", rested_ns / 1e6);
	source.ops->serve(&source, &wakeup);
	source.ops->serve(&source, &wakeup);
	now_ns += 500 * MS;
	rested_ns = rest_ns(&source);
	ok(rested_ns >= 500 * MS && rested_ns < 511 * MS,
	   "a ring rests long after a long lap: %.3f ms", rested_ns / 1e6);
	source.ops->serve(&source, &wakeup);
	source.ops->serve(&source, &wakeup);
	now_ns += 3600000 * MS;
	is(rest_ns(&source), 1000 * MS, "a ring that was stopped for an hour rests for a second");
	source.ops->finish(&source);
	return done();
}
