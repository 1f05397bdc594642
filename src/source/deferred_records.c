// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "source/deferred_records.h"
#include "trace/refusal.h"

#define RING_SIZE (32 * 1024)		/* for one period, of all that run the same function */
#define TASKLET_SOFTIRQ 6
#define FILTER_SIZE 128

/* "vec == 0x6" */
static void compare(char filter[FILTER_SIZE], const struct trigger_end *end, const struct trigger *trigger)
{
	uint64_t one = trigger->function[0], other = trigger->function[1];

	if (end->subject == OUR_SOFTIRQ)
		one = other = TASKLET_SOFTIRQ;
	if (end->subject == OUR_THREAD)
		one = other = trigger->sqpoll.thread;
	one = one ? one : other;
	other = other ? other : one;
	snprintf(filter, FILTER_SIZE, "(%s == 0x%" PRIx64 " || %s == 0x%" PRIx64 ")", end->field, one, end->field,
		 other);
}

/* What others queue is of no use; who executes is somebody else. */
static int add(struct perf_ring *ring, const struct tracefs *tracefs, const struct trigger_end *end,
	       const struct trigger *trigger, bool ours)
{
	char filter[FILTER_SIZE];

	compare(filter, end, trigger);
	if (ours)
		snprintf(filter + strlen(filter), FILTER_SIZE - strlen(filter), " && common_pid == %d", getpid());
	return perf_ring_add(ring, tracefs, end->tracepoint, filter, TRACE_FIELDS);
}

/* Returns the exit status; absent: this kernel has none. */
static int report_refusal(const char *source, const struct refusal *refusal, bool absent)
{
	char line[REFUSAL_LINE];

	warn("--source=%s: %s", source, refusal_line(refusal, line));
	return absent ? EXIT_NO_DEVICE : EXIT_NOT_MEASURED;
}

static int refuse_tracepoint(const char *source, const char *tracepoint, int error)
{
	struct refusal refusal;
	bool absent = trace_refuse_tracepoint(&refusal, tracepoint, error);

	return report_refusal(source, &refusal, absent);
}

static int make_room(struct record_rings *rings, unsigned count, const char *source)
{
	*rings = (struct record_rings){
		.layout = calloc(count, sizeof(*rings->layout)), .ring = calloc(count, sizeof(*rings->ring)),
	};
	if (rings->layout && rings->ring)
		return EXIT_MEASURED;
	warn("--source=%s: allocate memory: %m; free some", source);
	return EXIT_NOT_MEASURED;
}

/* Which of the two ends is recorded, and how. */
struct plan {
	const struct trigger_end *end;
	int cpu;			/* -1: on all but those that are offline, which have nothing to record */
	bool ours;			/* of this process only */
	bool common;
};

static int open_rings(struct record_rings *rings, const struct tracefs *tracefs, const struct trigger *trigger,
		      const struct plan *plan)
{
	int first = plan->cpu < 0 ? 0 : plan->cpu;
	int last = plan->cpu < 0 ? sysconf(_SC_NPROCESSORS_CONF) - 1 : plan->cpu;
	int status = make_room(rings, last - first + 1, trigger->ops->source);

	for (int cpu = first; !status && cpu <= last; cpu++) {
		struct perf_ring *ring = &rings->ring[rings->count];

		if (plan->common)
			perf_ring_init_common(ring, &rings->layout[rings->count], cpu, RING_SIZE);
		else
			perf_ring_init(ring, &rings->layout[rings->count], cpu, RING_SIZE, false);
		if (add(ring, tracefs, plan->end, trigger, plan->ours) == 0) {
			perf_ring_enable(ring, true);
			rings->count++;
		} else if (plan->cpu >= 0 || errno != ENODEV) {
			status = refuse_tracepoint(trigger->ops->source, plan->end->tracepoint, errno);
		}
	}
	return status;
}

