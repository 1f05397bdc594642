// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "report/lines.h"
#include "report/report.h"

/* Which thread of another program it is. Its stamps are those of the switches to it. */
static void print_thread(FILE *out, const struct report *report)
{
	const struct report *first = report - (report->number - 1);
	const struct thread *thread = &report->channel->thread;
	const struct sums *sums = totals_sums(report->totals);
	char asleep[1024] = "";

	print_count(out, "thread", thread->id);
	print_value(out, "thread_name", thread->name);
	print_count(out, "thread_siblings", thread->siblings);
	print_value(out, "thread_policy", sched_state_policy_name(thread->state.policy));
	print_count(out, "thread_priority", thread->state.priority);
	print_value(out, "thread_cpus", thread->cpus);
	for (unsigned i = 0; i < report->count; i++)
		if (!first[i].part)
			text_append(asleep, sizeof(asleep), "%s%s", *asleep ? ", " : "", first[i].name);
	if (*asleep)
		print_value(out, "threads_asleep", asleep);
	if (first->channel->thread.newcomers)
		print_value(out, "threads_begun", first->channel->thread.newcomer);
	print_value(out, "stamp", "switch");
	if (report->channel->end == END_GONE && sums->samples)
		fprintf(out, "# thread_ended_s: %.6f\n", (sums->to_ns - sums->from_ns) / 1e9);
	if (sums->figures.inferred_period_ns > 0) {
		print_count(out, "inferred_period_ns", sums->figures.inferred_period_ns);
		print_count(out, "inferred_missed", sums->figures.inferred_missed);
	}
}

static void print_source(FILE *out, const struct report *report)
{
	const struct source *source = report->source;
	const double *overhead_ns = report->channel->overhead_ns;

	fprintf(out, "# source: %s%s", source->ops->name, source->device ? " " : "");
	print_text(out, source->device ? source->device : "");
	fputc('\n', out);
	if (source->hz) {
		print_count(out, "frequency_hz", source->hz);
		print_count(out, "period_ns", source->period_ns);
	}
	if (source->threads)
		print_thread(out, report);
	if (source->ops->is_ring) {
		print_count(out, "processes", source->processes);
		print_count(out, "array_bytes", source->array_bytes);
	}
	if (*overhead_ns) {
		fputs("# hop_overhead_ns:", out);
		for (unsigned i = 0; i < OVERHEAD_REPEATS; i++)
			fprintf(out, " %.1f", overhead_ns[i]);
		fputc('\n', out);
	}
	if (measures_schedule(source->ops->measures))
		print_count(out, "anchor_uncertainty_ns", report->channel->anchor_uncertainty_ns);
	if (source->origin_ns) {
		print_value(out, "phases", report->run->options->aligned ? "aligned" : "spread");
		print_count(out, "phase_ns", source->phase_ns);
	}
}

/* Our own processes are listed by their pids, as the kernel's records name them. */
static void print_explain(FILE *out, const struct report *report)
{
	const struct channel *channel = report->channel;
	const struct tap_state *state = channel->tap_state;
	const struct trial *trial = &state->trial;

	fprintf(out, "# explain: %s%s", options_explain_name(state->level), *state->refused ? " (" : "");
	print_text(out, state->refused);
	fputs(*state->refused ? ")\n" : "\n", out);
	if (state->level && trial->wakeups) {
		print_count(out, "explain_with_ns", state->with_ns);
		print_count(out, "explain_without_ns", state->without_ns);
		print_share(out, "explain_wakings", trial->wakings, trial->wakeups);
		print_share(out, "explain_switches", trial->recorded, trial->switches);
		print_share(out, "explain_traced", trial->traced, trial->switches);
	}
	if (state->level < EXPLAIN_BLAME)
		return;
	fprintf(out, "# own_processes: keeper:%d standby:%d meter:%d", report->keeper, report->standby, channel->meter);
	if (channel->waker)
		fprintf(out, " waker:%d", channel->waker);
	if (report->run->load->pid)
		fprintf(out, " load:%d", report->run->load->pid);
	fputc('\n', out);
}

static void print_limits(FILE *out, const struct report *report)
{
	const struct options *options = report->run->options;
	const struct sums *sums = totals_sums(report->totals);

	if (options->max.ns) {
		char limit[LIMIT_TEXT];

		print_value(out, "limit", limit_text(&options->max, limit));
		print_count(out, "max_ns", options->max.ns);
		print_value(out, "max", sums_exceed(sums, &options->max) ? "exceeded" : "kept");
	}
	if (options->break_ns)
		print_count(out, "break_ns", options->break_ns);
	if (*report->channel->trace)
		print_value(out, "trace", report->channel->trace);
}

