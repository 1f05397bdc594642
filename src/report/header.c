// SPDX-License-Identifier: GPL-2.0-or-later
/* The header of a report, realfeel(5), line by line; and the reports of a run. */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/text.h"
#include "report/report.h"

/* Print a line of the header, if it is wanted. Its words are our own, so nothing is escaped. */
__attribute__((format(printf, 4, 5)))
static void print_line(FILE *out, bool there, const char *key, const char *format, ...)
{
	va_list args;

	if (!there)
		return;
	fprintf(out, "# %s: ", key);
	va_start(args, format);
	vfprintf(out, format, args);
	va_end(args);
	fputc('\n', out);
}

/* Print a line with a text from elsewhere and, unless it is "", another one between before and after. */
static void print_two(FILE *out, const char *key, const char *text, const char *before, const char *other,
		      const char *after)
{
	fprintf(out, "# %s: ", key);
	report_print_text(out, text, '\0', "");
	fputs(*other ? before : "", out);
	report_print_text(out, other, '\0', "");
	fprintf(out, "%s\n", *other ? after : "");
}

/* Print a line with one such text, if it is wanted. */
static void print_value(FILE *out, bool there, const char *key, const char *text)
{
	if (there)
		print_two(out, key, text, "", "", "");
}

/* Each word of the command is quoted so that a shell reads it as one. */
static void print_command(FILE *out, const char *key, char *const argv[])
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./_-";

	fprintf(out, "# %s:", key);
	for (; *argv; argv++) {
		const char *quote = **argv && !(*argv)[strspn(*argv, plain)] ? "" : "'";

		fprintf(out, " %s", quote);
		report_print_text(out, *argv, '\'', "'\\\\''");
		fputs(quote, out);
	}
	fputc('\n', out);
}

/* Which thread of another program it is. Its stamps are those of the switches to it. */
static void print_thread(FILE *out, const struct report *report)
{
	const struct report *first = report - (report->number - 1);
	const struct thread *thread = &report->channel->thread, *whole = &first->channel->thread;
	const struct sums *sums = totals_sums(report->totals);
	int64_t period_ns = sums->figures.inferred_period_ns, sleepless_ns = report->channel->sleepless.late_ns;
	char asleep[1024] = "";

	for (unsigned i = 0; i < first->count; i++)
		if (!first[i].part)
			text_append(asleep, sizeof(asleep), "%s%s%s", *asleep ? ", " : "", first[i].name,
				    totals_sums(first[i].totals)->figures.state == 'R' ? " (never slept)" : "");
	print_line(out, true, "thread", "%d", thread->id);
	print_value(out, true, "thread_name", thread->name);
	print_line(out, true, "thread_siblings", "%u", thread->siblings);
	print_value(out, true, "thread_policy", sched_state_policy_name(thread->state.policy));
	print_line(out, true, "thread_priority", "%d", thread->state.priority);
	print_value(out, true, "thread_cpus", thread->cpus);
	print_value(out, *asleep, "threads_asleep", asleep);
	print_value(out, whole->newcomers, "threads_begun", whole->newcomer);
	print_line(out, true, "stamp", "switch");
	print_line(out, report->channel->end == END_GONE && sums->samples, "thread_ended_s", "%.6f",
		   (sums->to_ns - sums->from_ns) / 1e9);
	print_line(out, sleepless_ns, "sleepless_s", "%.6f", sleepless_ns / 1e9);
	print_line(out, period_ns > 0, "inferred_period_ns", "%" PRId64, period_ns);
	print_line(out, period_ns > 0, "inferred_missed", "%" PRIu64, sums->figures.inferred_missed);
	print_line(out, sums->figures.inferred_sleep_ns, "inferred_sleep_ns", "%" PRIu64,
		   sums->figures.inferred_sleep_ns);
	print_line(out, sums->figures.inferred_hz > 0, "inferred_rate_hz", "%.6f", sums->figures.inferred_hz);
}

