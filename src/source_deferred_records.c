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

/* Where there is no tracepoint for tasklets, that of all of them is the next best. */
static const struct trigger_end any_tasklet = { "irq/softirq_entry", "vec", OUR_SOFTIRQ };

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

/* Returns 0, or -1 with errno and the tracepoint that is refused. */
static int add_ends(struct records *records, const struct tracefs *tracefs, const struct trigger *trigger,
		    int cpu, const char **refused)
{
	const struct trigger_end *queued = &trigger->ops->queued, *executed = &trigger->ops->executed;
	unsigned i = records->cpus;
	struct trace_ring *first = &records->ring[i], *second = &records->ring[records->room + i];

	trace_ring_init(first, &records->layout[i], cpu, RING_SIZE, false);
	trace_ring_init(second, &records->layout[i], cpu, RING_SIZE, false);
	*refused = queued->tracepoint;
	if (add(first, tracefs, queued, trigger, true) < 0)
		return -1;
	*refused = executed->tracepoint;
	if (add(second, tracefs, executed, trigger, false) == 0)
		return 0;
	if (errno != ENOENT || queued->subject != OUR_SOFTIRQ)
		return -1;
	return add(second, tracefs, &any_tasklet, trigger, false);
}

static int refuse(const char *source, const struct explain_refusal *refusal)
{
	warn("--source=%s: %s; %s", source, refusal->reason, refusal->remedy);
	return refusal->absent ? EXIT_NO_DEVICE : EXIT_NOT_MEASURED;
}

/* A CPU that is offline has nothing to record. */
static int add_cpus(struct records *records, const struct tracefs *tracefs, const struct trigger *trigger)
{
	bool one = trigger->cpu >= 0 && !trigger->ops->anywhere;
	int first = one ? trigger->cpu : 0, last = one ? trigger->cpu : (int)records->room - 1;
	struct explain_refusal refusal;
	const char *refused;

	for (int cpu = first; cpu <= last; cpu++) {
		if (add_ends(records, tracefs, trigger, cpu, &refused) == 0) {
			records->cpus++;
		} else if (one || errno != ENODEV) {
			explain_refuse_tracepoint(&refusal, refused, errno);
			return refuse(trigger->ops->source, &refusal);
		}
	}
	return EXIT_MEASURED;
}

int records_open(struct records *records, const struct trigger *trigger, struct pairs *pairs)
{
	unsigned room = sysconf(_SC_NPROCESSORS_CONF);
	struct explain_refusal refusal;
	struct tracefs tracefs;
	int status;

	*records = (struct records){
		.room = room, .layout = calloc(room, sizeof(*records->layout)),
		.ring = calloc(2 * room, sizeof(*records->ring)), .pairs = pairs,
	};
	if (!records->layout || !records->ring) {
		warn("--source=%s: allocate memory: %m; free some", trigger->ops->source);
		return EXIT_NOT_MEASURED;
	}
	if (tracefs_open(&tracefs) < 0) {
		explain_refuse_tracefs(&refusal, &tracefs, errno);
		return refuse(trigger->ops->source, &refusal);
	}
	status = add_cpus(records, &tracefs, trigger);
	tracefs_close(&tracefs);
	if (status)
		return status;
	if (explain_refuse_namespace(&refusal))
		return refuse(trigger->ops->source, &refusal);
	for (unsigned i = 0; i < 2 * room; i++)
		trace_ring_enable(&records->ring[i], true);
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
	for (unsigned i = 0; i < records->cpus; i++)
		trace_ring_drain(&records->ring[i], tell_queued, records->pairs);
	for (unsigned i = 0; i < records->cpus; i++)
		trace_ring_drain(&records->ring[records->room + i], tell_executed, records->pairs);
}

void records_close(struct records *records)
{
	for (unsigned i = 0; records->ring && i < 2 * records->room; i++)
		trace_ring_close(&records->ring[i]);
	free(records->ring);
	free(records->layout);
	*records = (struct records){ .cpus = 0 };
}
