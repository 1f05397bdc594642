// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/instant.h"
#include "source/task_records.h"
#include "trace/refusal.h"

#define RING_SIZE (256 * 1024)		/* bytes of each CPU: thousands of records, for a load may delay a reading */
#define RING_SIZE_OF_THREAD (64 * 1024)	/* for its switches */
#define SETTLE_NS 1000000		/* a CPU may write a record a little later than the time that it has */
#define RING_SIZE_OF_ALL (2 << 20)	/* the same, if those of other threads are among them */
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

static int refuse(const struct refusal *refusal, bool absent)
{
	char line[REFUSAL_LINE];

	warn("--source=task: %s", refusal_line(refusal, line));
	return absent ? EXIT_NO_DEVICE : EXIT_NOT_MEASURED;
}

static int refuse_tracepoint(const char *tracepoint)
{
	struct refusal refusal;
	bool absent = trace_refuse_tracepoint(&refusal, tracepoint, errno);

	return refuse(&refusal, absent);
}

static struct trace_filter make_filter(unsigned which, const struct task_records *records)
{
	struct trace_filter filter = { .field = wanted[which].field };

	for (unsigned i = 0; filter.field && !records->all && i < records->threads; i++)
		filter.value[filter.count++] = records->thread[i].id;
	return filter;
}

/* The switches of few threads are recorded wherever these are, else those of all threads on each CPU. */
static int open_cpu(struct task_records *records, const struct tracefs *tracefs, int cpu)
{
	bool by_programs = records->by_programs && cpus_include(records->by_programs, cpu);
	struct task_cpu *at = &records->cpu[cpu];

	perf_ring_init(&at->ring, &at->layout, cpu, records->all ? RING_SIZE_OF_ALL : RING_SIZE, PERF_RING_DRAINED);
	for (unsigned i = 0; i < WANTED; i++) {
		const struct trace_filter filter = make_filter(i, records);

		if (perf_ring_record(&at->ring, tracefs, wanted[i].tracepoint, &filter, TRACE_FIELDS,
				     by_programs && !wanted[i].by_perf) < 0)
			return errno == ENODEV ? EXIT_MEASURED : refuse_tracepoint(wanted[i].tracepoint);
	}
	if (records->all && perf_ring_add_switches(&at->ring, -1, true) < 0)
		return refuse_tracepoint("the switches of all threads");
	return EXIT_MEASURED;
}

/* A CPU that is offline has nothing to record. */
static int open_cpus(struct task_records *records)
{
	unsigned all = sysconf(_SC_NPROCESSORS_CONF);
	struct tracefs tracefs;
	struct refusal refusal;
	int status = EXIT_MEASURED;

	if (tracefs_open(&tracefs) < 0) {
		bool absent = trace_refuse_tracefs(&refusal, &tracefs, errno);

		return refuse(&refusal, absent);
	}
	records->cpu = calloc(all, sizeof(*records->cpu));
	if (!records->cpu) {
		warn("--source=task: allocate memory: %m; free some");
		status = EXIT_NOT_MEASURED;
	}
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
	for (unsigned i = 0; !records->all && i < records->threads; i++) {
		struct perf_ring *ring = &records->switches[i];
		pid_t thread = records->thread[i].id;

		perf_ring_init(ring, &records->no_layout, -1, RING_SIZE_OF_THREAD, PERF_RING_DRAINED);
		if (perf_ring_add_switches(ring, thread, true) == 0 || (errno == ESRCH && records->threads > 1))
			continue;
		if (errno != ESRCH)
			return refuse_tracepoint("the switches of the thread");
		warn("--source=task:%d: it ended before it could be measured; start it again", thread);
		return EXIT_NO_DEVICE;
	}
	return EXIT_MEASURED;
}

int task_records_open(struct task_records *records, const struct source *source)
{
	bool command = !source->threads->id, all = command || source->thread_count > TASK_FEW;
	unsigned places = all ? PLACES_OF_ALL : PLACES;
	struct refusal refusal;
	int status;

	*records = (struct task_records){
		.thread = source->threads, .threads = source->thread_count, .by_programs = source->by_programs,
		.all = all, .command = command,
	};
	records->place = calloc(places, sizeof(*records->place));
	if (!records->place) {
		warn("--source=task: allocate memory: %m; free some");
		return EXIT_NOT_MEASURED;
	}
	task_order_init(&records->order, records->place, places);
	status = open_cpus(records);
	if (!status)
		status = open_switches(records);
	if (!status && trace_refuse_namespace(&refusal))
		status = refuse(&refusal, false);
	if (status)
		return status;
	for (unsigned i = 0; i < records->cpus; i++)
		perf_ring_enable(&records->cpu[i].ring, true);
	for (unsigned i = 0; i < TASK_FEW; i++)	/* last: nothing is expected before a switch */
		perf_ring_enable(&records->switches[i], true);
	records->read_ns = monotonic_ns();
	return EXIT_MEASURED;
}

