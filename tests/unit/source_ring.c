// SPDX-License-Identifier: GPL-2.0-or-later
/* A ring of processes, as the loop sees it: each hop begins with the stamp of the one before. */
#include <errno.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "host/children.h"
#include "measure/clock.h"
#include "host/privilege.h"
#include "source/registry.h"
#include "tap.h"

#define LAPS 50

static struct caller caller;
static struct children children;

static void begin(struct source *source, unsigned processes, uint32_t array_bytes)
{
	children.count = 0;
	*source = (struct source){
		.children = &children, .ops = &source_ring, .processes = processes, .array_bytes = array_bytes,
		.caller = &caller, .unlocked = true,
	};
	is(source->ops->start(source), 0, "%u processes", processes);
}

static void test_laps(unsigned processes, uint32_t array_bytes)
{
	uint64_t before_ns = monotonic_ns(), previous_ns = 0;
	unsigned served = 0, gaps = 0, backwards = 0;
	struct source source;

	begin(&source, processes, array_bytes);
	for (unsigned hop = 0; hop < LAPS * processes; hop++) {
		uint64_t asked_ns;

		served += source.ops->wait(&source, 0) == 1;
		asked_ns = source.ops->asked(&source);
		gaps += hop % processes && asked_ns != previous_ns;
		backwards += asked_ns < previous_ns || source.served_ns <= asked_ns;
		previous_ns = source.served_ns;
	}
	is(served, LAPS * processes, "each wait serves one hop");
	is(gaps, 0, "within a lap each hop begins when the one before ends");
	is(backwards, 0, "and none before it");
	ok(previous_ns > before_ns && previous_ns <= monotonic_ns(), "on the clock of all");
	for (unsigned i = 0; i < OVERHEAD_REPEATS; i++)
		ok(source.overhead_ns[i] > 0, "overhead %u: %.0f ns", i + 1, source.overhead_ns[i]);
	source.ops->finish(&source);
}

static void on_alarm(int signal)
{
	(void)signal;
}

/* The wait is interrupted in the middle of a lap, again and again, and no hop is lost. */
static void test_interrupted(void)
{
	const struct sigaction action = { .sa_handler = on_alarm };
	const struct itimerval often = { { 0, 1000 }, { 0, 1000 } }, never = { { 0, 0 }, { 0, 0 } };
	unsigned interrupted = 0, gaps = 0, hops = 0;
	uint64_t previous_ns = 0;
	struct source source;
	int64_t result = 1;

	sigaction(SIGALRM, &action, NULL);
	begin(&source, 4, 1024 * 1024);
	setitimer(ITIMER_REAL, &often, NULL);
	while ((interrupted < 10 || hops < 40) && (result == 1 || result == -EINTR)) {
		result = source.ops->wait(&source, 0);
		interrupted += result == -EINTR;
		if (result != 1)
			continue;
		gaps += hops++ % 4 && source.ops->asked(&source) != previous_ns;
		previous_ns = source.served_ns;
	}
	setitimer(ITIMER_REAL, &never, NULL);
	ok(interrupted >= 10 && hops >= 40, "%u signals interrupt the wait", interrupted);
	is(gaps, 0, "and the lap goes on: %u hops", hops);
	source.ops->finish(&source);
}

int main(void)
{
	caller = (struct caller){ .uid = getuid(), .gid = getgid() };
	test_laps(2, 0);
	test_laps(7, 65536);
	test_interrupted();
	return done();
}
