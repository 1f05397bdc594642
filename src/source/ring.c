// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A ring of processes that pass a token, as LMbench's lat_ctx does. The meter
 * is its first member; each hop of a lap is one wake-up.
 *
 * A member that receives the token from its pipe sums an array, stamps the hop, and
 * sends the token on with the same stamp; so a lap is the sum of its hops.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/instant.h"
#include "host/process.h"
#include "source/registry.h"

#define OVERHEAD_NS UINT64_C(1000000)	/* the length of one try */
#define OVERHEAD_TRIES 10		/* others may interrupt a try, so the shortest counts */
#define WORK_NS UINT64_C(10000000)	/* how long a real-time ring works before it rests for as long */
#define MAX_REST_NS UINT64_C(1000000000)	/* what looks like work may have been SIGSTOP */

/* The ring, and the meter's place in it. */
struct ring {
	unsigned processes;
	uint32_t array_bytes;
	uint32_t *array;		/* of this process; NULL: array_bytes is 0 */
	int ends[CHILDREN_MAX + 1][2];	/* what a member reads from, and writes to: the pipe of the next */
	struct hop {
		uint64_t asked_ns;	/* before the token was written */
		uint64_t served_ns;	/* after it was read, and the array summed */
	} *hops;			/* hop i is the last one to member i; in shared memory */

	bool warm;			/* all members have had the token and touched their arrays */
	bool out;			/* the token is with the others */
	unsigned returned;		/* how many hops of the last lap were returned */
	bool rests;			/* the policy is real-time */
	uint64_t work_ns;		/* when the work before the next rest began; 0: it has not begun */
	uint64_t rest_ns;		/* when its rest ends; 0: it works */
};

/* The sum is stored here, or the compiler would leave it out. */
static volatile uint32_t sink;

/* Returns 0, or -1 with errno. The array is touched. It all ends with the process. */
static int ring_open(struct ring *ring, unsigned processes, uint32_t array_bytes)
{
	*ring = (struct ring){
		.processes = processes, .array_bytes = array_bytes,
		.array = array_bytes ? malloc(array_bytes) : NULL,
		.hops = shared_create(processes * sizeof(*ring->hops)),
	};
	if (!ring->hops || (array_bytes && !ring->array))
		return -1;
	if (ring->array)
		memset(ring->array, 1, array_bytes);
	for (unsigned i = 0; i < processes; i++) {
		int pipe[2];

		if (pipe2(pipe, O_CLOEXEC) < 0)
			return -1;
		ring->ends[i][0] = pipe[0];
		ring->ends[(i + processes - 1) % processes][1] = pipe[1];
	}
	return 0;
}

/* Returns 0, or a negative errno. */
static int ring_send(const struct ring *ring, unsigned member, uint64_t asked_ns)
{
	return write(ring->ends[member][1], &asked_ns, sizeof(asked_ns)) == sizeof(asked_ns) ? 0 : -errno;
}

/* Await the token, sum the array, stamp the hop. Returns 0, or a negative errno; -EPIPE: the pipe has ended. */
static int ring_receive(const struct ring *ring, unsigned member)
{
	const uint32_t *word = ring->array, *end = word ? word + ring->array_bytes / sizeof(*word) : NULL;
	uint64_t asked_ns;
	uint32_t sum = 0;
	ssize_t count = read(ring->ends[member][0], &asked_ns, sizeof(asked_ns));

	if (count != sizeof(asked_ns))
		return count < 0 ? -errno : -EPIPE;
	while (word < end)
		sum += *word++;
	sink = sum;
	ring->hops[member] = (struct hop){ asked_ns, monotonic_ns() };
	return 0;
}

/*
 * What a hop costs without a switch of processes: this process plays all
 * members, over the same pipes. Returns the mean in ns, or -1 with errno.
 */
