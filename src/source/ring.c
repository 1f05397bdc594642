// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/diag.h"
#include "measure/clock.h"
#include "source/child.h"
#include "source/registry.h"
#include "source/ring_token.h"

#define OVERHEAD_NS UINT64_C(1000000)	/* for so long, and in */
#define OVERHEAD_TRIES 10		/* each repeat so often, for others may interrupt */
#define WORK_NS UINT64_C(10000000)	/* of a real-time ring, between two rests as long */
#define MAX_REST_NS UINT64_C(1000000000)	/* for what seems to be work may have been SIGSTOP */

/* The ring, and where its first member, which is the meter, stands with it. */
struct source_ring {
	struct ring ring;
	bool warm;			/* all members have had the token, and their arrays */
	bool out;			/* the token is with the others */
	unsigned told;			/* hops of the last lap that were told to the loop */
	bool rests;			/* its policy is real-time */
	uint64_t work_ns, rest_ns;	/* since when it works, or 0; until when it rests, or 0 */
};

/* The life of the others, who end when the pipe does or when they are killed. */
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
	for (unsigned member = 1; member < ring->cell.processes; member++) {
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

static void ring_finish(struct source *source)
{
	struct source_ring *own = source->own;

	source_end_children(source);
	ring_close(&own->ring);
	free(own);
	source->own = NULL;
}

/* Returns the least of some tries in ns, or -1 with errno. */
static double overhead_ns(const struct ring *ring)
{
	double least_ns = INFINITY;

	for (unsigned i = 0; i < OVERHEAD_TRIES; i++)
		least_ns = fmin(least_ns, ring_overhead_ns(ring, OVERHEAD_NS));
	return least_ns;
}

static int open_ring(struct source *source)
{
	struct source_ring *own = source->own;
	struct ring *ring = &own->ring;

	if (ring_open(ring, &source->cell) < 0)
		return -1;
	for (unsigned i = 0; i < OVERHEAD_REPEATS; i++)
		if ((source->overhead_ns[i] = overhead_ns(ring)) < 0)
			return -1;
	return 0;
}

static int ring_start(struct source *source)
{
	const struct cell *cell = &source->cell;
	struct source_ring *own;

	own = source->own = calloc(1, sizeof(*own));
	if (!own) {
		warn("--source=ring: allocate memory: %m; free some");
		return -1;
	}
	own->rests = sched_getscheduler(0) != SCHED_OTHER;
	if (open_ring(source) < 0) {
		warn("--source=ring: join %u processes by pipes, with %u bytes each: %m; ask for fewer, or raise the "
		     "limit of open files (ulimit -n)", cell->processes, (unsigned)cell->array_bytes);
	} else if (fork_members(source, &own->ring) == 0) {
		return 0;
	}
	ring_finish(source);
	return -1;
}

/* A real-time ring, which waits for nothing but itself, would keep its CPU from all others. Returns 0, or -EINTR. */
static int rest(struct source_ring *own)
{
	uint64_t now_ns = monotonic_ns(), worked_ns;
	struct timespec until;

	if (!own->work_ns)
		own->work_ns = now_ns;
	worked_ns = now_ns - own->work_ns;
	if (!own->rest_ns && worked_ns >= WORK_NS)
		own->rest_ns = now_ns + (worked_ns < MAX_REST_NS ? worked_ns : MAX_REST_NS);
	if (!own->rest_ns)
		return 0;
	until = timespec_from(own->rest_ns);
	if (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL))
		return -EINTR;
	own->rest_ns = own->work_ns = 0;
	return 0;
}

/* Send the token round. What a signal interrupts goes on with the next call. */
static int lap(struct source_ring *own)
{
	int error;

	if (!own->out) {
		error = own->rests ? rest(own) : 0;
		if (!error)
			error = ring_send(&own->ring, 0, monotonic_ns());
		if (error)
			return error;
		own->out = true;
	}
	error = ring_receive(&own->ring, 0);
	own->out = error;
	return error;
}

/* The hops of a lap one by one; the last is that to the first member. The next lap begins when all are told. */
static int64_t ring_wait(struct source *source, uint64_t due_ns)
{
	struct source_ring *own = source->own;
	const unsigned processes = own->ring.cell.processes;

	(void)due_ns;
	while (!own->warm || own->told == processes) {
		int error = lap(own);

		if (error)
			return error;
		own->told = own->warm ? 0 : processes;
		own->warm = true;
	}
	own->told++;
	source->served_ns = own->ring.hops[own->told % processes].served_ns;
	return 1;
}

static uint64_t ring_asked(struct source *source)
{
	const struct source_ring *own = source->own;

	return own->ring.hops[own->told % own->ring.cell.processes].asked_ns;
}

const struct source_ops source_ring = {
	.name = "ring",
	.measures = SINCE_ASKED,
	.ordinary = true,
	.in_cells = true,
	.child = "a process of the ring",
	.open = source_open_no_device,
	.start = ring_start,
	.wait = ring_wait,
	.asked = ring_asked,
	.finish = ring_finish,
	.stop = source_stop_nothing,
};
