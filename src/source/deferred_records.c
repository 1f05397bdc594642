// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/diag.h"
#include "source/deferred_records.h"
#include "trace/perf_ring.h"
#include "trace/refusal.h"

#define RING_SIZE (32 * 1024)		/* bytes: what all that run the same function leave in one period */
#define FILTER_SIZE 128

struct cpu_records {
	struct trace_layout layout;
	struct perf_ring ring;
};

static struct end_records common;	/* for work executed on any CPU: opened by the keeper, read by all meters */

/* Returns what to exit with. absent: this kernel has no such thing. */
static int refuse(const struct trigger *trigger, const struct refusal *refusal, bool absent)
{
	char line[REFUSAL_LINE];

	warn("--source=%s: %s", trigger->name, refusal_line(refusal, line));
	return absent ? EXIT_NO_DEVICE : EXIT_NOT_MEASURED;
}

static int refuse_end(const struct trigger *trigger, const struct trigger_end *end)
{
	struct refusal refusal;
	bool absent = trace_refuse_tracepoint(&refusal, end->tracepoint, errno);

	return refuse(trigger, &refusal, absent);
}

/* "(vec == 0x6 || vec == 0x6) && common_pid == 1234" */
static void make_filter(char filter[FILTER_SIZE], const struct trigger_end *end, const struct trigger *trigger)
{
	uint64_t one = end->number ? end->number : trigger->subject[0];
	uint64_t other = end->number ? end->number : trigger->subject[1];
	int length = snprintf(filter, FILTER_SIZE, "(%s == 0x%" PRIx64 " || %s == 0x%" PRIx64 ")", end->field, one,
			      end->field, other);

	if (end == &trigger->ops->queued)
		snprintf(filter + length, FILTER_SIZE - length, " && common_pid == %d", getpid());
}

/*
 * Some kernels do not trace all switches, but tell a thread's own event of each
 * switch to it, up to some microseconds later: whichever comes first counts.
 */
static int add_records(struct cpu_records *at, const struct end_records *records, const struct tracefs *tracefs,
		       const struct trigger *trigger, const char *filter)
{
	bool switched = trigger->ops->switched && records->end == &trigger->ops->executed;
	int error;

	if (perf_ring_add(&at->ring, tracefs, records->end->tracepoint, filter, TRACE_FIELDS) < 0)
		return -1;
	if (!switched || perf_ring_add_switches(&at->ring, trigger->subject[0], false) == 0)
		return 0;
	error = errno;
	perf_ring_close(&at->ring);
	errno = error;
	return -1;
}

/* cpu -1: on all CPUs. Those that are offline have nothing to record. */
static int open_end(struct end_records *records, const struct tracefs *tracefs, const struct trigger *trigger, int cpu)
{
	int first = cpu < 0 ? 0 : cpu, last = cpu < 0 ? sysconf(_SC_NPROCESSORS_CONF) - 1 : cpu;
	char filter[FILTER_SIZE];

	records->cpu = calloc(last - first + 1, sizeof(*records->cpu));
	if (!records->cpu) {
		warn("--source=%s: allocate memory: %m; free some", trigger->name);
		return EXIT_NOT_MEASURED;
	}
	make_filter(filter, records->end, trigger);
	for (int number = first; number <= last; number++) {
		struct cpu_records *at = &records->cpu[records->count];

		perf_ring_init(&at->ring, &at->layout, number, RING_SIZE,
			       records == &common ? PERF_RING_COMMON : PERF_RING_DRAINED);
		if (add_records(at, records, tracefs, trigger, filter) == 0) {
			perf_ring_enable(&at->ring, true);
			records->count++;
		} else if (cpu >= 0 || errno != ENODEV) {
			return refuse_end(trigger, records->end);
		}
	}
	return EXIT_MEASURED;
}

static void close_end(struct end_records *records)
{
	for (unsigned i = 0; i < records->count; i++)
		perf_ring_close(&records->cpu[i].ring);
	free(records->cpu);
	*records = (struct end_records){ .count = 0 };
}

static int follow_common(struct deferred_records *records, const struct tracefs *tracefs, const struct trigger *trigger)
{
	int status = EXIT_MEASURED;

	if (!common.count) {
		common.end = &trigger->ops->executed;
		status = open_end(&common, tracefs, trigger, -1);
	}
	records->common = true;
	records->executed = common;
	for (unsigned i = 0; !status && i < common.count; i++)
		if (perf_ring_follow(&common.cpu[i].ring) < 0)
			status = refuse_end(trigger, common.end);
	return status;
}

static int open_own(struct deferred_records *records, const struct tracefs *tracefs, const struct trigger *trigger)
{
	const struct trigger_ops *ops = trigger->ops;
	bool absent = tracefs_read_format(tracefs, ops->executed.tracepoint, NULL, 0, NULL) < 0 && errno == ENOENT;

	records->executed.end = absent && ops->fallback.tracepoint ? &ops->fallback : &ops->executed;
	return open_end(&records->executed, tracefs, trigger, trigger->cpu);
}

int records_open(struct deferred_records *records, const struct trigger *trigger)
{
	struct refusal refusal;
	struct tracefs tracefs;
	int status;

	*records = (struct deferred_records){ .queued.end = &trigger->ops->queued };
	if (tracefs_open(&tracefs) < 0) {
		bool absent = trace_refuse_tracefs(&refusal, &tracefs, errno);

		return refuse(trigger, &refusal, absent);
	}
	status = open_end(&records->queued, &tracefs, trigger, trigger->cpu);
	if (!status && trigger->ops->anywhere)
		status = follow_common(records, &tracefs, trigger);
	else if (!status)
		status = open_own(records, &tracefs, trigger);
	tracefs_close(&tracefs);
	if (!status && trace_refuse_namespace(&refusal))
		status = refuse(trigger, &refusal, false);
	return status;
}

static void report(void *context, const struct trace_record *record)
{
	struct pairs *pairs = context;

	if (record->kind == TRACE_LOST)
		pairs_lost(pairs);
	else if (record->kind == TRACE_QUEUED || record->kind == TRACE_WAKING)
		pairs_queued(pairs, record->work, record->at_ns);
	else if (record->kind != TRACE_SWITCH_OUT)
		pairs_executed(pairs, record->work, record->at_ns);
}

static void read_end(struct end_records *records, struct pairs *pairs)
{
	for (unsigned i = 0; i < records->count; i++)
		perf_ring_drain(&records->cpu[i].ring, report, pairs);
}

/* In this order each queueing is reported before its execution: this process queued before it came here. */
void records_read(struct deferred_records *records, struct pairs *pairs)
{
	read_end(&records->queued, pairs);
	read_end(&records->executed, pairs);
}

void records_close(struct deferred_records *records)
{
	close_end(&records->queued);
	for (unsigned i = 0; records->common && i < records->executed.count; i++)
		perf_ring_leave(&records->executed.cpu[i].ring);
	if (!records->common)
		close_end(&records->executed);
}

void records_close_common(void)
{
	close_end(&common);
}
