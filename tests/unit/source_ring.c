// SPDX-License-Identifier: GPL-2.0-or-later
/* A ring of processes, as the loop sees it: each hop begins with the stamp of the one before. They share a clock. */
#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "host/privilege.h"
#include "host/process.h"
#include "measure/clock.h"
#include "source/registry.h"
#include "tap.h"

#define LAPS 50

static struct caller caller;
static struct children children;
static _Atomic uint64_t *now_ns;	/* of all processes */
static pid_t interrupted_one;		/* each other read of this process is interrupted; 0: none is */
static unsigned reads;

/* In place of the C library's: the clock advances by 1 us each time that it is read. */
int clock_gettime(clockid_t id, struct timespec *time)
{
	(void)id;
	*time = timespec_from(*now_ns += 1000);
	return 0;
}

ssize_t read(int fd, void *data, size_t size)
{
	if (getpid() != interrupted_one || reads++ % 2)
		return syscall(SYS_read, fd, data, size);
	errno = EINTR;
	return -1;
}

static void begin(struct source *source, unsigned processes, uint32_t array_bytes)
{
	children.count = 0;
	*source = (struct source){
		.children = &children, .ops = &source_ring, .processes = processes, .array_bytes = array_bytes,
		.caller = &caller, .unlocked = true,
	};
	is(source->ops->start(source), 0, "a ring of %u processes starts", processes);
}

static void test_laps(unsigned processes, uint32_t array_bytes)
{
	unsigned served = 0, gaps = 0, unlike = 0;
	uint64_t previous_ns = 0;
	struct source source;

	begin(&source, processes, array_bytes);
	for (unsigned hop = 0; hop < LAPS * processes; hop++) {
		struct wakeup wakeup;
		uint64_t asked_ns;

		served += source.ops->serve(&source, &wakeup) == 1;
		asked_ns = source.ops->asked(&source);
		gaps += hop % processes && asked_ns != previous_ns;
		unlike += asked_ns < previous_ns || wakeup.served_ns != asked_ns + 1000;
		previous_ns = wakeup.served_ns;
	}
	is(served, LAPS * processes, "each wait serves one hop");
	is(gaps, 0, "each hop of a lap begins when the one before ends");
	is(unlike, 0, "each hop takes what its reading of the clock does");
	for (unsigned i = 0; i < OVERHEAD_REPEATS; i++)
		ok(source.overhead_ns[i] == 1000,
		   "the overhead of a hop, try %u: %.0f ns", i + 1, source.overhead_ns[i]);
	source.ops->finish(&source);
}

/* The wait is interrupted in the middle of each lap, and no hop is lost. */
static void test_interrupted(void)
{
	unsigned interrupted = 0, gaps = 0, hops = 0;
	uint64_t previous_ns = 0;
	struct source source;
	int64_t result = 1;

	begin(&source, 4, 0);
	interrupted_one = getpid();
	while (hops < 40 && (result == 1 || result == -EINTR)) {
		struct wakeup wakeup;

		result = source.ops->serve(&source, &wakeup);
		interrupted += result == -EINTR;
		if (result != 1)
			continue;
		gaps += hops++ % 4 && source.ops->asked(&source) != previous_ns;
		previous_ns = wakeup.served_ns;
	}
	interrupted_one = 0;
	is(interrupted, 1 + 40 / 4, "each lap is interrupted once");
	is(gaps, 0, "a lap goes on after an interruption: %u hops", hops);
	source.ops->finish(&source);
}

int main(void)
{
	now_ns = mmap(NULL, sizeof(*now_ns), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	caller = (struct caller){ .uid = getuid(), .gid = getgid() };
	test_laps(2, 0);
	test_interrupted();
	test_laps(7, 4096);
	return done();
}
