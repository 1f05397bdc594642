// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "diag.h"
#include "loop.h"
#include "meter.h"
#include "standing.h"
#include "trace.h"

/* For the signal handler, which has no other way to know. */
static struct share *shared;

static void on_signal(int signal)
{
	share_stop(shared, signal == SIGALRM ? END_DURATION : END_ASKED);
}

/*
 * SIGTERM comes from the keeper, and from the kernel when the keeper dies;
 * SIGALRM when the time is over. All others stay blocked.
 */
static void catch_signals(struct share *share)
{
	struct sigaction action = { .sa_handler = on_signal };
	sigset_t caught;

	shared = share;
	sigemptyset(&caught);
	sigaddset(&caught, SIGTERM);
	sigaddset(&caught, SIGALRM);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGALRM, &action, NULL);
	sigprocmask(SIG_UNBLOCK, &caught, NULL);
}

/* The kernel forgets this when a process becomes another user's. */
static void follow_keeper(const struct meter *meter)
{
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != meter->keeper)
		raise(SIGTERM);
}

static void start_alarm(uint64_t ns)
{
	struct itimerspec after = { .it_value = source_timespec(ns) };
	timer_t timer;

	if (timer_create(CLOCK_MONOTONIC, NULL, &timer) < 0 ||
	    timer_settime(timer, 0, &after, NULL) < 0)
		die(EXIT_NOT_MEASURED, "set a timer for --duration: %m; use --samples");
}

static void prepare(const struct meter *meter, struct explain *explain, struct trace *trace)
{
	struct share *share = meter->share;

	catch_signals(share);
	follow_keeper(meter);
	if (setup_realtime(&meter->setup, share->granted, sizeof(share->granted),
			   share->refused, sizeof(share->refused)) < 0)
		_exit(EXIT_NOT_MEASURED);
	standing_read(&share->began);
	if (meter->explain && explain_open(explain, meter->setup.cpu) < 0)
		_exit(EXIT_NOT_MEASURED);
	share->explain_cost_ns = explain->cost_ns;
	if (meter->break_ns)
		trace_open(trace);
	if (meter->source->ops->start(meter->source) < 0) {
		setup_ordinary();
		_exit(EXIT_NOT_MEASURED);
	}
	share->started = time(NULL);
	share->anchor_uncertainty_ns = meter->source->anchor_uncertainty_ns;
	if (meter->duration_ns)
		start_alarm(meter->duration_ns);
	privilege_drop(meter->caller, meter->source->former_hz);
	follow_keeper(meter);
	share->measuring = true;
}

/*
 * Tell the keeper that the run is over and wait for what it says: one byte when
 * the report is saved, its end when it is dead.
 */
static bool keeper_is_gone(int lifeline)
{
	char byte = 0;
	ssize_t got;

	if (write(lifeline, &byte, 1) < 0)
		return true;
	do
		got = read(lifeline, &byte, 1);
	while (got < 0 && errno == EINTR);
	return got != 1;
}

bool meter_run(const struct meter *meter, int lifeline)
{
	struct share *share = meter->share;
	struct explain explain = { .on = false };
	const struct loop loop = {
		share, meter->source, meter->clock, &explain, meter->break_ns,
	};
	struct trace trace;

	prepare(meter, &explain, &trace);
	share->end = loop_run(&loop, meter->samples);
	if (share->end == END_BREAK)
		trace_stop(&trace, share->live[share_flips(share) % 2].late.max, share->trace,
			   sizeof(share->trace));
	standing_read(&share->ended);
	setup_ordinary();
	return keeper_is_gone(lifeline);
}