/* Where there is no tracepoint for tasklets, that of all of them is the next best. */
static const struct trigger_end *end_of_work(const struct tracefs *tracefs, const struct trigger_ops *ops)
{
	static const struct trigger_end any_tasklet = { "irq/softirq_entry", "vec", OUR_SOFTIRQ };
	bool absent = tracefs_id(tracefs, ops->executed.tracepoint) < 0 && errno == ENOENT;

	return absent && ops->queued.subject == OUR_SOFTIRQ ? &any_tasklet : &ops->executed;
}

static int open_tracefs(struct tracefs *tracefs, const char *source)
{
	struct refusal refusal;
	bool absent;

	if (tracefs_open(tracefs) == 0)
		return EXIT_MEASURED;
	absent = trace_refuse_tracefs(&refusal, tracefs, errno);
	return report_refusal(source, &refusal, absent);
}

int records_open_common(struct record_rings *common, const struct trigger *trigger)
{
	const struct plan executed = { &trigger->ops->executed, -1, false, true };
	struct tracefs tracefs;
	int status = open_tracefs(&tracefs, trigger->ops->source);

	if (status)
		return status;
	status = open_rings(common, &tracefs, trigger, &executed);
	tracefs_close(&tracefs);
	return status;
}

static int follow(struct record_rings *rings, const char *source)
{
	for (unsigned i = 0; i < rings->count; i++)
		if (perf_ring_follow(&rings->ring[i]) < 0)
			return refuse_tracepoint(source, "what is executed", errno);
	return EXIT_MEASURED;
}

/* This process queues what it asks for where it runs. */
static int open_both(struct records *records, const struct tracefs *tracefs, const struct trigger *trigger)
{
	const struct trigger_ops *ops = trigger->ops;
	const struct plan queued = { &ops->queued, trigger->cpu, true, false };
	const struct plan executed = { end_of_work(tracefs, ops), trigger->cpu, false, false };
	int status = open_rings(&records->queued, tracefs, trigger, &queued);

	if (status)
		return status;
	if (records->common)
		return follow(&records->executed, ops->source);
	return open_rings(&records->executed, tracefs, trigger, &executed);
}

int records_open(struct records *records, const struct trigger *trigger, const struct record_rings *common,
		 struct pairs *pairs)
{
	struct refusal refusal;
	struct tracefs tracefs;
	int status = open_tracefs(&tracefs, trigger->ops->source);

	*records = (struct records){ .pairs = pairs, .common = trigger->ops->anywhere };
	if (status)
		return status;
	if (records->common)
		records->executed = *common;
	status = open_both(records, &tracefs, trigger);
	tracefs_close(&tracefs);
	if (!status && trace_refuse_namespace(&refusal))
		status = report_refusal(trigger->ops->source, &refusal, false);
	return status;
}

static void tell_queued(void *pairs, const struct trace_record *record)
{
	if (record->kind == TRACE_LOST)
		pairs_lost(pairs);
	else
		pairs_queued(pairs, record->work, record->at_ns);
}

static void tell_executed(void *pairs, const struct trace_record *record)
{
	if (record->kind == TRACE_LOST)
		pairs_lost(pairs);
	else
		pairs_executed(pairs, record->work, record->at_ns);
}

/* No end is told before its beginning, which was recorded before by this process. */
void records_read(struct records *records)
{
	for (unsigned i = 0; i < records->queued.count; i++)
		perf_ring_drain(&records->queued.ring[i], tell_queued, records->pairs);
	for (unsigned i = 0; i < records->executed.count; i++)
		perf_ring_drain(&records->executed.ring[i], tell_executed, records->pairs);
}

static void close_rings(struct record_rings *rings)
{
	for (unsigned i = 0; i < rings->count; i++)
		perf_ring_close(&rings->ring[i]);
	free(rings->ring);
	free(rings->layout);
	*rings = (struct record_rings){ .count = 0 };
}

void records_close_common(struct record_rings *common)
{
	close_rings(common);
}

void records_close(struct records *records)
{
	close_rings(&records->queued);
	for (unsigned i = 0; records->common && i < records->executed.count; i++)
		perf_ring_leave(&records->executed.ring[i]);
	if (!records->common)
		close_rings(&records->executed);
}
