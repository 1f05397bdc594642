// SPDX-License-Identifier: GPL-2.0-or-later
/* The token's hops, by a clock that advances by a microsecond each time it is read. */
#include <errno.h>
#include <math.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "source/ring_token.h"
#include "tap.h"

#define US UINT64_C(1000)

#ifndef SYS_clock_gettime64		/* which only 32-bit machines have, for 64-bit time */
#define SYS_clock_gettime64 SYS_clock_gettime
#endif

static uint64_t now_ns;
static bool real;

/* The program calls this one: its own functions come before a library's of the same name. */
int clock_gettime(clockid_t id, struct timespec *time)
{
	if (real)
		return syscall(SYS_clock_gettime64, id, time);
	now_ns += US;
	*time = (struct timespec){ .tv_sec = now_ns / 1000000000, .tv_nsec = now_ns % 1000000000 };
	return 0;
}

static void is_hop(const struct ring *ring, unsigned member, uint64_t asked_ns, uint64_t served_ns, const char *name)
{
	is(ring->hops[member].asked_ns, asked_ns, "%s: asked", name);
	is(ring->hops[member].served_ns, served_ns, "%s: served", name);
}

/* One process plays all members, one after the other. */
static void test_lap(void)
{
	struct ring ring;

	is(ring_open(&ring, 3, 4096), 0, "three members");
	now_ns = 10 * US;
	ring_send(&ring, 0, 7 * US);
	ring_receive(&ring, 1);
	is_hop(&ring, 1, 7 * US, 11 * US, "the first hop, from the stamp that was sent");
	ring_send(&ring, 1, ring.hops[1].served_ns);
	now_ns = 50 * US;
	ring_receive(&ring, 2);
	is_hop(&ring, 2, 11 * US, 51 * US, "a late one");
	ring_send(&ring, 2, ring.hops[2].served_ns);
	ring_receive(&ring, 0);
	is_hop(&ring, 0, 51 * US, 52 * US, "back at the first member");
	is_hop(&ring, 1, 7 * US, 11 * US, "and the others stay");
	ring_close(&ring);
	ok(!ring.pipes && !ring.hops && !ring.array, "nothing is left");
}

static void test_end(void)
{
	struct ring ring;
	int ends[2], last[2];

	ring_open(&ring, 2, 0);
	ok(!ring.array, "no array");
	ring_ends(&ring, 0, ends);
	ring_ends(&ring, 1, last);
	is(ends[0], ring.pipes[0][0], "a member reads from its own pipe");
	is(ends[1], ring.pipes[1][1], "and writes to the next");
	is(last[1], ring.pipes[0][1], "the last to the first");
	close(ends[1]);
	is(ring_receive(&ring, 1), -EPIPE, "nobody is left to write");
	is(ring_send(&ring, 0, 0), -EBADF, "a failure is told");
	ring.pipes[1][1] = -1;
	ring_close(&ring);
}

/* The least of five tries: in the others another process may have had the CPU. */
static double least_overhead_ns(const struct ring *ring)
{
	double least_ns = INFINITY;

	for (int i = 0; i < 5; i++)
		least_ns = fmin(least_ns, ring_overhead_ns(ring, 1000 * US));
	return least_ns;
}

static long switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_nvcsw;
}

/* Each hop reads the clock once, with and without an array. */
static void test_overhead(void)
{
	struct ring without, with;
	double without_ns, with_ns;
	long before;

	ring_open(&without, 5, 0);
	ring_open(&with, 5, 4 * 1024 * 1024);
	is(ring_overhead_ns(&without, 17 * US), 1000, "as long as a hop by one process takes");
	is(without.hops[17 % 5].served_ns - without.hops[16 % 5].served_ns, 1000, "the seventeenth");
	before = switches();
	ring_overhead_ns(&without, 1000 * US);
	ok(switches() - before < 100, "a thousand hops do not wait for another process");
	real = true;
	without_ns = least_overhead_ns(&without);
	with_ns = least_overhead_ns(&with);
	ok(with_ns > 5 * without_ns, "the array is summed: %.0f ns, and %.0f without", with_ns, without_ns);
	real = false;
	ring_close(&with);
	ring_close(&without);
}

int main(void)
{
	test_lap();
	test_end();
	test_overhead();
	return done();
}
