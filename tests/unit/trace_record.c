// SPDX-License-Identifier: GPL-2.0-or-later
/* Records of the kernel's in words: of two kernels, with stacks, cut anywhere, and of no kernel at all. */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <string.h>
#include <unistd.h>

#include "fake_trace.h"
#include "tap.h"

#define PREEMPTED 0x100			/* as sched_switch tells it */

static const char *const kernels[] = { "stock", "PREEMPT_RT" };
static const struct trace_task hog = { 123, 2, "hog" }, meter = { 456, 4, "realfeel" }, idle = { 0, 120, "swapper/0" };
static const struct trace_task longest = { 7, 139, "sixteen-letters" };

static void is_task(const struct trace_task *got, const struct trace_task *expected, const char *name)
{
	ok(!strcmp(got->comm, expected->comm) && got->pid == expected->pid && got->prio == expected->prio, "%s: %s %d %d",
	   name, got->comm, got->pid, got->prio);
}

static bool decode(const struct trace_layout *layout, const unsigned char *data, unsigned size,
		   struct trace_record *record)
{
	memset(record, 0x55, sizeof(*record));
	return trace_decode_one(layout, data, size, record);
}

static void test_switches(enum fake_kernel kernel, const struct trace_layout *layout)
{
	unsigned char data[256];
	struct trace_record record;
	unsigned size = fake_switch(data, kernel, 1000, &hog, PREEMPTED, &longest);

	ok(decode(layout, data, size, &record), "%s: a switch is read", kernels[kernel]);
	is(record.kind, TRACE_SWITCH, "a switch has its kind");
	is(record.at_ns, 1000, "a switch has its time");
	is_task(&record.prev, &hog, "a switch has the task that leaves");
	is_task(&record.next, &longest, "a switch has the task that comes");
	ok(!record.prev_state, "a task that was preempted did not block");
	decode(layout, data, fake_switch(data, kernel, 1000, &hog, 0, &meter), &record);
	ok(!record.prev_state, "a task that yielded did not block");
	decode(layout, data, fake_switch(data, kernel, 1000, &hog, 1, &idle), &record);
	ok(record.prev_state, "a task that sleeps blocked");
	decode(layout, data, fake_switch(data, kernel, 1000, &hog, 2, &idle), &record);
	ok(record.prev_state, "a task that waits for a disk blocked");
}

/* The kernel's own record, by the task that leaves the CPU or by the one that has it. */
static void test_switch_records(void)
{
	struct trace_layout layout = { .count = 0 };
	unsigned char data[64];
	struct trace_record record;
	unsigned size = fake_switch_record(data, 1000, FAKE_LEAVES, 123, 456), decoded = 0;

	ok(decode(&layout, data, size, &record), "a switch by the task that leaves is read");
	is(record.kind, TRACE_SWITCH_OUT, "a switch by the task that leaves has its kind");
	is(record.at_ns, 1000, "a switch by the task that leaves has its time");
	is(record.thread, 123, "a switch by the task that leaves names that task");
	ok(!record.runnable, "a task that leaves the CPU to sleep is not runnable");
	for (unsigned cut = 0; cut < size; cut++)
		decoded += decode(&layout, data, cut, &record);
	is(decoded, 0, "a switch that is cut is refused");
	decode(&layout, data, fake_switch_record(data, 1000, FAKE_IS_PREEMPTED, 123, 456), &record);
	ok(record.runnable, "a task that is preempted is runnable");
	ok(decode(&layout, data, fake_switch_record(data, 2000, FAKE_ENTERS, 123, 456), &record),
	   "a switch by the task that comes is read");
	is(record.kind, TRACE_SWITCH_IN, "a switch by the task that comes has its kind");
	is(record.thread, 456, "a switch by the task that comes names that task");
}

