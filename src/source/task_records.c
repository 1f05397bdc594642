// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/instant.h"
#include "source/registry.h"
#include "source/task.h"
#include "trace/refusal.h"

#define RING_SIZE (256 * 1024)		/* bytes of each CPU: thousands of records, for a load may delay a reading */
#define RING_SIZE_OF_ALL (2 << 20)	/* the same, if those of other threads are among them */
#define RING_SIZE_OF_THREAD (64 * 1024)	/* for its switches */
#define LATE_NS 1000000			/* records may appear this long after their time stamp */
#define PLACES 16384			/* for records that were read and not taken, */
#define PLACES_OF_ALL (8 * PLACES)	/* and if the threads are many */

/* Which records of a CPU are ours. A timer that expires may be the thread's own, so all are. */
static const struct {
	const char *tracepoint, *field;	/* the field that has the thread's number; NULL: all are ours */
	bool by_perf;			/* it misses none of these, and alone says whether it was an interrupt */
} wanted[] = {
	{ "timer/hrtimer_start", "common_pid", true },
	{ "timer/hrtimer_cancel", "common_pid", true },
	{ "timer/hrtimer_expire_entry", NULL, false },
	{ "timer/hrtimer_expire_exit", NULL, false },
	{ "sched/sched_waking", "pid", false },
};

#define WANTED (sizeof(wanted) / sizeof(*wanted))

static int refuse_tracepoint(const struct task_records *records, const char *tracepoint)
{
	struct refusal refusal;

	return source_refuse(records->source, &refusal, trace_refuse_tracepoint(&refusal, tracepoint, errno));
}

static struct trace_filter make_filter(unsigned which, const struct task_records *records)
{
	struct trace_filter filter = { .field = wanted[which].field };

	for (unsigned i = 0; filter.field && !records->all && i < records->source->thread_count; i++)
		filter.value[filter.count++] = records->source->threads[i].id;
	return filter;
}

/* The switches of few threads are recorded wherever these are, else those of all threads on each CPU. */
static int open_cpu(struct task_records *records, const struct tracefs *tracefs, int cpu)
{
	const struct cpus *by_programs = records->source->by_programs;
	bool by_program = by_programs && cpus_include(by_programs, cpu);
	struct task_cpu *at = &records->cpu[cpu];

	perf_ring_init(&at->ring, &at->layout, cpu, records->all ? RING_SIZE_OF_ALL : RING_SIZE, PERF_RING_DRAINED);
	for (unsigned i = 0; i < WANTED; i++) {
		const struct trace_filter filter = make_filter(i, records);

		if (perf_ring_record(&at->ring, tracefs, wanted[i].tracepoint, &filter, TRACE_FIELDS,
				     by_program && !wanted[i].by_perf) < 0)
			return errno == ENODEV ? EXIT_MEASURED : refuse_tracepoint(records, wanted[i].tracepoint);
	}
	if (records->all && perf_ring_add_switches(&at->ring, -1, true) < 0)
		return refuse_tracepoint(records, "the switches of all threads");
	return EXIT_MEASURED;
}

/* A CPU that is offline has nothing to record. */
static int open_cpus(struct task_records *records)
{
	unsigned all = sysconf(_SC_NPROCESSORS_CONF);
	int status = EXIT_MEASURED;
	struct tracefs tracefs;
	struct refusal refusal;

	if (tracefs_open(&tracefs) < 0)
		return source_refuse(records->source, &refusal, trace_refuse_tracefs(&refusal, &tracefs, errno));
	records->cpu = calloc(all, sizeof(*records->cpu));
	if (!records->cpu)
		status = source_refuse_memory(records->source);
	while (!status && records->cpus < all) {
		status = open_cpu(records, &tracefs, records->cpus);
		records->cpus++;
	}
	tracefs_close(&tracefs);
	return status;
}

/*
 * The kernel's own records of switches also arrive where it does not trace those
 * from its idle task. One of several threads may have ended meanwhile.
 */
