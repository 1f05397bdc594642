// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"
#include "explain_refusal.h"
#include "source_deferred_records.h"

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
static int add(struct trace_ring *ring, const struct tracefs *tracefs, const struct trigger_end *end,
	       const struct trigger *trigger, bool ours)
{
	char filter[FILTER_SIZE];

	compare(filter, end, trigger);
	if (ours)
		snprintf(filter + strlen(filter), FILTER_SIZE - strlen(filter), " && common_pid == %d", getpid());
	return trace_ring_add(ring, tracefs, end->tracepoint, filter, TRACE_FIELDS);
}

static int refuse(const char *source, const struct explain_refusal *refusal)
{
	warn("--source=%s: %s; %s", source, refusal->reason, refusal->remedy);
	return refusal->absent ? EXIT_NO_DEVICE : EXIT_NOT_MEASURED;
}

/* On that CPU; -1: on all but those that are offline, which have nothing to record. */
static int open_rings(struct record_rings *rings, const struct tracefs *tracefs, const struct trigger_end *end,
		      const struct trigger *trigger, int only, bool ours)
{
	unsigned cpus = sysconf(_SC_NPROCESSORS_CONF);
	struct explain_refusal refusal;

	rings->layout = calloc(cpus, sizeof(*rings->layout));
	rings->ring = calloc(cpus, sizeof(*rings->ring));
	if (!rings->layout || !rings->ring) {
		warn("--source=%s: allocate memory: %m; free some", trigger->ops->source);
		return EXIT_NOT_MEASURED;
	}
	for (unsigned cpu = only < 0 ? 0 : only; cpu < (only < 0 ? cpus : only + 1u); cpu++) {
		struct trace_ring *ring = &rings->ring[rings->count];

		trace_ring_init(ring, &rings->layout[rings->count], cpu, RING_SIZE, false);
		if (add(ring, tracefs, end, trigger, ours) == 0) {
			rings->count++;
		} else if (only >= 0 || errno != ENODEV) {
			explain_refuse_tracepoint(&refusal, end->tracepoint, errno);
			return refuse(trigger->ops->source, &refusal);
		}
	}
	return EXIT_MEASURED;
}

/* Where there is no tracepoint for tasklets, that of all of them is the next best. */
static const struct trigger_end *end_of_work(const struct tracefs *tracefs, const struct trigger_ops *ops)
{
	static const struct trigger_end any_tasklet = { "irq/softirq_entry", "vec", OUR_SOFTIRQ };
	bool absent = tracefs_id(tracefs, ops->executed.tracepoint) < 0 && errno == ENOENT;

	return absent && ops->queued.subject == OUR_SOFTIRQ ? &any_tasklet : &ops->executed;
}

/* This process queues what it asks for where it runs. */
static int open_all(struct records *records, const struct tracefs *tracefs, const struct trigger *trigger)
{
	const struct trigger_ops *ops = trigger->ops;
	int status = open_rings(&records->queued, tracefs, &ops->queued, trigger, trigger->cpu, true);

	if (status)
		return status;
	return open_rings(&records->executed, tracefs, end_of_work(tracefs, ops), trigger,
			  ops->anywhere ? -1 : trigger->cpu, false);
}

static void enable(const struct record_rings *rings)
{
	for (unsigned i = 0; i < rings->count; i++)
		trace_ring_enable(&rings->ring[i], true);
}

int records_open(struct records *records, const struct trigger *trigger, struct pairs *pairs)
{
	struct explain_refusal refusal;
	struct tracefs tracefs;
	int status;

	*records = (struct records){ .pairs = pairs };
	if (tracefs_open(&tracefs) < 0) {
		explain_refuse_tracefs(&refusal, &tracefs, errno);
		return refuse(trigger->ops->source, &refusal);
	}
	status = open_all(records, &tracefs, trigger);
	tracefs_close(&tracefs);
	if (status)
		return status;
	if (explain_refuse_namespace(&refusal))
		return refuse(trigger->ops->source, &refusal);
	enable(&records->queued);
	enable(&records->executed);
	return EXIT_MEASURED;
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
		trace_ring_drain(&records->queued.ring[i], tell_queued, records->pairs);
	for (unsigned i = 0; i < records->executed.count; i++)
		trace_ring_drain(&records->executed.ring[i], tell_executed, records->pairs);
}

static void close_rings(struct record_rings *rings)
{
	for (unsigned i = 0; i < rings->count; i++)
		trace_ring_close(&rings->ring[i]);
	free(rings->ring);
	free(rings->layout);
	*rings = (struct record_rings){ .count = 0 };
}

void records_close(struct records *records)
{
	close_rings(&records->queued);
	close_rings(&records->executed);
}