static void print_source(FILE *out, const struct report *report)
{
	const struct source *source = report->source;
	const double *overhead_ns = report->channel->overhead_ns;

	print_two(out, "source", source->ops->name, " ", source->device ? source->device : "", "");
	print_line(out, source->hz, "frequency_hz", "%u", source->hz);
	print_line(out, source->hz, "period_ns", "%" PRIu64, source->period_ns);
	if (source->threads)
		print_thread(out, report);
	print_line(out, source->ops->is_ring, "processes", "%u", source->processes);
	print_line(out, source->ops->is_ring, "array_bytes", "%" PRIu32, source->array_bytes);
	print_line(out, *overhead_ns, "hop_overhead_ns", "%.1f %.1f %.1f", overhead_ns[0], overhead_ns[1],
		   overhead_ns[2]);
	print_line(out, measures_schedule(source->ops->measures), "anchor_uncertainty_ns", "%" PRIu64,
		   report->channel->anchor_uncertainty_ns);
	print_line(out, source->origin_ns, "phases", report->run->options->aligned ? "aligned" : "spread");
	print_line(out, source->origin_ns, "phase_ns", "%" PRIu64, source->phase_ns);
}

/* Our own processes are listed by their pids, as the kernel's records name them. */
static void print_explain(FILE *out, const struct report *report)
{
	const struct channel *channel = report->channel;
	const struct tap_state *state = channel->tap_state;
	const struct trial *trial = &state->trial;
	bool tried = state->level && trial->wakeups;

	print_two(out, "explain", options_explain_name(state->level), " (", state->refused, ")");
	print_line(out, tried, "explain_with_ns", "%" PRId64, state->with_ns);
	print_line(out, tried, "explain_without_ns", "%" PRId64, state->without_ns);
	print_line(out, tried, "explain_wakings", "%" PRIu64 " of %" PRIu64, trial->wakings, trial->wakeups);
	print_line(out, tried, "explain_switches", "%" PRIu64 " of %" PRIu64, trial->recorded, trial->switches);
	print_line(out, tried, "explain_traced", "%" PRIu64 " of %" PRIu64, trial->traced, trial->switches);
	if (state->level < EXPLAIN_BLAME)
		return;
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

	if (name || !load->command)
		print_value(out, true, "load", name ? name : "none");
	else
		print_command(out, "load", load->command);
	print_value(out, load->command, "load_cpus", load->cpus);
	if (!load->command || load->end == LOAD_RUNNING)
		return;
	load_tell_exit(load, exit, sizeof(exit));
	print_line(out, true, "load_exit", "%s", exit);
	print_line(out, true, "load_ended_by", "%s", ended_by[load->end]);
	print_line(out, origin_ns, "load_ended_s", "%.6f", (int64_t)(load->ended_ns - origin_ns) / 1e9);
}

/* A quantile without enough samples is left out. */
static void print_quantile(FILE *out, const char *key, const struct sums *sums, unsigned quantile)
{
	int64_t ns = sums_quantile(&sums, 1, quantile);

	print_line(out, ns != NO_LATENCY && sums_support(&sums, 1, quantile), key, "%.2f", ns / 1e3);
}

/* The moments of some series in the order of the report, first to end - 1; nothing for one without values. */
static void print_series(FILE *out, const struct sums *sums, enum measures measures, unsigned first, unsigned end)
{
	for (unsigned i = first; i < end; i++) {
		const char *name = series_name(measures, series_in_report[i]);
		const struct moments *moments = &sums->moments[series_in_report[i]];
		uint64_t count = sums_count(sums, series_in_report[i]);
		long double sum = u128_to_real(moments->sum), mean = sum / count;
		char text[U128_DIGITS];

		if (!name || !count)
			continue;
		fprintf(out, "# %s_min_ns: %" PRId64 "\n# %s_max_ns: %" PRId64 "\n# %s_mean_ns: %.3Lf\n",
			name, moments->min, name, moments->max, name, mean);
		if (count > 1)
			fprintf(out, "# %s_sd_ns: %.3Lf\n", name,
				sqrtl(fmaxl(u128_to_real(moments->sumsq) - sum * mean, 0) / (count - 1)));
		fprintf(out, "# %s_sum_ns: %s\n", name, u128_to_text(moments->sum, text));
		fprintf(out, "# %s_sumsq_ns2: %s\n", name, u128_to_text(moments->sumsq, text));
	}
}