static int open_switches(struct task_records *records)
{
	const struct source *source = records->source;

	for (unsigned i = 0; !records->all && i < source->thread_count; i++) {
		struct perf_ring *ring = &records->switches[i];
		pid_t thread = source->threads[i].id;

		perf_ring_init(ring, &records->no_layout, -1, RING_SIZE_OF_THREAD, PERF_RING_DRAINED);
		if (perf_ring_add_switches(ring, thread, true) == 0 || (errno == ESRCH && source->thread_count > 1))
			continue;
		if (errno != ESRCH)
			return refuse_tracepoint(records, "the switches of the thread");
		warn("--source=task:%d: it ended before it could be measured; start it again", thread);
		return EXIT_NO_DEVICE;
	}
	return EXIT_MEASURED;
}

int task_records_open(struct task_records *records, const struct source *source)
{
	bool command = !source->threads->id, all = command || source->thread_count > TASK_FEW;
	struct task_order *order = &records->order;
	struct refusal refusal;
	int status;

	*records = (struct task_records){
		.source = source, .all = all, .command = command, .order.room = all ? PLACES_OF_ALL : PLACES,
	};
	order->place = calloc(order->room, sizeof(*order->place));
	if (!order->place)
		return source_refuse_memory(source);
	status = open_cpus(records);
	if (!status)
		status = open_switches(records);
	if (!status && trace_refuse_namespace(&refusal))
		status = source_refuse(source, &refusal, false);
	if (status)
		return status;
	for (unsigned i = 0; i < records->cpus; i++)
		perf_ring_enable(&records->cpu[i].ring, true);
	for (unsigned i = 0; i < TASK_FEW; i++)	/* last: nothing is expected before a switch */
		perf_ring_enable(&records->switches[i], true);
	records->read_ns = monotonic_ns();
	return EXIT_MEASURED;
}

/* A record that is earlier than what was taken, or that finds no room, is lost. */
static void order_put(struct task_order *order, const struct task_record *record)
{
	if (record->at_ns < order->taken_ns || order->count == order->room) {
		if (order->lost_ns <= record->at_ns)
			order->lost_ns = record->at_ns + 1;
		return;
	}
	order->place[order->count++] = (struct task_place){ .record = *record, .number = order->put++ };
	order->sorted = false;
}

static int rank(const struct task_record *record)
{
	return record->kind == TRACE_EXPIRE ? -1 : record->kind == TRACE_EXPIRED;
}

static bool is_before(const struct task_place *a, const struct task_place *b)
{
	if (a->record.at_ns != b->record.at_ns)
		return a->record.at_ns < b->record.at_ns;
	if (rank(&a->record) != rank(&b->record))
		return rank(&a->record) < rank(&b->record);
	return a->number < b->number;
}

/* By Shell's method: the meter may be real-time, and qsort() may take memory. The records of each CPU come in order. */
static void sort(struct task_place *place, unsigned count)
{
	for (unsigned gap = count / 2; gap; gap /= 2) {
		for (unsigned i = gap; i < count; i++) {
			struct task_place held = place[i];
			unsigned j = i;

			for (; j >= gap && is_before(&held, &place[j - gap]); j -= gap)
				place[j] = place[j - gap];
			place[j] = held;
		}
	}
}

/* Takes the earliest record, if it is before until_ns. When records were lost, the next one is TRACE_LOST. */
static bool order_take(struct task_order *order, uint64_t until_ns, struct task_record *record)
{
	struct task_place *next = order->place + order->taken;

	if (order->lost_ns) {
		*record = (struct task_record){
			.kind = TRACE_LOST, .at_ns = order->taken_ns, .until_ns = order->lost_ns,
		};
		order->lost_ns = 0;
		return true;
	}
	if (!order->sorted)
		sort(next, order->count - order->taken);
	order->sorted = true;
	if (order->taken < order->count && next->record.at_ns < until_ns) {
		*record = next->record;
		order->taken++;
		order->taken_ns = record->at_ns;
		return true;
	}
	order->count -= order->taken;
	order->taken = 0;
	memmove(order->place, next, order->count * sizeof(*next));
	if (order->taken_ns < until_ns)
		order->taken_ns = until_ns;
	return false;
}

