// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Another process, the waker, asks the meter to wake up. The waker has a higher priority and keeps the schedule; the
 * meter only knows when it was asked.
 *
 * An eventfd counts the requests, so none is lost however late they are taken; a futex would wake without counting.
 * Each is stamped when it is made, in a ring: the stamp of a request that is taken too late is overwritten.
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/instant.h"
#include "base/text.h"
#include "host/privilege.h"
#include "host/process.h"
#include "measure/lossy_ring.h"
#include "source/registry.h"

#define REST_NS 50000		/* the shortest rest; longer than the kernel needs for a sleep */
#define SLOTS 32768
#define ROOM (SLOTS - 1)	/* stamps that are kept: 16 s at 2048 Hz */

struct requests {
	int counter;		/* the eventfd */
	struct stamps {
		struct lossy_ring ring;
		uint64_t at_ns[SLOTS];
	} *stamps;		/* in shared memory */
	uint64_t next;		/* number of the next request that this process makes or takes */
};

/* Without room for all, the oldest get no stamp. The reader must see that before a slot is overwritten. */
static void make_requests(struct requests *requests, uint64_t count, uint64_t now_ns)
{
	struct stamps *stamps = requests->stamps;
	uint64_t end = requests->next + count;

	if (count > ROOM) {
		requests->next = end - ROOM;
		lossy_ring_end(&stamps->ring, requests->next - 1);
	}
	for (; requests->next < end; requests->next++) {
		uint64_t number = lossy_ring_begin(&stamps->ring);

		stamps->at_ns[number % SLOTS] = now_ns;
		lossy_ring_end(&stamps->ring, number);
	}
	if (write(requests->counter, &count, sizeof(count)) < 0)
		_exit(1);
}

/* When the request with this number is due; the first is number 0. */
static uint64_t request_due_ns(const struct source *source, uint64_t number)
{
	return source->anchor_ns + (number + 1) * source->period_ns;
}

/* How many requests are due at an instant after the start of the schedule. */
static uint64_t requests_due(const struct source *source, uint64_t now_ns)
{
	return (now_ns - source->anchor_ns) / source->period_ns;
}

/*
 * The waker may have the meter's CPU, where it preempts everything. So it rests at least REST_NS longer than it was
 * awake, whatever is due meanwhile. It checks that the meter lives before it asks, because the meter runs only when
 * it rests.
 */
__attribute__((noreturn))
static void be_waker(struct source *source)
{
	struct requests *requests = source->private;
	uint64_t next = 0;

	prctl(PR_SET_NAME, "realfeel-waker");
	for (;;) {
		const struct timespec due = timespec_from(request_due_ns(source, next));
		uint64_t now_ns, end_ns;
		int error;

		do
			error = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
		while (error == EINTR);
		if (error || !source_child_is_wanted())
			_exit(error ? EXIT_NOT_MEASURED : EXIT_MEASURED);
		now_ns = monotonic_ns();
		make_requests(requests, requests_due(source, now_ns) - requests->next, now_ns);
		end_ns = monotonic_ns();
		next = requests_due(source, end_ns + (end_ns - now_ns) + REST_NS);
	}
}

/* Give the waker its CPU and its policy. If one is refused here, the preflight has named the remedy. */
static void place_waker(const struct waker *as, pid_t waker, struct rights *rights)
{
	const struct sched_param param = { .sched_priority = as->priority };
	struct sched_state state;
	char cpu[16] = "any";
	cpu_set_t set;

	CPU_ZERO(&set);
	if (as->cpu >= 0)
		CPU_SET(as->cpu, &set);
	if (as->cpu >= 0 && sched_setaffinity(waker, sizeof(set), &set) < 0)
		text_append(rights->refused, sizeof(rights->refused), "%sbind the waker to CPU %d: %s",
			    *rights->refused ? "; " : "", as->cpu, strerror(errno));
	if (sched_setscheduler(waker, SCHED_FIFO, &param) < 0)
		text_append(rights->refused, sizeof(rights->refused), "%stake SCHED_FIFO %d for the waker: %s",
			    *rights->refused ? "; " : "", as->priority, strerror(errno));
	sched_state_read(waker, &state);
	if (state.cpus == 1)
		snprintf(cpu, sizeof(cpu), "%d", state.first_cpu);
	text_append(rights->granted, sizeof(rights->granted), "waker: %s %d\nwaker_cpu: %s\n",
		    sched_state_policy_name(state.policy), state.priority, cpu);
}

static int thread_start(struct source *source)
{
	static struct requests requests;

	source_start_timer(source);
	source->private = &requests;
	requests = (struct requests){
		.counter = eventfd(0, EFD_CLOEXEC), .stamps = shared_create(sizeof(*requests.stamps)),
	};
	if (requests.counter < 0 || !requests.stamps)
		return fail(EXIT_NOT_MEASURED,
			    "--source=thread: prepare the requests: %m; free some memory, or close some files");
	source->waker_pid = source_fork(source, &requests.counter, 1);
	if (source->waker_pid == 0)
		be_waker(source);
	if (source->waker_pid > 0)
		place_waker(&source->waker, source->waker_pid, source->rights);
	return source->waker_pid < 0 ? EXIT_NOT_MEASURED : EXIT_MEASURED;
}

static int64_t thread_serve(struct source *source, struct wakeup *wakeup)
{
	const struct requests *requests = source->private;
	uint64_t count;

	if (read(requests->counter, &count, sizeof(count)) < 0)
		return -errno;
	wakeup->served_ns = monotonic_ns();
	return count;
}

/* A request whose stamp is lost counts from when it was due. It was made no sooner: its latency is not understated. */
static uint64_t thread_asked(struct source *source)
{
	struct requests *own = source->private;
	uint64_t number = own->next++, at_ns = own->stamps->at_ns[number % SLOTS];

	return number < lossy_ring_oldest(&own->stamps->ring, SLOTS) ? request_due_ns(source, number) : at_ns;
}

const struct source_ops source_thread = {
	.name = "thread",
	.measures = SINCE_ASKED,
	.max_hz = SOURCE_TIMER_MAX_HZ,
	.usual_hz = SOURCE_USUAL_HZ,
	.has_waker = true,
	.child = "the waker",
	.start = thread_start,
	.serve = thread_serve,
	.asked = thread_asked,
	.finish = source_end_children,
};
