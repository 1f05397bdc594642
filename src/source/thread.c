// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Another process, the waker, asks the meter to wake up. The waker has a
 * higher priority and keeps the schedule; the meter only knows when it was asked.
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/instant.h"
#include "base/text.h"
#include "host/privilege.h"
#include "host/process.h"
#include "source/child.h"
#include "source/registry.h"
#include "source/requests.h"

#define REST_NS 50000		/* the shortest rest; longer than a sleep costs the kernel */

/* When the request with this number is due; the first is number 0. */
static uint64_t due_of(const struct source *source, uint64_t number)
{
	return source->anchor_ns + (number + 1) * source->period_ns;
}

/* How many requests are due at an instant after the start of the schedule. */
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
 * The waker may have the meter's CPU, where it preempts everybody. So it rests
 * at least REST_NS longer than it was awake, whatever is due meanwhile. It checks
 * that the meter lives before it asks, because the meter runs only when it rests.
 */
__attribute__((noreturn))
static void be_waker(struct source *source)
{
	struct requests *requests = source->own;
	uint64_t next = 0;

	prctl(PR_SET_NAME, "realfeel-waker");
	for (;;) {
		uint64_t now_ns, end_ns;

		sleep_until(due_of(source, next));
		if (!source_child_is_wanted())
			_exit(EXIT_MEASURED);
		now_ns = monotonic_ns();
		requests_make(requests, due_by(source, now_ns) - requests->next, now_ns);
		end_ns = monotonic_ns();
		next = due_by(source, end_ns + (end_ns - now_ns) + REST_NS);
	}
}

static void note_refused(struct rights *rights, const char *before, int number, const char *after)
{
	text_append(rights->refused, sizeof(rights->refused), "%s%s %d%s: %s", *rights->refused ? "; " : "", before,
		    number, after, strerror(errno));
}

static void note_granted(struct rights *rights, pid_t waker)
{
	struct sched_state state;
	char cpu[16] = "any";

	sched_state_read(waker, &state);
	if (state.cpus == 1)
		snprintf(cpu, sizeof(cpu), "%d", state.first_cpu);
	text_append(rights->granted, sizeof(rights->granted), "waker: %s %d\nwaker_cpu: %s\n",
		    sched_state_policy_name(state.policy), state.priority, cpu);
}

/* Give the waker its CPU and its policy. If one is refused here, the preflight has named the remedy. */
static void place_waker(const struct waker *as, pid_t waker, struct rights *rights)
{
	const struct sched_param param = { .sched_priority = as->priority };
	cpu_set_t cpu;

	if (as->cpu >= 0) {
		CPU_ZERO(&cpu);
		CPU_SET(as->cpu, &cpu);
		if (sched_setaffinity(waker, sizeof(cpu), &cpu) < 0)
			note_refused(rights, "bind the waker to CPU", as->cpu, "");
	}
	if (sched_setscheduler(waker, SCHED_FIFO, &param) < 0)
		note_refused(rights, "take SCHED_FIFO", as->priority, " for the waker");
	note_granted(rights, waker);
}

static int thread_start(struct source *source)
{
	struct requests *requests = calloc(1, sizeof(*requests));

	source_start_timer(source);
	source->own = requests;
	if (!requests || requests_open(requests) < 0) {
		warn("--source=thread: prepare the requests: %m; free some memory, or close some files");
		return -1;
	}
	source->waker_pid = source_fork(source, &requests->counter, 1);
	if (source->waker_pid == 0)
		be_waker(source);
	if (source->waker_pid < 0)
		return -1;
	place_waker(&source->waker, source->waker_pid, source->rights);
	return 0;
}

static int64_t thread_serve(struct source *source, struct wakeup *wakeup)
{
	int64_t requests = requests_await(source->own);

	wakeup->served_ns = monotonic_ns();
	return requests;
}

/* A request whose stamp is lost counts from when it was due. It was made no sooner: its latency is not understated. */
static uint64_t thread_asked(struct source *source)
{
	struct requests *own = source->own;
	uint64_t number = own->next, at_ns = requests_take(own);

	return at_ns ? at_ns : due_of(source, number);
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
	.serve = thread_serve,
	.asked = thread_asked,
	.finish = thread_finish,
	.stop = source_stop_nothing,
};
