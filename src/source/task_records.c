// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "base/diag.h"
#include "base/instant.h"
#include "source/registry.h"
#include "source/task.h"

#define RING_SIZE (256 * 1024)		/* bytes for each CPU: thousands of records, because a load may delay reading */
#define RING_SIZE_OF_ALL (2 << 20)	/* the same, with the records of other threads */
#define RING_SIZE_OF_THREAD (64 * 1024)	/* for its switches */
#define LATE_NS 1000000			/* records may appear this long after their time stamp */
#define RECORDS 16384			/* for records that were read and not taken, */
#define RECORDS_OF_ALL (8 * RECORDS)		/* and if there are many threads */
#define KEPT offsetof(struct trace_record, prev)	/* bytes of each */

/* Which records of a CPU are ours. A timer that expires may be the thread's own, so all are ours. */
static const struct {
	const char *tracepoint, *field;	/* the field that has the thread's number; NULL: all are ours */
	bool by_perf;			/* perf misses none, and only it shows if an interrupt did it */
} wanted[] = {
	{ "timer/hrtimer_start", "common_pid", true },
	{ "timer/hrtimer_cancel", "common_pid", true },
	{ "timer/hrtimer_expire_entry", NULL, false },
	{ "timer/hrtimer_expire_exit", NULL, false },
	{ "sched/sched_waking", "pid", false },
};

/* With few threads, their switches are recorded wherever they are; with many, all switches on each CPU. */
static const char *record_cpu(struct perf_ring *ring, const void *context)
{
	const struct task_records *records = context;
	const struct source *source = records->source;
	bool by_program = source->by_programs && cpus_include(source->by_programs, ring->cpu);

	for (unsigned i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
		struct trace_filter filter = { .field = wanted[i].field };

		for (unsigned j = 0; filter.field && !records->all && j < source->thread_count; j++)
			filter.value[filter.count++] = source->threads[j].id;
		if (perf_ring_record(ring, wanted[i].tracepoint, &filter, TRACE_FIELDS,
				     by_program && !wanted[i].by_perf) < 0)
			return wanted[i].tracepoint;
	}
	return records->all && perf_ring_add_switches(ring, -1, true) < 0 ? "the switches of all threads" : NULL;
}

/*
 * The kernel's own records of switches also arrive where it does not trace those
 * from its idle task. One of several threads may have ended meanwhile.
 */
static int open_switches(struct task_records *records)
{
	const struct source *source = records->source;
	struct refusal refusal;

	for (unsigned i = 0; !records->all && i < source->thread_count; i++) {
		struct perf_ring *ring = &records->switches[i];
		pid_t thread = source->threads[i].id;

		perf_ring_init(ring, NULL, -1, RING_SIZE_OF_THREAD, PERF_RING_DRAINED);
		if (perf_ring_add_switches(ring, thread, true) == 0 || (errno == ESRCH && source->thread_count > 1))
			continue;
		if (errno == ESRCH)
			return fail(EXIT_NO_DEVICE, "--source=task:%d: the task ended before it could be measured; "
				    "start it again", thread);
		trace_refuse_tracepoint(&refusal, "the switches of the thread", errno);
		return source_refuse(source, &refusal);
	}
	return EXIT_MEASURED;
}

/*
 * All of its memory is allocated beforehand: the kernel takes 2 ms to zero a huge page, and cannot be preempted, so
 * measured threads would wait.
 */