/* How many requests, or wake-ups of another program, the kernel's records account for; the series, and their parts. */
static void print_counts(FILE *out, const struct source_ops *ops, const struct sums *sums, bool explained)
{
	const struct figures *figures = &sums->figures;
	bool recorded = ops->matched || ops->takes_target;
	struct u128 lateness = u128_from(0);
	char text[U128_DIGITS];

	print_line(out, true, "samples", "%" PRIu64, sums->samples);
	print_line(out, true, "periods", "%" PRIu64, sums->samples + sums->missed);
	print_line(out, true, "missed", "%" PRIu64, sums->missed);
	print_line(out, measures_schedule(ops->measures), "early_wakeups", "%" PRIu64, sums->early_wakeups);
	print_line(out, recorded, "matched", "%" PRIu64, sums->samples);
	print_line(out, recorded, "unmatched", "%" PRIu64, figures->unmatched);
	print_line(out, ops->matched, "unasked", "%" PRIu64, figures->unasked);
	print_line(out, ops->takes_target, "timed", "%" PRIu64, sums->timed);
	print_line(out, sums->timed, "slack_mean_ns", "%.3f", (double)sums->slack_ns / sums->timed);
	print_line(out, ops->takes_target, "preempted", "%" PRIu64, figures->preempted);
	print_line(out, figures->preempted, "preempted_max_ns", "%" PRIu64, figures->preempted_ns);
	print_series(out, sums, ops->measures, 0, COUNTED_SERIES);
	if (!explained)
		return;
	for (enum part part = 0; part < PARTS; part++)
		lateness = u128_add(lateness, sums->moments[COUNTED_SERIES + part].sum);
	print_line(out, true, "parts_matched", "%" PRIu64, sums->matched);
	print_line(out, true, "parts_unknown", "%" PRIu64, sums_unmatched(sums));
	print_line(out, true, "trace_lost", "%" PRIu64, sums->trace_lost);
	print_line(out, true, "parts_lateness_sum_ns", "%s", u128_to_text(lateness, text));
	print_series(out, sums, ops->measures, COUNTED_SERIES, SERIES);
}

/* A figure that the machine may not provide. */
static void print_figure(FILE *out, const char *key, int64_t figure)
{
	print_line(out, figure == MONITOR_UNKNOWN, key, "unknown");
	print_line(out, figure != MONITOR_UNKNOWN, key, "%" PRId64, figure);
}

/* What was granted, what the preflight found, and what disturbed the run. */
static void print_conditions(FILE *out, const struct report *report)
{
	const struct channel *channel = report->channel;
	const struct disturbances *disturbances = report->disturbances;
	const struct sched_state *began = &channel->began, *now = &report->evidence.meter;
	bool counted = now->cpus && began->migrations >= 0 && now->migrations >= 0;
	const char *granted = channel->rights.granted;	/* lines */

	for (const char *line = granted; *line; line += strcspn(line, "\n"), line += *line == '\n')
		fprintf(out, "# %.*s\n", (int)strcspn(line, "\n"), line);
	print_line(out, !*granted && report->cpu >= 0, "cpu", "%d", report->cpu);
	print_value(out, true, "preflight", report->run->preflight);
	print_line(out, true, "suspended_s", "%.6f", disturbances->suspended_ns / 1e9);
	print_line(out, true, "clock_step_s", "%.6f", disturbances->clock_step_ns / 1e9);
	print_figure(out, "rtc_gap_s", disturbances->rtc_gap_s);
	print_figure(out, "steal_ms", disturbances->steal.ms[1 + report->cpu]);
	print_figure(out, "smis", totals_sums(report->totals)->smis);
	print_line(out, true, "rt_throttled", disturbances->guard_ns ? "unknown" : "no");
	print_figure(out, "migrations", counted ? now->migrations - began->migrations : MONITOR_UNKNOWN);
	print_line(out, true, "stopped_ms", "%" PRIu32, channel->stopped_ms);
	print_line(out, true, "frozen", channel->frozen ? "yes" : "no");
}

