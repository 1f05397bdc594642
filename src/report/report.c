// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <string.h>

#include "explain/tap.h"
#include "report/data.h"
#include "report/lines.h"
#include "report/report.h"

static void print_ring(FILE *out, const struct report *report)
{
	const struct source *source = report->source;
	const double *overhead_ns = report->channel->overhead_ns;

	if (!source->ops->is_ring)
		return;
	print_count(out, "processes", source->processes);
	print_count(out, "array_bytes", source->array_bytes);
	if (!*overhead_ns)
		return;
	fputs("# hop_overhead_ns:", out);
	for (unsigned i = 0; i < OVERHEAD_REPEATS; i++)
		fprintf(out, " %.1f", overhead_ns[i]);
	fputc('\n', out);
}

static void print_source(FILE *out, const struct report *report, bool aligned)
{
	const struct source *source = report->source;

	fprintf(out, "# source: %s%s", source->ops->name, source->device ? " " : "");
	print_text(out, source->device ? source->device : "");
	fputc('\n', out);
	if (source->hz) {
		print_count(out, "frequency_hz", source->hz);
		print_count(out, "period_ns", source->period_ns);
	}
	if (source->threads)
		observed_print(out, report);
	print_ring(out, report);
	if (measures_schedule(source->ops->measures))
		print_count(out, "anchor_uncertainty_ns", report->channel->anchor_uncertainty_ns);
	if (!source->origin_ns)
		return;
	print_value(out, "phases", aligned ? "aligned" : "spread");
	print_count(out, "phase_ns", source->phase_ns);
}

static void print_clock(FILE *out, const struct clock *clock, double drift_ppm)
{
	print_value(out, "clock", clock->name);
	if (clock->ticks)
		fprintf(out, "# tsc_hz: %.1f\n# tsc_error_ppm: %.4f\n# tsc_drift_ppm: %.4f\n",
			clock->hz, clock->error_ppm, drift_ppm);
}

static void print_explain(FILE *out, const struct tap_state *state)
{
	const char *level = options_explain_name(state->level);
	const struct trial *trial = &state->trial;

	fprintf(out, "# explain: %s%s", level, *state->refused ? " (" : "");
	print_text(out, state->refused);
	fputs(*state->refused ? ")\n" : "\n", out);
	if (!state->level || !trial->wakeups)
		return;
	print_count(out, "explain_with_ns", state->with_ns);
	print_count(out, "explain_without_ns", state->without_ns);
	print_share(out, "explain_wakings", trial->wakings, trial->wakeups);
	print_share(out, "explain_switches", trial->recorded, trial->switches);
	print_share(out, "explain_traced", trial->traced, trial->switches);
}

/* Our own processes by their pids, as the kernel's records name them. */
static void print_processes(FILE *out, const struct report *report)
{
	const struct channel *channel = report->channel;

	fprintf(out, "# own_processes: keeper:%d standby:%d meter:%d", report->keeper, report->standby, channel->meter);
	if (channel->waker)
		fprintf(out, " waker:%d", channel->waker);
	if (report->run->load->pid)
		fprintf(out, " load:%d", report->run->load->pid);
	fputc('\n', out);
}

static void print_load(FILE *out, const struct load *load, const char *name, uint64_t origin_ns)
{
	static const char *const ended_by[] = {
		[LOAD_ITSELF] = "itself", [LOAD_WITH_RUN] = "the run",
		[LOAD_WITH_STANDBY] = "the kill of the standby",
	};
	char exit[32];

	if (!load->command) {
		print_value(out, "load", "none");
		return;
	}
	load_tell_exit(load, exit, sizeof(exit));
	if (name)
		print_value(out, "load", name);
	else
		print_words(out, "load", load->command);
	print_value(out, "load_cpus", load->cpus);
	if (load->end == LOAD_RUNNING)
		return;
	print_value(out, "load_exit", exit);
	print_value(out, "load_ended_by", ended_by[load->end]);
	if (origin_ns)
		fprintf(out, "# load_ended_s: %.6f\n", (int64_t)(load->ended_ns - origin_ns) / 1e9);
}

