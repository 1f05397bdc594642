// SPDX-License-Identifier: GPL-2.0-or-later
/* The real-time process: it takes its rights, starts the source, runs the loop, and gives the rights back. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "run/realtime.h"
#include "run/worker.h"

#define ORPHAN_US 1000			/* between looks at the standby */
#define UNPACED_NS 10000000		/* in place of a period: longer than any undelayed wait */

/* For the signal handlers, which take no argument of ours. */
static const struct worker *self;
static uint64_t over_ns = UINT64_MAX;	/* the end of --duration */

/*
 * Any process may send SIGCHLD or SIGALRM, so each is verified. A signal that arrives just before the wait does not
 * interrupt it, and with a silent source the wait never returns: so the alarm repeats until the loop has ended.
 */
static void on_signal(int signal)
{
	enum end why = END_ASKED;

	if (signal == SIGCHLD)
		why = children_notice(&self->channel->children) ? END_CHILD : END_NONE;
	else if (signal == SIGALRM && !self->channel->stop)
		why = monotonic_ns() >= over_ns ? END_DURATION : END_NONE;
	if (!why)
		return;
	channel_stop(self->channel, why);
	alarm(1);
}

/*
 * After SIGSTOP or ^Z: add the time since the last wake-up to stopped_ms if it exceeds a period. SIGCONT also reaches a
 * process that was not stopped, but then a wake-up is hardly ever overdue.
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

/*
 * The keeper sends SIGTERM, and so does the kernel when the keeper dies. SIGALRM comes when --duration is over, SIGCHLD
 * when a process of the source dies, stops or continues. The signals of job control stay unblocked, too.
 */
static void catch_signals(const struct worker *worker, sigset_t *caught)
{
	static const int signals[] = { SIGTERM, SIGALRM, SIGCHLD, SIGCONT };
	struct sigaction action = { .sa_flags = 0 };

	self = worker;
	sigemptyset(caught);
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
		sigaddset(caught, signals[i]);
		action.sa_handler = signals[i] == SIGCONT ? on_continue : on_signal;
		sigaction(signals[i], &action, NULL);
	}
	sigprocmask(SIG_UNBLOCK, caught, NULL);
}

/*
 * Will another process restore the machine? The standby may be killed at any
 * moment, too, so an orphan waits until the standby has done so, or is dead.
 */
static bool has_heir(struct worker *worker, pid_t keeper)
{
	if (getppid() == keeper)
		return true;
	for (unsigned i = 0; i < worker->group; i++) {
		worker[i].channel->left = true;
		lifeline_send(worker[i].end, -1);
	}
	while (lifeline_is_open(worker->end)) {
		if (worker->channel->restored)
			return true;
		usleep(ORPHAN_US);
	}
	return false;
}

/* As an ordinary process. Without a successor this may be the last one that can stop the source. */
__attribute__((noreturn))
static void end_meter(struct worker *worker, pid_t keeper, enum exit_status status)
{
	if (!has_heir(worker, keeper) && worker->source.ops->stop)
		worker->source.ops->stop(&worker->source);
	_exit(status);
}

/* A real-time process that ends while the RTC's interrupt is on can hang a PREEMPT_RT kernel: see rtc_stop(). */
__attribute__((noreturn))
static void give_up(void)
{
	realtime_leave();
	_exit(EXIT_NOT_MEASURED);
}

/* Call it again after a change of user: the kernel then clears the parent-death signal. */
static void end_with(pid_t keeper)
{
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != keeper)
		raise(SIGTERM);
}

/* The tap is for the CPU that the meter is on, which may not be the one asked for. Returns false with the refusal. */
static bool open_tap(struct tap *tap, const struct run *run, const struct worker *worker, struct refusal *refusal)
{
	struct tap_state *state = worker->channel->tap_state;
	struct tap_plan plan = {
		.level = run->options->explain, .cpu = trace_find_cpu(refusal), .hz = worker->source.hz,
		.asked = !measures_schedule(worker->source.ops->measures), .handler = worker->source.handler,
		.layout = &state->layout,
	};

	if (plan.cpu < 0)
		return false;
	state->cpu = plan.cpu;
	state->trial = trial_of_records(plan.cpu, TRIAL_WAKEUPS, false);
	state->without_ns = trial_lateness_ns();
	plan.by_programs = state->trial.by_programs;
	if (tap_open(tap, &plan, refusal) < 0)
		return false;
	state->with_ns = trial_lateness_ns();
	state->parts_size = tap->parts.size;
	return true;
}