static void print_load(FILE *out, const struct load *load, const char *name, uint64_t origin_ns)
{
	static const char *const ended_by[] = {
		[LOAD_ITSELF] = "itself", [LOAD_WITH_RUN] = "the run",
		[LOAD_WITH_STANDBY] = "the kill of the standby",
	};
	char exit[32];

	if (name || !load->command)
		print_value(out, "load", name ? name : "none");
	else
		print_words(out, "load", load->command);
	if (!load->command)
		return;
	print_value(out, "load_cpus", load->cpus);
	if (load->end == LOAD_RUNNING)
		return;
	load_tell_exit(load, exit, sizeof(exit));
	print_value(out, "load_exit", exit);
	print_value(out, "load_ended_by", ended_by[load->end]);
	if (origin_ns)
		fprintf(out, "# load_ended_s: %.6f\n", (int64_t)(load->ended_ns - origin_ns) / 1e9);
}

/* Among the first lines, because most readers look for these. Quantiles without enough samples are left out. */
static void print_percentiles(FILE *out, const struct sums *sums)
{
	static const struct {
		const char *key;
		unsigned quantile;
	} percentiles[] = { { "latency_p50_us", P50 }, { "latency_p99_us", P99 }, { "latency_p99_9_us", P99_9 } };

	for (unsigned i = 0; i < sizeof(percentiles) / sizeof(*percentiles); i++) {
		int64_t ns = sums_quantile(&sums, 1, percentiles[i].quantile);

		if (ns != NO_LATENCY && sums_support(&sums, 1, percentiles[i].quantile))
			fprintf(out, "# %s: %.2f\n", percentiles[i].key, ns / 1e3);
	}
	if (sums->samples)
		fprintf(out, "# latency_max_us: %.3f\n", sums->moments[LATENCY].max / 1e3);
}

/* How many requests, or wake-ups of another program, the kernel's records account for. */
static void print_matched(FILE *out, const struct source_ops *ops, const struct sums *sums)
{
	const struct figures *figures = &sums->figures;

	if (ops->matched || ops->takes_target) {
		print_count(out, "matched", sums->samples);
		print_count(out, "unmatched", figures->unmatched);
	}
	if (ops->matched)
		print_count(out, "unasked", figures->unasked);
	if (!ops->takes_target)
		return;
	print_count(out, "timed", sums->timed);
	if (sums->timed)
		fprintf(out, "# slack_mean_ns: %.3f\n", (double)sums->slack_ns / sums->timed);
	print_count(out, "preempted", figures->preempted);
	if (figures->preempted)
		print_count(out, "preempted_max_ns", figures->preempted_ns);
}

/* The moments of a series; nothing if it has no values. */
static void print_moments(FILE *out, const char *name, const struct moments *moments, uint64_t count)
{
	long double sum = u128_to_real(moments->sum), mean = sum / count;
	char text[U128_DIGITS];

	if (!count)
		return;
	fprintf(out, "# %s_min_ns: %" PRId64 "\n# %s_max_ns: %" PRId64 "\n# %s_mean_ns: %.3Lf\n",
		name, moments->min, name, moments->max, name, mean);
	if (count > 1)
		fprintf(out, "# %s_sd_ns: %.3Lf\n", name,
			sqrtl(fmaxl(u128_to_real(moments->sumsq) - sum * mean, 0) / (count - 1)));
	fprintf(out, "# %s_sum_ns: %s\n", name, u128_to_text(moments->sum, text));
	fprintf(out, "# %s_sumsq_ns2: %s\n", name, u128_to_text(moments->sumsq, text));
}

/* Those of some series in the order of the report: first to end - 1. */
static void print_series(FILE *out, const struct sums *sums, enum measures measures, unsigned first, unsigned end)
{
	for (unsigned i = first; i < end; i++) {
		enum series series = series_in_report[i];

		if (series_name(measures, series))
			print_moments(out, series_name(measures, series), &sums->moments[series],
				      sums_count(sums, series));
	}
}

static void print_parts(FILE *out, const struct sums *sums, enum measures measures)
{
	struct u128 lateness = u128_from(0);
	char text[U128_DIGITS];

	for (enum part part = 0; part < PARTS; part++)
		lateness = u128_add(lateness, sums->moments[COUNTED_SERIES + part].sum);
	print_count(out, "parts_matched", sums->matched);
	print_count(out, "parts_unknown", sums_unmatched(sums));
	print_count(out, "trace_lost", sums->trace_lost);
	print_value(out, "parts_lateness_sum_ns", u128_to_text(lateness, text));
	print_series(out, sums, measures, COUNTED_SERIES, SERIES);
}

/* unit: how many of the figure's own unit make one of the report's. */
static void print_figure(FILE *out, const char *key, int64_t figure, double unit, int decimals)
{
	if (figure == MONITOR_UNKNOWN)
		print_value(out, key, "unknown");
	else
		fprintf(out, "# %s: %.*f\n", key, decimals, figure / unit);
}

