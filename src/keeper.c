// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "keeper.h"
#include "report_result.h"
#include "sysinfo.h"

#define TICK_NS UINT64_C(1000000000)	/* between two flips */
#define SILENT_TICKS 5

pid_t keeper_fork(struct keeper *keeper)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return -1;
	keeper->meter = fork();
	close(ends[keeper->meter != 0]);
	keeper->lifeline = ends[keeper->meter == 0];
	return keeper->meter;
}

/* How many buffers are in the totals, as flips are counted. */
static uint32_t collected(const struct keeper *keeper)
{
	return totals_sums(keeper->totals)->buffers;
}

/* Add the buffer that the meter has left. Returns false when it has left none. */
static bool collect(struct keeper *keeper)
{
	struct live *live = &keeper->channel->live[collected(keeper) % 2];

	if (collected(keeper) == channel_flips(keeper->channel))
		return false;
	totals_add(keeper->totals, live, keeper->source->period_ns);
	live_clear(live);
	events_go_on_from(&live->events, &totals_sums(keeper->totals)->events);
	return true;
}

/* The meter has ended or is dead: the buffer that it was in is the last. */
static void collect_last(struct keeper *keeper)
{
	const struct live *live = &keeper->channel->live[channel_flips(keeper->channel) % 2];

	collect(keeper);
	if (live_is_whole(live))
		totals_add(keeper->totals, live, keeper->source->period_ns);
	else
		warn("the last %" PRIu64 " samples are dropped: the meter was killed while it counted",
		     live->samples);
}

/*
 * A buffer that was asked for can wait for the next tick, except when somebody
 * looks on or wants it saved: then it is looked for every other period.
 */
static int patience_ms(const struct keeper *keeper, uint64_t tick_ns)
{
	uint64_t now = monotonic_ns();
	bool looked_at = keeper->progress.form == PROGRESS_TERMINAL || keeper->saving;

	if (looked_at && keeper->flips_asked != collected(keeper))
		return 1 + 2 * keeper->source->period_ns / 1000000;
	return now < tick_ns ? (tick_ns - now) / 1000000 + 1 : 0;
}

static void ask_flip(struct keeper *keeper)
{
	if (keeper->flips_asked != collected(keeper))
		return;
	channel_want_flip(keeper->channel);
	keeper->flips_asked++;
}

static void look_at_freezer(struct keeper *keeper)
{
	freezer_look(&keeper->freezer);
	keeper->channel->frozen = keeper->freezer.was_frozen;
	keeper->channel->freezer_hidden = keeper->freezer.hidden;
}

/*
 * A meter that sleeps through ten periods and five seconds waits for a source
 * that is dead. Counted in our own ticks, for when we are stopped, or get no
 * CPU, time passes that says nothing of the meter.
 */
static bool is_silent(struct keeper *keeper)
{
	uint64_t patience = 10 * keeper->source->period_ns / TICK_NS;

	if (channel_flips(keeper->channel) == keeper->flips_asked || !sched_state_asleep(keeper->meter_stat) ||
	    keeper->freezer.frozen)
		keeper->silent_ticks = 0;
	else
		keeper->silent_ticks++;
	return keeper->silent_ticks > (patience > SILENT_TICKS ? patience : SILENT_TICKS);
}

static struct result result_of(const struct keeper *keeper)
{
	return (struct result){
		.channel = keeper->channel, .totals = keeper->totals, .report = keeper->report,
		.disturbances = &keeper->disturbances, .succeeding = keeper->succeeding,
		.meter = keeper->meter,
	};
}

static uint64_t next_checkpoint(const struct keeper *keeper)
{
	uint64_t every_ns = keeper->report->options->checkpoint_ns;

	return every_ns ? monotonic_ns() + every_ns : UINT64_MAX;
}

/* Save what is in the totals: the meter counts on meanwhile, elsewhere. One that fails is tried again. */
static void checkpoint(struct keeper *keeper)
{
	struct result result = result_of(keeper);
	bool failed;

	monitor_tell_so_far(&keeper->channel->monitor, &keeper->disturbances);
	result.running = true;
	result_sum_up(&result);
	failed = report_file_checkpoint(keeper->output, report_print, keeper->report) < 0;
	if (failed && !keeper->checkpoint_failed) {
		progress_clear(&keeper->progress);
		warn("write %s: %m; the report so far is not saved, and the run goes on",
		     report_file_name(keeper->output));
	}
	keeper->checkpoint_failed = failed;
	keeper->checkpoint_ns = next_checkpoint(keeper);
	keeper->saving = false;
}

/*
 * The first byte: the meter has dropped its rights and begins to measure, so
 * that we may drop ours and still send it signals. Returns false at the second,
 * when it has ended, or when it is dead.
 */
static bool hear_meter(struct keeper *keeper)
{
	char byte;

	if (read(keeper->lifeline, &byte, 1) != 1 || keeper->dropped)
		return false;
	privilege_drop(keeper->caller, keeper->source->ops->sets_rate);
	keeper->dropped = true;
	return true;
}

/* Its signal is repeated with each tick, for the first may have come just before the meter went to sleep. */
static void stop_meter(struct keeper *keeper)
{
	keeper->stopping = true;
	kill(keeper->meter, SIGTERM);
}