static double ring_overhead_ns(const struct ring *ring, uint64_t duration_ns)
{
	uint64_t begun_ns = monotonic_ns(), now_ns = begun_ns, count = 0;

	for (unsigned from = 0, to; now_ns - begun_ns < duration_ns; from = to) {
		int error = ring_send(ring, from, now_ns);

		to = (from + 1) % ring->processes;
		if (!error)
			error = ring_receive(ring, to);
		if (error) {
			errno = -error;
			return -1;
		}
		now_ns = ring->hops[to].served_ns;
		count++;
	}
	return (double)(now_ns - begun_ns) / count;
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

/* Each member passes the token on until the pipe ends, or the meter kills it. */
static int ring_start(struct source *source)
{
	static struct ring ring;
	pid_t child = 1;

	if (ring_open(&ring, source->processes, source->array_bytes) < 0 ||
	    measure_overhead(&ring, source->overhead_ns) < 0)
		return fail(EXIT_NOT_MEASURED, "--source=ring: connect %u processes by pipes of %" PRIu32 " bytes "
			    "each: %m; ask for fewer, or raise the limit on open files (ulimit -n)",
			    source->processes, source->array_bytes);
	for (unsigned member = 1; child > 0 && member < ring.processes; member++) {
		child = source_fork(source, ring.ends[member], 2);
		if (child)
			continue;
		if (ring.array)
			memset(ring.array, 1, ring.array_bytes);	/* no longer in pages shared with the meter */
		while (!ring_receive(&ring, member) && !ring_send(&ring, member, ring.hops[member].served_ns))
			;
		_exit(EXIT_NOT_MEASURED);
	}
	ring.rests = sched_getscheduler(0) != SCHED_OTHER;
	source->private = &ring;
	return child < 0 ? EXIT_NOT_MEASURED : EXIT_MEASURED;
}

/* A real-time ring never sleeps and would keep its CPU from all others. Returns 0, or -EINTR. */
static int rest(struct ring *ring)
{
	uint64_t now_ns = monotonic_ns(), worked_ns;
	struct timespec until;

	if (!ring->work_ns)
		ring->work_ns = now_ns;
	worked_ns = now_ns - ring->work_ns;
	if (!ring->rest_ns && worked_ns >= WORK_NS)
		ring->rest_ns = now_ns + (worked_ns < MAX_REST_NS ? worked_ns : MAX_REST_NS);
	if (!ring->rest_ns)
		return 0;
	until = timespec_from(ring->rest_ns);
	if (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL))
		return -EINTR;
	ring->rest_ns = ring->work_ns = 0;
	return 0;
}

/* Send the token round. After a signal, the next call continues where this one stopped. */
static int run_lap(struct ring *ring)
{
	int error;

	if (!ring->out) {
		error = ring->rests ? rest(ring) : 0;
		if (!error)
			error = ring_send(ring, 0, monotonic_ns());
		if (error)
			return error;
		ring->out = true;
	}
	error = ring_receive(ring, 0);
	ring->out = error;
	return error;
}

/* Return the hops of a lap one by one; the last is the hop to the meter. When all are returned, run the next lap. */
static int64_t ring_serve(struct source *source, struct wakeup *wakeup)
{
	struct ring *ring = source->private;

	while (!ring->warm || ring->returned == ring->processes) {
		int error = run_lap(ring);

		if (error)
			return error;
		ring->returned = ring->warm ? 0 : ring->processes;
		ring->warm = true;
	}
	ring->returned++;
	wakeup->served_ns = ring->hops[ring->returned % ring->processes].served_ns;
	return 1;
}

static uint64_t ring_asked(struct source *source)
{
	const struct ring *ring = source->private;

	return ring->hops[ring->returned % ring->processes].asked_ns;
}

const struct source_ops source_ring = {
	.name = "ring",
	.measures = SINCE_ASKED,
	.ordinary = true,
	.is_ring = true,
	.child = "a process of the ring",
	.start = ring_start,
	.serve = ring_serve,
	.asked = ring_asked,
	.finish = source_end_children,
};