/* One of the rings that are being read. */
struct reading {
	struct task_records *records;
	int cpu;			/* whose it is; -1: the records say */
	int thread;			/* whose switches are in it; 0: the records say */
	uint64_t last_ns;		/* of the record before */
};

static enum task_event event_of(const struct trace_record *record)
{
	static const enum task_event events[] = {
		[TRACE_TIMER_START] = TASK_TIMER_START, [TRACE_TIMER_CANCEL] = TASK_TIMER_CANCEL,
		[TRACE_EXPIRE] = TASK_TIMER_EXPIRY, [TRACE_EXPIRED] = TASK_TIMER_DONE,
		[TRACE_WAKING] = TASK_WAKING, [TRACE_SWITCH_IN] = TASK_SWITCHED_IN, [TRACE_FORK] = TASK_FORK,
		[TRACE_EXIT] = TASK_EXIT,
	};

	if (record->kind == TRACE_SWITCH && record->current == record->next.pid)
		return TASK_SWITCHED_IN;
	if (record->kind == TRACE_SWITCH || record->kind == TRACE_SWITCH_OUT)
		return record->runnable ? TASK_PREEMPTED : TASK_SLEEPS;
	return events[record->kind];
}

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

/* The switches of the idle task are nobody's, nor does a thread start the timers that an interrupt starts in it. */
static bool is_of_none(const struct trace_record *record)
{
	return record->kind == TRACE_SWITCH ? !record->current : is_of_timer(record) && record->interrupt;
}

static struct task_record record_of(const struct trace_record *record, const struct reading *reading)
{
	return (struct task_record){
		.event = event_of(record), .thread = thread_of(record, reading->thread),
		.cpu = reading->cpu < 0 ? record->cpu : reading->cpu, .at_ns = record->at_ns,
		.current = record->current, .child = record->next.pid, .sibling = record->sibling,
		.timer = record->timer,
		.soft_ns = record->expires_ns, .hard_ns = record->latest_ns, .now_ns = record->expires_ns,
	};
}

/* The time of a loss is that of the next record that found room; 0: none has found any yet. */
static struct task_record loss_of(const struct trace_record *record, uint64_t from_ns)
{
	return (struct task_record){
		.event = TASK_LOST, .at_ns = from_ns, .until_ns = record->at_ns ? record->at_ns : monotonic_ns(),
	};
}

static void put(void *context, const struct trace_record *record)
{
	struct reading *reading = context;
	struct task_record next = record->kind == TRACE_LOST ? loss_of(record, reading->last_ns) :
				  record_of(record, reading);

	if (!is_of_none(record))
		task_order_put(&reading->records->order, &next);
	if (record->at_ns > reading->last_ns)
		reading->last_ns = record->at_ns;
}

static void drain(struct task_records *records, struct perf_ring *ring, int cpu, int thread)
{
	struct reading reading = { records, cpu, thread, records->read_ns };

	if (ring->memory)
		perf_ring_drain(ring, put, &reading);
}

void task_records_clocks(int64_t offset_ns[TASK_CLOCKS])
{
	static const clockid_t clocks[TASK_CLOCKS] = { CLOCK_REALTIME, CLOCK_BOOTTIME, CLOCK_TAI };

	for (unsigned i = 0; i < TASK_CLOCKS; i++) {
		int64_t before_ns = monotonic_ns(), now_ns = clock_ns(clocks[i]), after_ns = monotonic_ns();

		if (offset_ns[i] < now_ns - after_ns || offset_ns[i] > now_ns - before_ns)
			offset_ns[i] = now_ns - before_ns - (after_ns - before_ns) / 2;
	}
}

void task_records_read(struct task_records *records)
{
	uint64_t now_ns = monotonic_ns();

	for (unsigned i = 0; i < records->cpus; i++)
		drain(records, &records->cpu[i].ring, i, 0);
	for (unsigned i = 0; !records->all && i < records->threads; i++)
		drain(records, &records->switches[i], -1, records->thread[i].id);
	records->read_ns = now_ns - SETTLE_NS;
}

bool task_records_take(struct task_records *records, struct task_record *record)
{
	return task_order_take(&records->order, records->read_ns, record);
}

void task_records_close(struct task_records *records)
{
	for (unsigned i = 0; i < records->cpus; i++)
		perf_ring_close(&records->cpu[i].ring);
	free(records->cpu);
	free(records->place);
	for (unsigned i = 0; i < TASK_FEW; i++)
		perf_ring_close(&records->switches[i]);
}