/* One of the rings that are being read. */
struct reading {
	struct task_records *records;
	int cpu;			/* whose it is; -1: the records say */
	int thread;			/* whose switches are in it; 0: the records say */
	uint64_t last_ns;		/* of the record before */
};

static bool is_of_timer(const struct trace_record *record)
{
	return record->kind == TRACE_TIMER_START || record->kind == TRACE_TIMER_CANCEL;
}

/* A timer that expires may be any thread's. */
static int thread_of(const struct trace_record *record, int thread)
{
	if (record->kind == TRACE_WAKING)
		return record->next.pid;
	if (record->kind == TRACE_FORK || record->kind == TRACE_EXIT)
		return record->prev.pid;
	return record->kind == TRACE_SWITCH || is_of_timer(record) ? record->current : thread;
}

/* The switches of the idle task are of no thread, nor does a thread start the timers that an interrupt starts in it. */
static bool is_of_none(const struct trace_record *record)
{
	return record->kind == TRACE_SWITCH ? !record->current : is_of_timer(record) && record->interrupt;
}

/* The time of a loss is that of the next record that found room; 0: none has found any yet. */
static struct task_record record_of(const struct trace_record *record, const struct reading *reading)
{
	enum trace_kind kind = record->kind;

	if (kind == TRACE_LOST)
		return (struct task_record){
			.kind = kind, .at_ns = reading->last_ns,
			.until_ns = record->at_ns ? record->at_ns : monotonic_ns(),
		};
	if (kind == TRACE_SWITCH)
		kind = record->current == record->next.pid ? TRACE_SWITCH_IN : TRACE_SWITCH_OUT;
	return (struct task_record){
		.kind = kind, .thread = thread_of(record, reading->thread),
		.cpu = reading->cpu < 0 ? record->cpu : reading->cpu, .at_ns = record->at_ns,
		.current = record->current, .child = record->next.pid, .sibling = record->sibling,
		.runnable = record->runnable, .timer = record->timer,
		.expires_ns = record->expires_ns, .latest_ns = record->latest_ns,
	};
}

static void put(void *context, const struct trace_record *record)
{
	struct reading *reading = context;
	const struct task_record next = record_of(record, reading);

	if (!is_of_none(record))
		order_put(&reading->records->order, &next);
	reading->last_ns = greater(reading->last_ns, record->at_ns);
}

static void drain(struct task_records *records, struct perf_ring *ring, int cpu, int thread)
{
	struct reading reading = { records, cpu, thread, records->read_ns };

	if (ring->memory)
		perf_ring_drain(ring, put, &reading);
}

void task_records_clocks(int64_t offset_ns[TASK_CLOCKS])
{
	static const clockid_t clocks[TASK_CLOCKS] = { CLOCK_MONOTONIC, CLOCK_REALTIME, CLOCK_BOOTTIME, CLOCK_TAI };

	for (unsigned i = 1; i < TASK_CLOCKS; i++) {
		int64_t before_ns = monotonic_ns(), now_ns = clock_ns(clocks[i]), after_ns = monotonic_ns();

		if (offset_ns[i] < now_ns - after_ns || offset_ns[i] > now_ns - before_ns)
			offset_ns[i] = now_ns - before_ns - (after_ns - before_ns) / 2;
	}
}

void task_records_read(struct task_records *records)
{
	const struct source *source = records->source;
	uint64_t now_ns = monotonic_ns();

	for (unsigned i = 0; i < records->cpus; i++)
		drain(records, &records->cpu[i].ring, i, 0);
	for (unsigned i = 0; !records->all && i < source->thread_count; i++)
		drain(records, &records->switches[i], -1, source->threads[i].id);
	records->read_ns = now_ns - LATE_NS;
}

bool task_records_take(struct task_records *records, struct task_record *record)
{
	return order_take(&records->order, records->read_ns, record);
}

void task_records_close(struct task_records *records)
{
	for (unsigned i = 0; i < records->cpus; i++)
		perf_ring_close(&records->cpu[i].ring);
	free(records->cpu);
	free(records->order.place);
	for (unsigned i = 0; i < TASK_FEW; i++)
		perf_ring_close(&records->switches[i]);
}
