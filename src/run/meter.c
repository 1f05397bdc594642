// SPDX-License-Identifier: GPL-2.0-or-later
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/instant.h"
#include "explain/trial.h"
#include "host/process.h"
#include "measure/loop.h"
#include "run/lifeline.h"
#include "run/meter.h"
#include "run/setup.h"
#include "trace/ftrace.h"

#define UNPACED_NS 10000000		/* without a schedule, longer than a wait takes that is not held up */

/* Only here can the signal handlers find it. */
static const struct worker *self;
static uint64_t over_ns = UINT64_MAX;	/* when --duration is */

/* Anybody can send SIGCHLD and SIGALRM, so each is checked. END_NONE: the run goes on. */
static enum end reason_of(int signal)
{
	if (signal == SIGCHLD)
		return children_notice(&self->channel->children) ? END_CHILD : END_NONE;
	if (signal == SIGALRM && !self->channel->stop)
		return monotonic_ns() >= over_ns ? END_DURATION : END_NONE;
	return END_ASKED;
}

/*
 * A signal just before the wait does not interrupt it, and a silent source
 * never does: the alarm repeats until the loop has ended.
 */
static void on_signal(int signal)
{
	enum end why = reason_of(signal);

	if (!why)
		return;
	channel_stop(self->channel, why);
	alarm(1);
}

/*
 * After SIGSTOP or ^Z: add the time since the last wake-up to stopped_ms if it
 * exceeds a period. SIGCONT also reaches a process that was not stopped, but
 * hardly while a wake-up is overdue.
 */
static void on_continue(int signal)
{
	static uint64_t continued_ns;
	struct channel *channel = self->channel;
	uint64_t looked_ns = self->source.looked_ns, now_ns = monotonic_ns();
	uint64_t last_ns = looked_ns ? looked_ns : channel->live[channel_flips(channel) % 2].to_ns;
	uint64_t usual_ns = self->source.period_ns ? self->source.period_ns : UNPACED_NS;

	(void)signal;
	if (last_ns && now_ns - last_ns > usual_ns) {
		uint64_t from_ns = continued_ns > last_ns ? continued_ns : last_ns;

		channel->stopped_ms += (now_ns - from_ns + 999999) / 1000000;
	}
	continued_ns = now_ns;
}

static void mask_signals(int how)
{
	sigset_t caught;

	sigemptyset(&caught);
	sigaddset(&caught, SIGTERM);
	sigaddset(&caught, SIGALRM);
	sigaddset(&caught, SIGCHLD);
	sigaddset(&caught, SIGCONT);
	sigprocmask(how, &caught, NULL);
}

/*
 * SIGTERM comes from the keeper, and from the kernel when the keeper dies;
 * SIGALRM when --duration is over; SIGCHLD when a process of the source dies,
 * stops or goes on. The signals of job control are not blocked either.
 */
static void catch_signals(const struct worker *worker)
{
	struct sigaction action = { .sa_handler = on_signal };
	struct sigaction proceed = { .sa_handler = on_continue };

	self = worker;
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGALRM, &action, NULL);
	sigaction(SIGCHLD, &action, NULL);
	sigaction(SIGCONT, &proceed, NULL);
	mask_signals(SIG_UNBLOCK);
}

/* A real-time process that ends with the interrupt on may hang a PREEMPT_RT kernel: see rtc_stop(). */
__attribute__((noreturn))
static void give_up(void)
{
	setup_ordinary();
	_exit(EXIT_NOT_MEASURED);
}

/* To be called again after a change of user, at which the kernel clears the setting. */
static void follow(pid_t keeper)
{
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != keeper)
		raise(SIGTERM);
}

static void start_alarm(uint64_t ns)
{
	struct itimerspec after = { .it_value = timespec_from(ns) };
	timer_t timer;

	over_ns = monotonic_ns() + ns;
	if (timer_create(CLOCK_MONOTONIC, NULL, &timer) < 0 ||
	    timer_settime(timer, 0, &after, NULL) < 0) {
		warn("set a timer for --duration: %m; use --samples");
		give_up();
	}
}

/* Where we are bound to may be another CPU than the one asked for. Returns false with the reason. */
static bool open_tap(struct tap *tap, const struct run *run, const struct worker *worker,
		     struct refusal *refusal)
{
	struct channel *channel = worker->channel;
	struct tap_plan plan = {
		.level = run->options->explain, .cpu = trace_find_cpu(-1, refusal), .hz = worker->source.hz,
		.asked = !measures_schedule(worker->source.ops->measures), .handler = worker->source.handler,
		.layout = &channel->tap_state->layout,
	};

	if (plan.cpu < 0)
		return false;
	trial_without_tap(channel->tap_state);
	if (tap_open(tap, &plan, channel->wakelog, refusal) < 0)
		return false;
	trial_with_tap(tap, plan.cpu, channel->tap_state);
	channel->tap_state->level = tap->level;
	channel->tap_state->cpu = plan.cpu;
	channel->tap_state->parts_size = tap->parts.size;
	tap_enable(tap, true);
	return true;
}