/* A run without a limit lasts as long as its load; any other goes on without. */
static void hear_of_load(struct keeper *keeper)
{
	const struct options *options = keeper->report->options;
	char exit[32];

	if (keeper->load_told)
		return;
	keeper->load_told = true;
	if (!options->samples && !options->duration_ns) {
		channel_stop(keeper->channel, END_LOAD);
		stop_meter(keeper);
		return;
	}
	if (options->quiet)
		return;
	load_tell_exit(keeper->load, exit, sizeof(exit));
	progress_clear(&keeper->progress);
	warn("the load has ended: %s; the run goes on without it", exit);
}

/* A checkpoint is wanted, of all that there is up to now: the next buffer is newer than what was left before. */
static void want_checkpoint(struct keeper *keeper)
{
	collect(keeper);
	keeper->saving = true;
}

static void hear_signals(struct keeper *keeper)
{
	struct asked asked = signals_read(&keeper->signals);

	if (asked.checkpoint)
		want_checkpoint(keeper);
	if (asked.end)
		stop_meter(keeper);
}

/* Once a second. */
static void tick(struct keeper *keeper)
{
	monitor_look(&keeper->channel->monitor);
	look_at_freezer(keeper);
	if (is_silent(keeper))
		channel_stop(keeper->channel, END_SILENT);
	if (keeper->stopping || keeper->channel->stop)
		stop_meter(keeper);
	if (monotonic_ns() >= keeper->checkpoint_ns && !keeper->saving)
		want_checkpoint(keeper);
}

/* The buffer that was left is shown and saved, or, when there is none for a second, what there is. */
static void take_in(struct keeper *keeper, bool late)
{
	bool fresh = collect(keeper);
	const struct progress_row row = { .sums = totals_sums(keeper->totals), .state = "" };

	if (fresh)
		progress_show(&keeper->progress, &row, 1, monotonic_ns() - keeper->begun_ns);
	if (keeper->saving && (fresh || late) && row.sums->samples)
		checkpoint(keeper);
}

/* Until the meter has ended or is dead. */
static void watch(struct keeper *keeper)
{
	uint64_t tick_ns = monotonic_ns() + TICK_NS;

	for (;;) {
		struct pollfd events[] = {
			{ .fd = keeper->lifeline, .events = POLLIN },
			{ .fd = keeper->signals.fd, .events = POLLIN },
			{ .fd = keeper->load->line, .events = POLLIN },
			{ .fd = keeper->freezer.events, .events = POLLPRI },
		};
		bool late;

		poll(events, 4, patience_ms(keeper, tick_ns));
		if (events[0].revents || events[3].revents)
			look_at_freezer(keeper);
		if (events[0].revents && !hear_meter(keeper))
			return;
		if (events[2].revents && load_listen(keeper->load, keeper->meter))
			hear_of_load(keeper);
		late = monotonic_ns() >= tick_ns;
		take_in(keeper, late);
		hear_signals(keeper);
		if (late)
			tick(keeper);
		if (late || keeper->saving)
			ask_flip(keeper);
		if (late)
			tick_ns = monotonic_ns() + TICK_NS;
	}
}

/* The machine first: only then is there time for the report. */
static enum exit_status finish(struct keeper *keeper)
{
	static struct machine machine;
	struct result result = result_of(keeper);
	bool saved;

	keeper->source->ops->stop(keeper->source);
	monitor_end(&keeper->channel->monitor, &keeper->disturbances);
	sysinfo_read(&machine);
	result.after = &machine;
	load_finish(keeper->load, keeper->meter);
	collect_last(keeper);
	result_sum_up(&result);
	saved = report_file_save(keeper->output, report_print, keeper->report) == 0;
	if (saved)
		result_tell(&result, report_file_name(keeper->output));
	return result_status(&result, saved);
}

/* The meter gave up before the first wake-up, and has said why. */
static enum exit_status pass_on(const struct keeper *keeper)
{
	int status;

	keeper->source->ops->stop(keeper->source);
	load_finish(keeper->load, keeper->meter);
	if (waitpid(keeper->meter, &status, 0) < 0 || !WIFEXITED(status)) {
		warn("the measuring process was killed before it could measure; start again");
		return EXIT_NOT_MEASURED;
	}
	return WEXITSTATUS(status);
}

enum exit_status keeper_run(struct keeper *keeper)
{
	enum exit_status status;
	char saved = 1;

	keeper->meter_stat = sched_state_open(keeper->meter);
	freezer_watch(&keeper->freezer, keeper->meter);
	keeper->begun_ns = monotonic_ns();
	keeper->checkpoint_ns = next_checkpoint(keeper);
	watch(keeper);
	progress_clear(&keeper->progress);
	if (!keeper->channel->measuring)
		return pass_on(keeper);
	status = finish(keeper);
	if (write(keeper->lifeline, &saved, 1) == 1)
		waitpid(keeper->meter, NULL, 0);
	return status;
}

enum exit_status keeper_succeed(struct keeper *keeper)
{
	warn("the keeping process was killed; the measuring one writes the report");
	keeper->succeeding = true;
	report_file_inherit(keeper->output);
	keeper->totals = totals_inherit(keeper->totals);
	if (!keeper->totals) {
		keeper->source->ops->stop(keeper->source);
		die(EXIT_NOT_MEASURED, "map the totals: %m; the report is lost");
	}
	return finish(keeper);
}