/* Not if the keeper was already refused what the records need, or if there is no CPU or no source to explain. */
static void start_tap(struct tap *tap, const struct run *run, const struct worker *worker)
{
	const struct options *options = run->options;
	struct tap_state *state = worker->channel->tap_state;
	bool observes = worker->source.threads, opened;
	struct refusal refusal;

	strcpy(state->refused, run->unexplained);
	if (!options->explain || *state->refused || worker->refused->unbound || (worker->cpu < 0 && !observes))
		return;
	state->cpu = -1;
	opened = observes ? tap_open_observed(tap, options->explain, run->flights) == 0 :
		 open_tap(tap, run, worker, &refusal);
	if (opened) {
		state->level = tap->level;
		return;
	}
	if (observes)
		trace_refuse_tracepoint(&refusal, "what has the CPUs", errno);
	refusal_clause(&refusal, state->refused, sizeof(state->refused));
	best_effort_goes_without(options, "--explain: ", &refusal);
}

static char *noted;			/* REFUSED_SIZE bytes: where the messages of this meter go */

static void note_message(const char *message)
{
	text_append(noted, REFUSED_SIZE, "%s%s", *noted ? "\n" : "", message);
}

/* Take the rights, and open and start the tap, once and for all. What is refused is in worker->refused. */
static void get_ready(const struct run *run, struct worker *worker, struct tap *tap, struct loop *loop)
{
	struct channel *channel = worker->channel;

	noted = worker->refused->rights;
	diag_redirect(note_message);
	realtime_take(run->options, worker->cpu, &channel->rights, &worker->refused->unbound);
	sched_state_read(0, &channel->began);
	/* The CPU that is measured may be unknown: the meter may be bound to none, or observe another process. */
	if (channel->began.cpus == 1 && !worker->source.threads)
		loop->smis = smis_open(channel->began.first_cpu);
	noted = worker->refused->explain;
	start_tap(tap, run, worker);
	diag_redirect(NULL);
}

/*
 * Waits until the keeper has begun the run; returns false if it does not. A load may end before this process gets here:
 * the report then says that nothing was measured. SIGCONT interrupts the wait, too.
 */
static bool is_let_go(const struct worker *worker)
{
	lifeline_send(worker->end, -1);
	do {
		errno = 0;
		if (worker->channel->stop != END_ASKED && lifeline_receive(worker->end, NULL))
			return true;
	} while (errno == EINTR && worker->channel->stop != END_ASKED);
	return false;
}

/* One loop, or one for each thread of another program, all with the same tap. Their sources are started as one. */
static struct loop *gather(struct worker *worker, const struct loop *first)
{
	struct source **observed = calloc(worker->group, sizeof(*observed));
	struct loop *loops = calloc(worker->group, sizeof(*loops));

	if (!observed || !loops) {
		warn("allocate memory: %m; free some");
		give_up();
	}
	worker->source.observed = observed;
	for (unsigned i = 0; i < worker->group; i++) {
		observed[i] = &worker[i].source;
		loops[i] = *first;
		loops[i].channel = worker[i].channel;
		loops[i].source = &worker[i].source;
		loops[i].log = first->log ? worker[i].channel->wakelog : NULL;
	}
	return loops;
}

/*
 * The first worker of a group speaks for all of them. The memory that start() maps is locked, too, so what was granted
 * is read after it, or before it if the kernel takes stamps: nothing may come between start() and the first wait,
 * because on PREEMPT_RT the stamping thread waits for us.
 */
