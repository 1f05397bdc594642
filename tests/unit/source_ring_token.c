// SPDX-License-Identifier: GPL-2.0-or-later
/* The token's hops, by a clock that advances by a microsecond each time it is read. */
#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "source/ring.c"
#include "tap.h"

#define US UINT64_C(1000)

static uint64_t time_ns;

/* The program calls this one: its own functions come before a library's of the same name. */
int clock_gettime(clockid_t id, struct timespec *time)
{
	(void)id;
	time_ns += US;
	*time = (struct timespec){ .tv_sec = time_ns / 1000000000, .tv_nsec = time_ns % 1000000000 };
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

	is(ring_open(&ring, 3, 4096), 0, "a ring of three members is opened");
	time_ns = 10 * US;
	ring_send(&ring, 0, 7 * US);
	ring_receive(&ring, 1);
	is_hop(&ring, 1, 7 * US, 11 * US, "the first hop, from the stamp that was sent");
	ring_send(&ring, 1, ring.hops[1].served_ns);
	time_ns = 50 * US;
	ring_receive(&ring, 2);
	is_hop(&ring, 2, 11 * US, 51 * US, "a hop that took long");
	ring_send(&ring, 2, ring.hops[2].served_ns);
	ring_receive(&ring, 0);
	is_hop(&ring, 0, 51 * US, 52 * US, "back at the first member");
	is_hop(&ring, 1, 7 * US, 11 * US, "the hop before stays as it was");
	free(ring.array);
}

static void test_end(void)
{
	struct ring ring;
	char token[5];

	ring_open(&ring, 2, 0);
	ok(!ring.array, "a ring without an array has none");
	ok(write(ring.ends[0][1], "token", 5) == 5 && read(ring.ends[1][0], token, 5) == 5,
	   "a member writes to the pipe that the next one reads from");
	ok(write(ring.ends[1][1], "token", 5) == 5 && read(ring.ends[0][0], token, 5) == 5,
	   "the last member writes to the first");
	close(ring.ends[0][1]);
	is(ring_receive(&ring, 1), -EPIPE, "a member whose predecessor is gone fails");
	is(ring_send(&ring, 0, 0), -EBADF, "a token that cannot be sent is an error");
}

static void test_overhead(void)
{
	struct ring ring;

	ring_open(&ring, 5, 0);
	is(ring_overhead_ns(&ring, 17 * US), 1000, "the overhead of a hop is what one process takes");
	is(ring.hops[17 % 5].served_ns - ring.hops[16 % 5].served_ns, 1000,
	   "the overhead is measured up to the seventeenth hop");
}

static unsigned pages_read;

/* The page may be read from now on. */
static void on_page(int signal, siginfo_t *info, void *context)
{
	size_t page = sysconf(_SC_PAGESIZE);

	(void)signal, (void)context;
	mprotect((void *)((uintptr_t)info->si_addr / page * page), page, PROT_READ);
	pages_read++;
}

static void test_array(void)
{
	const struct sigaction action = { .sa_sigaction = on_page, .sa_flags = SA_SIGINFO };
	size_t size = 64 * sysconf(_SC_PAGESIZE);
	struct ring ring;
	void *own;

	ring_open(&ring, 2, size);
	own = ring.array;
	ring.array = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	sigaction(SIGSEGV, &action, NULL);
	ring_send(&ring, 0, US);
	is(pages_read, 0, "a member that sends reads no array");
	ring_receive(&ring, 1);
	is(pages_read, 64, "a member that receives reads all of its array");
	munmap(ring.array, size);
	free(own);
}

int main(void)
{
	test_lap();
	test_end();
	test_overhead();
	test_array();
	return done();
}
