// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A ring of processes that pass a token, as LMbench's lat_ctx does. The meter
 * is its first member; each hop of a lap is one wake-up.
 */
#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/instant.h"
#include "source/child.h"
#include "source/registry.h"
#include "source/ring_token.h"

#define OVERHEAD_NS UINT64_C(1000000)	/* the length of one try */
#define OVERHEAD_TRIES 10		/* others may interrupt a try, so the least of so many counts */
#define WORK_NS UINT64_C(10000000)	/* how long a real-time ring works before it rests for as long */
#define MAX_REST_NS UINT64_C(1000000000)	/* what looks like work may have been SIGSTOP */

/* The ring, and where the meter stands in it. */
struct laps {
	struct ring ring;
	bool warm;			/* all members have had the token and touched their arrays */
	bool out;			/* the token is with the others */
	unsigned returned;		/* how many hops of the last lap were returned */
	bool rests;			/* the policy is real-time */
	uint64_t work_ns;		/* when the work before the next rest began; 0: it has not begun */
	uint64_t rest_ns;		/* until when it rests; 0: it works */
};

/* Passes the token on until the pipe ends, or the meter kills this process. */
__attribute__((noreturn))
static void be_member(struct ring *ring, unsigned member)
{
	ring_own_array(ring);
	while (!ring_receive(ring, member))
		if (ring_send(ring, member, ring->hops[member].served_ns))
			break;
	_exit(EXIT_NOT_MEASURED);
}

static int fork_members(const struct source *source, struct ring *ring)
{
	for (unsigned member = 1; member < ring->processes; member++) {
		int ends[2];
		pid_t child;

		ring_ends(ring, member, ends);
		child = source_fork(source, ends, 2);
		if (child == 0)
			be_member(ring, member);
		if (child < 0)
			return -1;
	}
	return 0;
}

/* Returns 0, or -1 with errno. */
static int measure_overhead(const struct ring *ring, double overhead_ns[OVERHEAD_REPEATS])
{
	for (unsigned i = 0; i < OVERHEAD_REPEATS; i++) {
		overhead_ns[i] = INFINITY;
		for (unsigned try = 0; try < OVERHEAD_TRIES; try++)
			overhead_ns[i] = fmin(overhead_ns[i], ring_overhead_ns(ring, OVERHEAD_NS));
		if (overhead_ns[i] < 0)
			return -1;
	}
	return 0;
}

static void ring_finish(struct source *source)
{
	struct laps *laps = source->own;

	source_end_children(source);
	ring_close(&laps->ring);
	free(laps);
	source->own = NULL;
}

static int ring_start(struct source *source)
{
	struct laps *laps = source->own = calloc(1, sizeof(*laps));

	if (!laps) {
		warn("--source=ring: allocate memory: %m; free some");
		return -1;
	}
	laps->rests = sched_getscheduler(0) != SCHED_OTHER;
	if (ring_open(&laps->ring, source->processes, source->array_bytes) < 0 ||
	    measure_overhead(&laps->ring, source->overhead_ns) < 0)
		warn("--source=ring: join %u processes by pipes, with %u bytes each: %m; ask for fewer, or raise the "
		     "limit of open files (ulimit -n)", source->processes, (unsigned)source->array_bytes);
	else if (fork_members(source, &laps->ring) == 0)
		return 0;
	ring_finish(source);
	return -1;
}

/* A real-time ring never sleeps and would keep its CPU from all others. Returns 0, or -EINTR. */
static int rest(struct laps *laps)
{
	uint64_t now_ns = monotonic_ns(), worked_ns;
	struct timespec until;

	if (!laps->work_ns)
		laps->work_ns = now_ns;
	worked_ns = now_ns - laps->work_ns;
	if (!laps->rest_ns && worked_ns >= WORK_NS)
		laps->rest_ns = now_ns + (worked_ns < MAX_REST_NS ? worked_ns : MAX_REST_NS);
	if (!laps->rest_ns)
		return 0;
	until = timespec_from(laps->rest_ns);
	if (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL))
		return -EINTR;
	laps->rest_ns = laps->work_ns = 0;
	return 0;
}

/* Send the token round. After a signal, the next call continues where this one stopped. */
static int run_lap(struct laps *laps)
{
	int error;

	if (!laps->out) {
		error = laps->rests ? rest(laps) : 0;
		if (!error)
			error = ring_send(&laps->ring, 0, monotonic_ns());
		if (error)
			return error;
		laps->out = true;
	}
	error = ring_receive(&laps->ring, 0);
	laps->out = error;
	return error;
}

/* Return the hops of a lap one by one; the last is that to the meter. When all are returned, run the next lap. */
static int64_t ring_serve(struct source *source, struct wakeup *wakeup)
{
	struct laps *laps = source->own;
	const unsigned processes = laps->ring.processes;

	while (!laps->warm || laps->returned == processes) {
		int error = run_lap(laps);

		if (error)
			return error;
		laps->returned = laps->warm ? 0 : processes;
		laps->warm = true;
	}
	laps->returned++;
	wakeup->served_ns = laps->ring.hops[laps->returned % processes].served_ns;
	return 1;
}

static uint64_t ring_asked(struct source *source)
{
	const struct laps *laps = source->own;

	return laps->ring.hops[laps->returned % laps->ring.processes].asked_ns;
}

const struct source_ops source_ring = {
	.name = "ring",
	.measures = SINCE_ASKED,
	.ordinary = true,
	.is_ring = true,
	.child = "a process of the ring",
	.open = source_open_no_device,
	.start = ring_start,
	.serve = ring_serve,
	.asked = ring_asked,
	.finish = ring_finish,
	.stop = source_stop_nothing,
};