static void begin_measuring(const struct run *run, struct worker *worker, pid_t keeper, const struct tap *tap)
{
	const uint64_t duration_ns = run->options->duration_ns;
	const struct itimerspec after = { .it_value = timespec_from(duration_ns) };
	struct channel *first = worker->channel;
	struct source *source = &worker->source;
	bool stamped = series_name(source->ops->measures, STAMPED);
	timer_t timer;

	source->rights = &first->rights;
	source->children = &first->children;
	if (stamped)
		realtime_report_granted(worker->cpu, source->rights);
	if (source->ops->start(source))
		give_up();
	if (!stamped)
		realtime_report_granted(worker->cpu, source->rights);
	children_look(source->children, &first->children.began);
	first->waker = source->waker_pid;
	first->started = time(NULL);
	first->anchor_uncertainty_ns = source->anchor_uncertainty_ns;
	memcpy(first->overhead_ns, source->overhead_ns, sizeof(first->overhead_ns));
	over_ns = duration_ns ? monotonic_ns() + duration_ns : UINT64_MAX;
	if (duration_ns && (timer_create(CLOCK_MONOTONIC, NULL, &timer) < 0 ||
			    timer_settime(timer, 0, &after, NULL) < 0)) {
		warn("set a timer for --duration: %m; use --samples");
		give_up();
	}
	privilege_drop(run->caller, source->ops->needs, false);
	end_with(keeper);
	first->measuring = true;
	lifeline_send(worker->end, tap->parts.events ? tap->parts.event[0] : -1);
	for (unsigned i = 1; i < worker->group; i++) {
		struct channel *channel = worker[i].channel;

		channel->rights = first->rights;
		channel->began = first->began;
		channel->started = first->started;
		channel->measuring = true;
		lifeline_send(worker[i].end, -1);
	}
}

/* A thread that never slept has no wake-ups, but if it is bound to one CPU, the ring shows what else ran there. */
static void keep_interruptions(const struct tap *tap, const struct loop *loop, uint64_t began_ns)
{
	const struct sched_state *state = &loop->source->thread->state;
	const struct cpu_ring *flight = flights_of(tap->flights, state->cpus == 1 ? state->first_cpu : -1);
	uint64_t now_ns = monotonic_ns();

	if (!flight || !flight->ring.memory || loop->at.begun || loop->source->figures.state != 'R')
		return;
	perf_ring_pause(&flight->ring);
	perf_ring_copy(&flight->ring, loop->channel->flight);
	loop->channel->sleepless = (struct event){ .stamp_ns = now_ns, .late_ns = now_ns - began_ns,
						   .cpu = state->first_cpu };
}

void meter_run(const struct run *run, struct worker *worker, pid_t keeper)
{
	const struct source_ops *ops = worker->source.ops;
	struct channel *channel = worker->channel, *broke = NULL;	/* of the one whose --break ended the run */
	struct tap tap = { .level = EXPLAIN_OFF };
	struct clock clock = *run->clock;
	struct loop *loops, loop = {
		.clock = &clock, .keep = tap_keep, .tap = &tap, .break_ns = run->options->break_ns, .smis = -1,
	};
	sigset_t caught;

	catch_signals(worker, &caught);
	end_with(keeper);
	symbols_forget(run->symbols);
	get_ready(run, worker, &tap, &loop);
	if (run->options->break_ns)
		ftrace_open();
	if (!is_let_go(worker)) {
		realtime_leave();
		end_meter(worker, keeper, EXIT_NOT_MEASURED);
	}
	munmap(worker->refused, sizeof(*worker->refused));
	loop.log = tap.level ? channel->wakelog : NULL;
	loops = gather(worker, &loop);
	begin_measuring(run, worker, keeper, &tap);
	loop_run(loops, worker->group, run->options->samples);
	sigprocmask(SIG_BLOCK, &caught, NULL);
	for (unsigned i = 0; i < worker->group; i++)
		broke = worker[i].channel->end == END_BREAK ? worker[i].channel : broke;
	if (broke) {
		/* At once, or our records and the kernel's tracer would overwrite what led up to the break. */
		tap_pause(&tap);
		ftrace_stop(broke->live[channel_flips(broke) % 2].moments[LATENCY].max, broke->trace,
			    sizeof(broke->trace));
	}
	for (unsigned i = 0; tap.flights && i < worker->group; i++)
		keep_interruptions(&tap, &loops[i], worker->source.anchor_ns);
	for (unsigned i = 0; i < worker->group; i++)
		sched_state_read(0, &worker[i].channel->ended);
	children_settle(&channel->children);
	realtime_leave();
	if (ops->finish)
		ops->finish(&worker->source);
	if (broke && tap.level >= EXPLAIN_BLAME) {
		/* Not before: the copy takes too long for a real-time process. */
		if (!tap.flights)
			perf_ring_copy(&tap.flight, broke->flight);
		strcpy(broke->trace, "in this report");
	}
	end_meter(worker, keeper, EXIT_MEASURED);
}