static void test_others(enum fake_kernel kernel, const struct trace_layout *layout)
{
	unsigned char data[256];
	struct trace_record record;

	ok(decode(layout, data, fake_waking(data, kernel, 2000, &meter), &record),
	   "%s: a waking is read", kernels[kernel]);
	is(record.kind, TRACE_WAKING, "a waking has its kind");
	is_task(&record.next, &meter, "a waking has the task that is woken");
	is(record.thread, meter.pid, "a waking is of the task that is woken");
	ok(decode(layout, data, fake_irq(data, kernel, 3000, 9, "eth0"), &record), "an interrupt is read");
	is(record.number, 9, "an interrupt has its number");
	is_text(record.name, "eth0", "an interrupt has its name");
	decode(layout, data, fake_irq(data, kernel, 3000, 9, "a-name-that-is-longer-than-there-is-room-for"), &record);
	is_text(record.name, "a-name-that-is-longer-than-ther", "an interrupt's name may be of any length and is cut");
	ok(decode(layout, data, fake_softirq(data, kernel, 4000, 3), &record), "a softirq is read");
	is(record.number, 3, "a softirq has its number");
	is_text(record.name, "NET_RX", "a softirq has its name");
	decode(layout, data, fake_softirq(data, kernel, 4000, 10), &record);
	is_text(record.name, "unknown", "a softirq of a future kernel has no name");
	is(record.work, 0, "a softirq is no work");
	ok(decode(layout, data, fake_queued(data, kernel, 4500, 0xffff888012345678), &record),
	   "work that is queued is read");
	is(record.kind, TRACE_QUEUED, "work that is queued has its kind");
	is(record.work, (long long)0xffff888012345678, "work that is queued has its whole address");
}

/* The kernel's own record of a switch, as it is asked for: the time, the CPU, the event's number. */
static unsigned own_switch(unsigned char *data, uint16_t misc, uint64_t at_ns, uint32_t cpu)
{
	const struct perf_event_header header = { PERF_RECORD_SWITCH, misc, 32 };
	const uint32_t where[2] = { cpu, 0 };

	memset(data, 0, header.size);
	memcpy(data, &header, sizeof(header));
	memcpy(data + 8, &at_ns, sizeof(at_ns));
	memcpy(data + 16, where, sizeof(where));
	return header.size;
}

static void test_own_switches(void)
{
	const uint16_t out = PERF_RECORD_MISC_SWITCH_OUT, preempted = out | PERF_RECORD_MISC_SWITCH_OUT_PREEMPT;
	const struct trace_layout layout = { .count = 0 };
	unsigned char data[64];
	struct trace_record record;

	ok(decode(&layout, data, own_switch(data, 0, 7000, 3), &record), "a switch to a thread is read");
	is(record.kind, TRACE_SWITCH_IN, "a switch to a thread has its kind");
	is(record.at_ns, 7000, "a switch to a thread has its time");
	is(record.cpu, 3, "a switch to a thread has its CPU");
	decode(&layout, data, own_switch(data, out, 8000, 3), &record);
	is(record.kind, TRACE_SWITCH_OUT, "a switch from a thread has its kind");
	ok(!record.runnable, "a thread that sleeps is not runnable");
	decode(&layout, data, own_switch(data, preempted, 9000, 3), &record);
	is(record.kind, TRACE_SWITCH_OUT, "a switch from a thread that is preempted has its kind");
	ok(record.runnable, "a thread that is preempted is runnable");
	own_switch(data, 0, 7000, 3);
	((struct perf_event_header *)data)->size = 16;
	ok(!decode(&layout, data, 16, &record), "a switch of a thread that is cut is refused");
}

static void test_times(void)
{
	struct trace_layout layout;
	unsigned char data[64];
	struct trace_record record;

	fake_layout(&layout, FAKE_STOCK, TRACE_TIME);
	ok(decode(&layout, data, fake_time(data, FAKE_TIMER, 5000), &record), "a record that has only a time is read");
	is(record.kind, TRACE_VECTOR_ENTRY, "a record that has only a time has its kind");
	is_text(record.name, "timer interrupt", "a record that has only a time has its name");
	is(record.at_ns, 5000, "a record that has only a time has it");
	is(record.words + record.thread + record.number, 0, "a record that has only a time has nothing else");
	ok(decode(&layout, data, fake_lost(data, 6000, 17), &record), "a loss is read");
	is(record.kind, TRACE_LOST, "a loss has its kind");
	is(record.lost, 17, "a loss has the number of lost records");
	is(record.at_ns, 6000, "a loss has its time");
	ok(decode(&layout, data, fake_lost_by_switch(data, 7000, 18), &record), "a loss that a switch reports is read");
	is(record.at_ns, 7000, "a loss that a switch reports has its time behind the thread");
	ok(!decode(&layout, data, fake_time(data, 99, 5000), &record), "an event that is not ours is refused");
}