static void print_limits(FILE *out, const struct report *report, const struct sums *sums)
{
	const struct options *options = report->run->options;
	const struct channel *channel = report->channel;

	if (options->max.ns) {
		char limit[LIMIT_TEXT];

		print_value(out, "limit", limit_text(&options->max, limit));
		print_count(out, "max_ns", options->max.ns);
		print_value(out, "max", sums_exceed(sums, &options->max) ? "exceeded" : "kept");
	}
	if (options->break_ns)
		print_count(out, "break_ns", options->break_ns);
	if (*channel->trace)
		print_value(out, "trace", channel->trace);
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
	const struct sched_state *began = &channel->began, *now = &report->sched_state;
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

/* A fact that changed has two lines. */
static void print_machine(FILE *out, const struct machine *before, const struct machine *after)
{
	for (int i = 0; i < SYSINFO_FACTS; i++) {
		const struct sysinfo_fact *fact = &before->fact[i];
		char key[40];

		print_value(out, fact->key, fact->value);
		if (!after || !sysinfo_differs(fact, &after->fact[i]))
			continue;
		snprintf(key, sizeof(key), "%s_after", fact->key);
		print_value(out, key, after->fact[i].value);
	}
}

/* Like a fact of the machine, the idle latency has two lines if it changed. Even a meter without rights has a CPU. */
static void print_granted(FILE *out, const struct report *report)
{
	const struct channel *channel = report->channel;

	if (*channel->idle_latency)
		print_value(out, "idle_latency_us", channel->idle_latency);
	if (channel_idle_latency_changed(channel))
		print_value(out, "idle_latency_us_after", channel->idle_latency_after);
	print_lines(out, channel->rights.granted);
	if (!*channel->rights.granted && report->cpu >= 0)
		print_count(out, "cpu", report->cpu);
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

/* Moments of some series in the order of the report: first to end - 1. */
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
		lateness = u128_add(lateness, sums->moments[series_of_part(part)].sum);
	print_count(out, "parts_matched", sums->matched);
	print_count(out, "parts_unknown", sums_unmatched(sums));
	print_count(out, "trace_lost", sums->trace_lost);
	print_value(out, "parts_lateness_sum_ns", u128_to_text(lateness, text));
	print_series(out, sums, measures, COUNTED_SERIES, SERIES);
}

/* How many requests, or wake-ups of another program, the kernel's records account for. */
static void print_matched(FILE *out, const struct source *source, const struct sums *sums)
{
	if (!source->ops->matched && !source->threads)
		return;
	print_count(out, "matched", sums->samples);
	print_count(out, "unmatched", sums->figures.unmatched);
	if (source->ops->matched)
		print_count(out, "unasked", sums->figures.unasked);
	if (source->threads)
		observed_print_counts(out, sums);
}

static void print_header(FILE *out, const struct report *report)
{
	const struct sums *sums = totals_sums(report->totals);
	enum measures measures = report->source->ops->measures;
	const struct run *run = report->run;
	char started[32];

	fputs("# realfeel 1\n", out);
	if (report->parts > 1)
		fprintf(out, "# part: %u of %u\n", report->part, report->parts);
	print_value(out, "status", report->status);
	print_value(out, "verdict", report->verdict.text);
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
	print_source(out, report, run->options->aligned);
	print_clock(out, run->clock, sums->figures.clock_drift_ppm);
	if (measures_schedule(measures))
		print_value(out, "schedule", report->schedule);
	print_explain(out, report->channel->tap_state);
	if (report->channel->tap_state->level >= EXPLAIN_BLAME)
		print_processes(out, report);
	print_limits(out, report, sums);
	print_load(out, run->load, run->options->load_name, sums->from_ns);
	print_count(out, "samples", sums->samples);
	print_count(out, "periods", sums->samples + sums->missed);
	print_count(out, "missed", sums->missed);
	if (measures_schedule(measures))
		print_count(out, "early_wakeups", sums->early_wakeups);
	print_matched(out, report->source, sums);
	print_series(out, sums, measures, 0, COUNTED_SERIES);
	if (report->channel->tap_state->level)
		print_parts(out, sums, measures);
	print_granted(out, report);
	print_value(out, "preflight", run->preflight);
	print_disturbances(out, report);
	print_machine(out, run->machine, report->after);
}

static void print_records(FILE *out, const struct report *report)
{
	const struct channel *channel = report->channel;

	if (channel->tap_state->level >= EXPLAIN_BLAME)
		report_print_records(out, &(struct report_records){
			report->totals, channel->flight, &channel->tap_state->layout, report->run->flights,
			report->run->symbols, channel->tap_state->cpu,
		});
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
		print_records(out, &reports[i]);
		fprintf(out, "# end samples=%" PRIu64 "\n", totals_sums(reports[i].totals)->samples);
	}
}