static void print_disturbances(FILE *out, const struct report *report)
{
	const struct disturbances *disturbances = report->disturbances;
	const struct channel *channel = report->channel;
	const struct sched_state *began = &channel->began, *now = &report->evidence.meter;
	bool counted = now->cpus && began->migrations >= 0 && now->migrations >= 0;

	print_figure(out, "suspended_s", disturbances->suspended_ns, 1e9, 6);
	print_figure(out, "clock_step_s", disturbances->clock_step_ns, 1e9, 6);
	print_figure(out, "rtc_gap_s", disturbances->rtc_gap_s, 1, 0);
	print_figure(out, "steal_ms", steal_of(&disturbances->steal, report->cpu), 1, 0);
	print_figure(out, "smis", totals_sums(report->totals)->smis, 1, 0);
	print_value(out, "rt_throttled", disturbances->guard_ns ? "unknown" : "no");
	print_figure(out, "migrations", counted ? now->migrations - began->migrations : MONITOR_UNKNOWN, 1, 0);
	print_count(out, "stopped_ms", channel->stopped_ms);
	print_value(out, "frozen", channel->frozen ? "yes" : "no");
}

/* What was granted, what the preflight found, and the machine. What changed has two lines. */
static void print_machine(FILE *out, const struct report *report)
{
	const struct channel *channel = report->channel;
	const struct machine *before = report->run->machine, *after = report->after;
	const char *granted = channel->rights.granted;	/* lines */

	if (*channel->idle_latency)
		print_value(out, "idle_latency_us", channel->idle_latency);
	if (channel_idle_latency_changed(channel))
		print_value(out, "idle_latency_us_after", channel->idle_latency_after);
	for (const char *line = granted; *line; line += strcspn(line, "\n"), line += *line == '\n')
		fprintf(out, "# %.*s\n", (int)strcspn(line, "\n"), line);
	if (!*granted && report->cpu >= 0)
		print_count(out, "cpu", report->cpu);
	print_value(out, "preflight", report->run->preflight);
	print_disturbances(out, report);
	for (int i = 0; i < SYSINFO_FACTS; i++) {
		const struct sysinfo_fact *fact = &before->fact[i];
		char key[40];

		print_value(out, fact->key, fact->value);
		snprintf(key, sizeof(key), "%s_after", fact->key);
		if (after && sysinfo_differs(fact, &after->fact[i]))
			print_value(out, key, after->fact[i].value);
	}
}

static void print_header(FILE *out, const struct report *report)
{
	const struct sums *sums = totals_sums(report->totals);
	const struct source_ops *ops = report->source->ops;
	const struct run *run = report->run;
	char started[32];

	fputs("# realfeel 1\n", out);
	if (report->parts > 1)
		fprintf(out, "# part: %u of %u\n", report->part, report->parts);
	print_value(out, "status", report->status);
	fprintf(out, "# verdict: %s%s", grade_names[report->verdict.grade], *report->verdict.reasons ? ": " : "");
	print_text(out, report->verdict.reasons);
	fputc('\n', out);
	if (*report->verdict.remarks)
		print_value(out, "remarks", report->verdict.remarks);
	print_percentiles(out, sums);
	if (run->options->label)
		print_value(out, "label", run->options->label);
	print_words(out, "command", run->options->argv);
	print_value(out, "version", VERSION);
	strftime(started, sizeof(started), "%Y-%m-%dT%H:%M:%SZ", gmtime(&report->started));
	print_value(out, "started", started);
	fprintf(out, "# duration_s: %.6f\n", (sums->to_ns - sums->from_ns) / 1e9);
	print_source(out, report);
	print_value(out, "clock", run->clock->name);
	if (run->clock->ticks)
		fprintf(out, "# tsc_hz: %.1f\n# tsc_error_ppm: %.4f\n# tsc_drift_ppm: %.4f\n", run->clock->hz,
			run->clock->error_ppm, sums->figures.clock_drift_ppm);
	if (measures_schedule(ops->measures))
		print_value(out, "schedule", report->evidence.schedule);
	print_explain(out, report);
	print_limits(out, report);
	print_load(out, run->load, run->options->load_name, sums->from_ns);
	print_count(out, "samples", sums->samples);
	print_count(out, "periods", sums->samples + sums->missed);
	print_count(out, "missed", sums->missed);
	if (measures_schedule(ops->measures))
		print_count(out, "early_wakeups", sums->early_wakeups);
	print_matched(out, ops, sums);
	print_series(out, sums, ops->measures, 0, COUNTED_SERIES);
	if (report->channel->tap_state->level)
		print_parts(out, sums, ops->measures);
	print_machine(out, report);
}

void report_print(FILE *out, const void *what)
{
	const struct report *reports = what;

	for (unsigned i = 0; i < reports->count; i++) {
		if (!reports[i].part)
			continue;
		print_header(out, &reports[i]);
		report_print_data(out, reports[i].totals, reports[i].source->ops->measures,
				  reports[i].channel->tap_state->level);
		if (reports[i].channel->tap_state->level >= EXPLAIN_BLAME)
			report_print_records(out, &reports[i]);
		fprintf(out, "# end samples=%" PRIu64 "\n", totals_sums(reports[i].totals)->samples);
	}
}