static void test_stacks(void)
{
	const uint64_t frames[] = { 0xffffffff81000010, 0xffffffff81000020, 0xffffffffc0000030 };
	struct trace_layout layout;
	unsigned char data[512];
	struct trace_record record;
	uint64_t read[TRACE_FRAMES];
	unsigned size;

	fake_layout(&layout, FAKE_RT, TRACE_STACK);
	fake_stack(frames, 3);
	size = fake_switch(data, FAKE_RT, 1000, &hog, 0, &meter);
	fake_stack(NULL, 0);
	ok(decode(&layout, data, size, &record), "a switch with a stack is read");
	is(trace_stack(&record, read), 3, "a stack has its depth, without the mark");
	is(memcmp(read, frames, sizeof(frames)), 0, "a stack has its frames");
	is_task(&record.next, &meter, "a switch with a stack has the task that comes");
	data[24 + 1] = 1;
	ok(!decode(&layout, data, size, &record), "a stack that is longer than the record is refused");
}

static void test_cut(void)
{
	struct trace_layout layout;
	unsigned char data[256];
	struct trace_record record;
	unsigned size, decoded = 0;
	uint32_t fewer = 40;

	fake_layout(&layout, FAKE_STOCK, TRACE_FIELDS);
	size = fake_switch(data, FAKE_STOCK, 1000, &hog, 0, &meter);
	for (unsigned cut = 0; cut < size; cut++)
		decoded += decode(&layout, data, cut, &record);
	is(decoded, 0, "a record that is cut anywhere is refused");
	memcpy(data + 24, &fewer, sizeof(fewer));
	ok(decode(&layout, data, size, &record), "a record that ends before some fields is read");
	is_task(&record.prev, &hog, "a record that ends before some fields has the others");
	is(record.next.pid + record.next.prio, 0, "fields that a record does not reach are 0");
}

/* A thread, the second of process 7, begins one of process 7 or 8, or ends. */
static void test_lives(void)
{
	static const struct { unsigned type; int ids[4]; } told[] = {
		{ PERF_RECORD_FORK, { 7, 7, 9, 8 } }, { PERF_RECORD_FORK, { 9, 7, 9, 8 } }, { PERF_RECORD_EXIT, { 7, 1, 8, 1 } },
	};
	struct trace_layout layout = { .count = 0 };
	struct trace_record records[3];
	unsigned cut = 0;

	for (unsigned i = 0; i < 3; i++) {
		unsigned char data[32];
		struct perf_event_header header = { told[i].type, 0, sizeof(data) };

		memcpy(data, &header, sizeof(header));
		memcpy(data + 8, told[i].ids, sizeof(told[i].ids));
		memcpy(data + 24, &(uint64_t){ 1000 + i }, 8);
		cut += trace_decode_one(&layout, data, 31, &records[i]);
		ok(trace_decode_one(&layout, data, 32, &records[i]),
		   "a thread begins another, a process, or ends: record %u is read", i);
		is(records[i].at_ns, 1000 + i, "record %u has its time", i);
		is(records[i].thread, 8, "record %u has its thread", i);
	}
	ok(records[0].kind == TRACE_FORK && records[1].kind == TRACE_FORK && records[2].kind == TRACE_EXIT,
	   "threads that begin and end have their kinds");
	ok(records[0].number == 9 && records[0].sibling, "a new thread of the same process is a sibling");
	ok(records[1].number == 9 && !records[1].sibling, "a new process is no sibling");
	is(cut, 0, "a thread's begin or end that is cut is refused");
}

static void test_lists(void)
{
	struct trace_layout layout;
	unsigned char data[1024];
	struct trace_record records[8];
	unsigned used = 0;

	fake_layout(&layout, FAKE_STOCK, TRACE_FIELDS);
	used += fake_switch(data + used, FAKE_STOCK, 5000, &hog, 0, &meter);
	used += fake_time(data + used, 99, 4500);
	used += fake_waking(data + used, FAKE_STOCK, 4000, &meter);
	used += fake_switch(data + used, FAKE_STOCK, 3000, &meter, 1, &hog);
	is(fake_decode(&layout, data, used, records, 8), 3, "records that are ours are read from a list");
	is(records[0].at_ns, 3000, "the oldest record of a list comes first");
	is(records[1].at_ns, 4000, "the second record of a list comes second");
	is(records[2].at_ns, 5000, "the newest record of a list comes last");
	is(fake_decode(&layout, data, used - 8, records, 8), 2, "a list that is cut loses its last record");
	memset(data, 0, 8);
	is(fake_decode(&layout, data, used, records, 8), 0, "a list ends where no record is");
}