static bool open_order(struct task_order *order, unsigned room)
{
	void *memory = mmap(NULL, room * (KEPT + sizeof(*order->sorted)), PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (memory == MAP_FAILED)
		return false;
	*order = (struct task_order){
		.room = room, .kept = memory, .sorted = (void *)((unsigned char *)memory + room * KEPT),
	};
	return true;
}

static void close_order(struct task_order *order)
{
	if (order->kept)
		munmap(order->kept, order->room * (KEPT + sizeof(*order->sorted)));
	order->kept = NULL;
}

int task_records_open(struct task_records *records, const struct source *source)
{
	bool all = source->thread_count > TASK_FEW;
	struct refusal refusal;
	int status;

	*records = (struct task_records){ .source = source, .all = all };
	if (!open_order(&records->order, all ? RECORDS_OF_ALL : RECORDS))
		return source_refuse_memory(source);
	if (perf_rings_open(&records->rings, -1, all ? RING_SIZE_OF_ALL : RING_SIZE, PERF_RING_DRAINED, record_cpu,
			    records, &refusal) < 0)
		return source_refuse(source, &refusal);
	status = open_switches(records);
	if (!status && trace_refuse_namespace(&refusal))
		status = source_refuse(source, &refusal);
	if (status)
		return status;
	for (unsigned i = 0; i < TASK_FEW; i++)	/* last: nothing is expected before a switch */
		perf_ring_enable(&records->switches[i], true);
	records->began_ns = records->read_ns = monotonic_ns();
	return EXIT_MEASURED;
}

static struct trace_record *kept(const struct task_order *order, unsigned i)
{
	return (struct trace_record *)(order->kept + i * KEPT);
}

/* A record that is earlier than what was taken, or that finds no room, is lost. */
static void order_put(struct task_order *order, const struct trace_record *record)
{
	if (record->at_ns >= order->taken_ns && order->count < order->room)
		memcpy(kept(order, order->count++), record, KEPT);
	else
		order->lost_ns = greater(order->lost_ns, greater(record->at_ns + 1, record->until_ns));
}

/* At equal times, timers expire first, and their functions return last; else as they were added. */
static bool is_before(const struct trace_record *a, const struct trace_record *b)
{
	int rank_a = a->kind == TRACE_EXPIRE ? -1 : a->kind == TRACE_EXPIRED;
	int rank_b = b->kind == TRACE_EXPIRE ? -1 : b->kind == TRACE_EXPIRED;

	if (a->at_ns != b->at_ns)
		return a->at_ns < b->at_ns;
	return rank_a != rank_b ? rank_a < rank_b : a < b;
}

/* By Shell's method: the meter may be real-time, and qsort() may take memory. The records of each CPU come in order. */
static void sort_by_time(struct task_order *order)
{
	struct trace_record **sorted = order->sorted;

	for (unsigned i = 0; i < order->count; i++)
		sorted[i] = kept(order, i);
	for (unsigned gap = order->count / 2; gap; gap /= 2) {
		for (unsigned i = gap; i < order->count; i++) {
			struct trace_record *held = sorted[i];
			unsigned j = i;

			for (; j >= gap && is_before(held, sorted[j - gap]); j -= gap)
				sorted[j] = sorted[j - gap];
			sorted[j] = held;
		}
	}
}

const struct trace_record *task_order_take(struct task_order *order, uint64_t until_ns)
{
	unsigned left = 0;

	if (order->lost_ns) {
		order->loss = (struct trace_record){
			.kind = TRACE_LOST, .at_ns = order->taken_ns, .until_ns = order->lost_ns,
		};
		order->lost_ns = 0;
		return &order->loss;
	}
	if (!order->taken)
		sort_by_time(order);
	if (order->taken < order->count && order->sorted[order->taken]->at_ns < until_ns) {
		order->taken_ns = order->sorted[order->taken]->at_ns;
		return order->sorted[order->taken++];
	}
	for (unsigned i = 0; i < order->count; i++)
		if (kept(order, i)->at_ns >= until_ns)
			memmove(kept(order, left++), kept(order, i), KEPT);
	order->count = left;
	order->taken = 0;
	order->taken_ns = greater(order->taken_ns, until_ns);
	return NULL;
}

/* One of the rings that are being read. */
struct reading {
	struct task_records *records;
	int thread;			/* whose switches are in it; 0: the records name it */
	uint64_t last_ns;		/* of the previous record */
};

/*
 * A loss has the time of the next record that found room; 0: none has found any yet. A timer that expires may be any
 * thread's; else a record without a thread belongs to the idle task, or to a timer that an interrupt starts. While some
 * rings were recording and others were not yet, a thread may have been woken unseen.
 */
static void put_record(void *context, const struct trace_record *record)
{
	struct reading *reading = context;
	struct trace_record next = *record;
	bool is_common = record->kind == TRACE_EXPIRE || record->kind == TRACE_EXPIRED || record->kind == TRACE_LOST;

	if (record->kind == TRACE_LOST) {
		next.until_ns = record->at_ns ? record->at_ns : monotonic_ns();
		next.at_ns = reading->last_ns;
	} else if (!next.thread) {
		next.thread = reading->thread;
	}
	if ((is_common || next.thread) && next.at_ns >= reading->records->began_ns)
		order_put(&reading->records->order, &next);
	reading->last_ns = greater(reading->last_ns, record->at_ns);
}

static void drain_ring(struct task_records *records, struct perf_ring *ring, int thread)
{
	struct reading reading = { records, thread, records->read_ns };

	if (ring->memory)
		perf_ring_drain(ring, put_record, &reading);
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

	for (unsigned i = 0; i < records->rings.count; i++)
		drain_ring(records, &records->rings.cpu[i].ring, 0);
	for (unsigned i = 0; !records->all && i < source->thread_count; i++)
		drain_ring(records, &records->switches[i], source->threads[i].id);
	records->read_ns = now_ns - LATE_NS;
}

void task_records_close(struct task_records *records)
{
	perf_rings_close(&records->rings);
	close_order(&records->order);
	for (unsigned i = 0; i < TASK_FEW; i++)
		perf_ring_close(&records->switches[i]);
}
