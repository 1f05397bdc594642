// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/instant.h"
#include "source/task_records.h"
#include "trace/refusal.h"
#include "trace/symbols.h"

#define RING_SIZE (128 * 1024)		/* bytes of each CPU: more than a thousand records between two readings */
#define SETTLE_NS 1000000		/* a CPU may write a record a little later than the time that it has */
#define FILTER_SIZE 128

/* A timer that only wakes a thread. One of POSIX, which the interrupt restarts. 0: not known. */
static struct {
	uint64_t wakes, posix;
} function;

enum { TIMER_START };			/* the first of these */

/* Which records of a CPU are ours. A timer that expires may be the thread's own, so all are. */
static const struct {
	const char *tracepoint, *field;	/* the field that has the thread's number; NULL: all are ours */
} wanted[] = {
	[TIMER_START] = { "timer/hrtimer_start", "common_pid" },
	{ "timer/hrtimer_cancel", "common_pid" },
	{ "timer/hrtimer_expire_entry", NULL },
	{ "timer/hrtimer_expire_exit", NULL },
	{ "sched/sched_waking", "pid" },
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

void task_records_find_functions(void)
{
	static const char *const names[] = { "hrtimer_wakeup", "posix_timer_fn" };
	uint64_t addresses[2];

	symbols_look_up("/proc/kallsyms", names, addresses, 2);
	function.wakes = addresses[0];
	function.posix = addresses[1];
}

/* "common_pid == 1234 || function == 0xffffffff81234560" */
static const char *make_filter(char filter[FILTER_SIZE], unsigned which, pid_t thread)
{
	int length = wanted[which].field ? snprintf(filter, FILTER_SIZE, "%s == %d", wanted[which].field, thread) : 0;

	if (which == TIMER_START && function.posix)
		snprintf(filter + length, FILTER_SIZE - length, " || function == 0x%" PRIx64, function.posix);
	return length ? filter : NULL;
}

static int open_cpu(struct task_cpu *at, const struct tracefs *tracefs, int cpu, pid_t thread)
{
	char filter[FILTER_SIZE];

	perf_ring_init(&at->ring, &at->layout, cpu, RING_SIZE, PERF_RING_DRAINED);
	for (unsigned i = 0; i < WANTED; i++) {
		if (perf_ring_add(&at->ring, tracefs, wanted[i].tracepoint, make_filter(filter, i, thread),
				  TRACE_FIELDS) < 0)
			return errno == ENODEV ? EXIT_MEASURED : refuse_tracepoint(wanted[i].tracepoint);
	}
	return EXIT_MEASURED;
}

/* A CPU that is offline has nothing to record. */
static int open_cpus(struct task_records *records, pid_t thread)
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
		status = open_cpu(&records->cpu[records->cpus], &tracefs, records->cpus, thread);
		records->cpus++;
	}
	tracefs_close(&tracefs);
	return status;
}

/* The kernel's own records of switches also arrive where it does not trace those from its idle task. */
static int open_switches(struct task_records *records, pid_t thread)
{
	perf_ring_init(&records->switches, &records->no_layout, -1, RING_SIZE, PERF_RING_DRAINED);
	if (perf_ring_add_switches(&records->switches, thread) == 0)
		return EXIT_MEASURED;
	if (errno != ESRCH)
		return refuse_tracepoint("the switches of the thread");
	warn("--source=task:%d: it ended before it could be measured; start it again", thread);
	return EXIT_NO_DEVICE;
}

int task_records_open(struct task_records *records, pid_t thread)
{
	struct refusal refusal;
	int status = open_cpus(records, thread);

	task_order_init(&records->order, records->place, TASK_RECORDS);
	if (!status)
		status = open_switches(records, thread);
	if (!status && trace_refuse_namespace(&refusal))
		status = refuse(&refusal, false);
	if (status)
		return status;
	perf_ring_enable(&records->switches, true);
	for (unsigned i = 0; i < records->cpus; i++)
		perf_ring_enable(&records->cpu[i].ring, true);
	records->read_ns = monotonic_ns();
	return EXIT_MEASURED;
}

/* One of the rings that are being read. */
struct reading {
	struct task_records *records;
	int cpu;			/* whose it is; -1: the records say */
	uint64_t last_ns;		/* of the record before */
};

static struct task_record record_of(const struct trace_record *record, int cpu)
{
	static const enum task_event events[] = {
		[TRACE_TIMER_START] = TASK_TIMER_START, [TRACE_TIMER_CANCEL] = TASK_TIMER_CANCEL,
		[TRACE_EXPIRE] = TASK_TIMER_EXPIRY, [TRACE_EXPIRED] = TASK_TIMER_DONE,
		[TRACE_WAKING] = TASK_WAKING, [TRACE_SWITCH_IN] = TASK_SWITCHED_IN,
	};

	return (struct task_record){
		.event = record->kind != TRACE_SWITCH_OUT ? events[record->kind] :
			 record->runnable ? TASK_PREEMPTED : TASK_SLEEPS,
		.cpu = cpu < 0 ? record->cpu : cpu, .at_ns = record->at_ns, .current = record->current,
		.interrupt = record->interrupt, .timer = record->timer,
		.wakes = function.wakes && record->work == function.wakes,
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
				  record_of(record, reading->cpu);

	task_order_put(&reading->records->order, &next);
	if (record->at_ns > reading->last_ns)
		reading->last_ns = record->at_ns;
}

static void drain(struct task_records *records, struct perf_ring *ring, int cpu)
{
	struct reading reading = { records, cpu, records->read_ns };

	if (ring->memory)
		perf_ring_drain(ring, put, &reading);
}

void task_records_read(struct task_records *records)
{
	uint64_t now_ns = monotonic_ns();

	for (unsigned i = 0; i < records->cpus; i++)
		drain(records, &records->cpu[i].ring, i);
	drain(records, &records->switches, -1);
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
	perf_ring_close(&records->switches);
}