/* A change takes two lines. */
static void print_machine(FILE *out, const struct machine *before, const struct machine *after)
{
	for (int i = 0; i < SYSINFO_FACTS; i++) {
		const struct sysinfo_fact *fact = &before->fact[i];
		char key[40];

		snprintf(key, sizeof(key), "%s_after", fact->key);
		print_value(out, true, fact->key, fact->value);
		if (after)
			print_value(out, sysinfo_differs(fact, &after->fact[i]), key, after->fact[i].value);
	}
}

static void print_header(FILE *out, const struct report *report)
{
	const struct sums *sums = totals_sums(report->totals);
	const struct source_ops *ops = report->source->ops;
	const struct options *options = report->run->options;
	const struct clock *clock = report->run->clock;
	const struct verdict *verdict = &report->verdict;
	char started[32], limit[LIMIT_TEXT];

	strftime(started, sizeof(started), "%Y-%m-%dT%H:%M:%SZ", gmtime(&report->started));
	fputs("# realfeel 1\n", out);
	print_line(out, report->parts > 1, "part", "%u of %u", report->part, report->parts);
	print_line(out, true, "status", "%s", report->status);
	print_two(out, "verdict", grade_names[verdict->grade], ": ", verdict->reasons, "");
	print_value(out, *verdict->remarks, "remarks", verdict->remarks);
	/* These come early, because most readers look for them. */
	print_quantile(out, "latency_p50_us", sums, P50);
	print_quantile(out, "latency_p99_us", sums, P99);
	print_quantile(out, "latency_p99_9_us", sums, P99_9);
	print_line(out, sums->samples, "latency_max_us", "%.3f", sums->moments[LATENCY].max / 1e3);
	print_value(out, options->label, "label", options->label);
	print_command(out, "command", options->argv);
	print_line(out, true, "version", "%s", VERSION);
	print_line(out, true, "started", "%s", started);
	print_line(out, true, "duration_s", "%.6f", (sums->to_ns - sums->from_ns) / 1e9);
	print_source(out, report);
	print_line(out, true, "clock", "%s", clock->name);
	print_line(out, clock->ticks, "tsc_hz", "%.1f", clock->hz);
	print_line(out, clock->ticks, "tsc_error_ppm", "%.4f", clock->error_ppm);
	print_line(out, clock->ticks, "tsc_drift_ppm", "%.4f", sums->figures.clock_drift_ppm);
	print_value(out, measures_schedule(ops->measures), "schedule", report->evidence.schedule);
	print_explain(out, report);
	print_value(out, options->max.ns, "limit", limit_text(&options->max, limit));
	print_line(out, options->max.ns, "max_ns", "%" PRIu64, options->max.ns);
	print_line(out, options->max.ns, "max", sums_exceed(sums, &options->max) ? "exceeded" : "kept");
	print_line(out, options->break_ns, "break_ns", "%" PRIu64, options->break_ns);
	print_value(out, *report->channel->trace, "trace", report->channel->trace);
	print_load(out, report->run->load, options->load_name, sums->from_ns);
	print_counts(out, ops, sums, report->channel->tap_state->level);
	print_conditions(out, report);
	print_machine(out, report->run->machine, report->after);
}

void report_print(FILE *out, const struct report *reports)
{
	for (const struct report *report = reports; report < reports + reports->count; report++) {
		enum explain_level level = report->channel->tap_state->level;

		if (!report->part)
			continue;
		print_header(out, report);
		report_print_data(out, report->totals, report->source->ops->measures, level);
		if (level >= EXPLAIN_BLAME)
			report_print_records(out, report);
		fprintf(out, "# end samples=%" PRIu64 "\n", totals_sums(report->totals)->samples);
	}
}