/* A refusal that the preflight has found already is not tried again. */
static void start_tap(struct tap *tap, const struct run *run, const struct worker *worker)
{
	struct tap_state *state = worker->channel->tap_state;
	struct refusal refusal;
	char line[REFUSAL_LINE];

	strcpy(state->refused, run->unexplained);
	if (!run->options->explain || *state->refused || open_tap(tap, run, worker, &refusal))
		return;
	refusal_clause(&refusal, state->refused, sizeof(state->refused));
	if (run->options->best_effort)
		return;
	warn("--explain: %s, or use --best-effort", refusal_line(&refusal, line));
	give_up();
}

/*
 * What start maps is locked, too, and told. But nothing is to come between start and
 * the first wait where the kernel stamps: PREEMPT_RT does so in a thread that waits for us.
 */
static void start(struct worker *worker, const struct cpus *own)
{
	struct source *source = &worker->source;
	struct rights *rights = &worker->channel->rights;
	bool stamped = series_name(source->ops->measures, STAMPED);

	source->rights = rights;
	source->children = &worker->channel->children;
	if (stamped)
		setup_tell_granted(own, rights);
	if (source->ops->start(source) < 0)
		give_up();
	if (!stamped)
		setup_tell_granted(own, rights);
	children_look(source->children, &source->children->began);
}

static void prepare(const struct run *run, struct worker *worker, pid_t keeper, struct tap *tap,
		    struct ftrace *ftrace)
{
	const struct options *options = run->options;
	const struct cpus own = { .count = worker->cpu >= 0, .number = { worker->cpu } };
	struct channel *channel = worker->channel;

	catch_signals(worker);
	follow(keeper);
	symbols_forget(run->symbols);
	if (setup_realtime(options, &own, &channel->rights) < 0)
		give_up();
	sched_state_read(0, &channel->began);
	start_tap(tap, run, worker);
	if (options->break_ns)
		ftrace_open(ftrace);
	start(worker, &own);
	channel->waker = worker->source.waker_pid;
	channel->started = time(NULL);
	channel->anchor_uncertainty_ns = worker->source.anchor_uncertainty_ns;
	memcpy(channel->overhead_ns, worker->source.overhead_ns, sizeof(channel->overhead_ns));
	if (options->duration_ns)
		start_alarm(options->duration_ns);
	privilege_drop(run->caller, worker->source.ops->needs, 0);
	follow(keeper);
	channel->measuring = true;
	lifeline_tell(worker->end, tap->level ? tap->parts.event[0] : -1);
}

/* The records that lead to the break are not to be overwritten, nor those of the tracer. */
static void stop_tracing(struct channel *channel, const struct tap *tap, const struct ftrace *ftrace)
{
	if (tap->level >= EXPLAIN_BLAME)
		perf_ring_pause(&tap->flight);
	ftrace_stop(ftrace, channel->live[channel_flips(channel) % 2].moments[LATENCY].max, channel->trace,
		   sizeof(channel->trace));
}

/* Takes long. A tracer that was not set up has nothing to add. */
static void tell_traced(struct channel *channel, const struct tap *tap, const struct ftrace *ftrace)
{
	ftrace_describe(ftrace, channel->traced, sizeof(channel->traced));
	if (tap->level < EXPLAIN_BLAME)
		return;
	perf_ring_copy(&tap->flight, channel->flight);
	if (strcmp(channel->traced, "nothing") && strcmp(channel->traced, "unknown"))
		return;
	strcpy(channel->trace, "in this report");
	*channel->traced = '\0';
}

/* At the end, if the lifeline is broken, only this process may be left to put the source back. */
void meter_run(const struct run *run, struct worker *worker, pid_t keeper)
{
	struct channel *channel = worker->channel;
	struct tap tap = { .level = EXPLAIN_OFF };
	struct clock clock = *run->clock;
	const struct loop loop = {
		channel, &worker->source, &clock, &tap.listener, run->options->break_ns,
	};
	struct ftrace ftrace;

	prepare(run, worker, keeper, &tap, &ftrace);
	channel->end = loop_run(&loop, run->options->samples);
	mask_signals(SIG_BLOCK);
	if (channel->end == END_BREAK)
		stop_tracing(channel, &tap, &ftrace);
	sched_state_read(0, &channel->ended);
	children_settle(&channel->children);
	setup_ordinary();
	if (worker->source.ops->finish)
		worker->source.ops->finish(&worker->source);
	if (channel->end == END_BREAK)
		tell_traced(channel, &tap, &ftrace);
	if (!lifeline_tell(worker->end, -1))
		worker->source.ops->stop(&worker->source);
	_exit(EXIT_MEASURED);
}