/* Whatever it is, it is read within its bounds: the sanitizer watches. */
static void test_nonsense(void)
{
	struct trace_layout layout;
	unsigned char data[256];
	struct trace_record record;
	uint64_t frame[TRACE_FRAMES];
	bool bounded = true;

	fake_layout(&layout, FAKE_RT, TRACE_STACK);
	for (unsigned i = 0; i < 100000; i++) {
		unsigned size = fake_irq(data, FAKE_RT, 1000, 9, "eth0"), changes = 1 + random_number() % 8;

		while (changes--)
			data[8 + random_number() % (size - 8)] = random_number();
		trace_decode_one(&layout, data, size, &record);
		bounded = bounded && trace_stack(&record, frame) <= TRACE_FRAMES && memchr(record.name, 0, sizeof(record.name));
	}
	ok(bounded, "nonsense is read within its bounds");
}

static void test_layouts(void)
{
	struct trace_layout layout = { .count = 0 };

	fake_tracefs(FAKE_STOCK);
	is(trace_layout_add(&layout, "sched/sched_waking", TRACE_TIME, "pid"), FAKE_WAKING, "a tracepoint has an id");
	ok(layout.format[0].field[FILTERED].size, "the field by which records are filtered is found");
	layout.count = 0;
	is(trace_layout_add(&layout, "sched/sched_waking", TRACE_TIME, "no_such"), -1,
	   "a tracepoint is not filtered by a field that it lacks");
	is(errno, ENOMSG, "a tracepoint that lacks the field to filter by says so");
	is(trace_layout_add(&layout, "sched/no_such", TRACE_TIME, NULL), -1,
	   "a tracepoint without a kind is not added");
	is(errno, EINVAL, "a tracepoint without a kind is refused");
	is(trace_layout_add(&layout, "ipi/ipi_entry", TRACE_TIME, NULL), -1,
	   "a tracepoint that the machine lacks is not added");
	is(errno, ENOENT, "a tracepoint that the machine lacks is not found");
	is(layout.count, 0, "a tracepoint that is refused takes no place");
	for (unsigned i = 0; i < TRACE_FORMATS; i++)
		trace_layout_add(&layout, "sched/sched_waking", TRACE_TIME, NULL);
	is(trace_layout_add(&layout, "sched/sched_waking", TRACE_TIME, NULL), -1,
	   "a layout takes no more formats than it has room for");
	fake_tracefs_remove();
}

/* What is not read need not be there. */
static void test_missing_field(void)
{
	static const char bare[] = "name: softirq_entry\nID: 77\nformat:\n\tfield:int number;\toffset:8;\tsize:4;\tsigned:1;\n";
	struct trace_layout layout = { .count = 0 };
	int format;

	fake_tracefs(FAKE_STOCK);
	format = openat(tracefs.folder, "events/irq/softirq_entry/format", O_WRONLY | O_TRUNC);
	is(write(format, bare, strlen(bare)), strlen(bare), "a tracepoint is given another field");
	close(format);
	is(trace_layout_add(&layout, "irq/softirq_entry", TRACE_FIELDS, NULL), -1,
	   "a tracepoint that lacks a field is not added");
	is(errno, ENOMSG, "a tracepoint that lacks a field says so");
	is(layout.count, 0, "a tracepoint that lacks a field takes no place");
	is(trace_layout_add(&layout, "irq/softirq_entry", TRACE_TIME, NULL), 77,
	   "a tracepoint that lacks a field is added for its time alone");
	fake_tracefs_remove();
}

int main(void)
{
	struct trace_layout layout;

	for (enum fake_kernel kernel = FAKE_STOCK; kernel <= FAKE_RT; kernel++) {
		fake_layout(&layout, kernel, TRACE_FIELDS);
		test_switches(kernel, &layout);
		test_others(kernel, &layout);
	}
	test_switch_records();
	test_own_switches();
	test_times();
	test_stacks();
	test_cut();
	test_lives();
	test_lists();
	test_nonsense();
	test_layouts();
	test_missing_field();
	return done();
}
