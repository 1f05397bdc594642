// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Another process, the waker, which goes before the meter and asks it to wake
 * up. It has a schedule of its own; the meter only knows when it was asked.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "base/diag.h"
#include "measure/clock.h"
#include "source/child.h"
#include "source/registry.h"
#include "source/requests.h"
#include "source/waker.h"

#define REST_NS 50000		/* at least */

static uint64_t due(const struct source *source, uint64_t number)
{
	return source->anchor_ns + (number + 1) * source->period_ns;
}

/* How many requests of the schedule are due at that instant, which is after its start. */
static uint64_t due_by(const struct source *source, uint64_t now_ns)
{
	return (now_ns - source->anchor_ns) / source->period_ns;
}

static void sleep_until(uint64_t ns)
{
	const struct timespec until = timespec_from(ns);
	int error;

	do
		error = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
	while (error == EINTR);
	if (error)
		_exit(EXIT_NOT_MEASURED);
}

/*
 * The waker's life. It may have the meter's CPU, and goes before everyone
 * there: so it rests for as long as it was awake, and for longer than its
 * sleep costs the kernel, whatever is due meanwhile.
 * It looks for the meter before it asks, for what it does later comes before
 * the meter runs.
 */
__attribute__((noreturn))
static void ask(struct source *source)
{
	struct requests *requests = source->own;
	uint64_t woken_for = 0;

	prctl(PR_SET_NAME, "realfeel-waker");
	for (;;) {
		uint64_t now_ns, end_ns;

		sleep_until(due(source, woken_for));
		if (!source_child_is_wanted())
			_exit(EXIT_MEASURED);
		now_ns = monotonic_ns();
		requests_make(requests, due_by(source, now_ns) - requests->next, now_ns);
		end_ns = monotonic_ns();
		woken_for = due_by(source, end_ns + (end_ns - now_ns) + REST_NS);
	}
}

static int thread_start(struct source *source)
{
	struct requests *requests = calloc(1, sizeof(*requests));
	pid_t waker;

	source_start_timer(source);
	source->own = requests;
	if (!requests || requests_open(requests) < 0) {
		warn("--source=thread: prepare the requests: %m; free some memory, or close some files");
		return -1;
	}
	waker = source->waker_pid = source_fork(source, &requests->counter, 1);
	if (waker == 0)
		ask(source);
	if (waker < 0)
		return -1;
	waker_place(&source->waker, waker, source->rights);
	return 0;
}

static int64_t thread_wait(struct source *source, uint64_t due_ns)
{
	int64_t requests = requests_await(source->own);

	(void)due_ns;
	source->served_ns = monotonic_ns();
	return requests;
}

/* One whose stamp is lost was made when it was due, or later: its latency is not less than this tells, at any rate. */
static uint64_t thread_asked(struct source *source)
{
	struct requests *own = source->own;
	uint64_t number = own->next, at_ns = requests_take(own);

	return at_ns ? at_ns : due(source, number);
}

static void thread_finish(struct source *source)
{
	source_end_children(source);
}

const struct source_ops source_thread = {
	.name = "thread",
	.measures = SINCE_ASKED,
	.max_hz = SOURCE_TIMER_MAX_HZ,
	.usual_hz = SOURCE_USUAL_HZ,
	.has_waker = true,
	.child = "the waker",
	.open = source_open_no_device,
	.start = thread_start,
	.wait = thread_wait,
	.asked = thread_asked,
	.finish = thread_finish,
	.stop = source_stop_nothing,
};
