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

static void is_task(const struct trace_task *got, const struct trace_task *expected, const char *which)
{
	is_text(got->comm, expected->comm, which);
	is(got->pid, expected->pid, "its pid");
	is(got->prio, expected->prio, "its priority");
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

	ok(decode(layout, data, size, &record), "%s: a switch", kernels[kernel]);
	is(record.kind, TRACE_SWITCH, "is one");
	is(record.at_ns, 1000, "when");
	is_task(&record.prev, &hog, "from whom");
	is_task(&record.next, &longest, "to whom");
	ok(!record.prev_state, "a task that was preempted did not block");
	decode(layout, data, fake_switch(data, kernel, 1000, &hog, 0, &meter), &record);
	ok(!record.prev_state, "nor did one that yielded");
	decode(layout, data, fake_switch(data, kernel, 1000, &hog, 1, &idle), &record);
	ok(record.prev_state, "one that sleeps did");
	decode(layout, data, fake_switch(data, kernel, 1000, &hog, 2, &idle), &record);
	ok(record.prev_state, "and one that waits for a disk");
}

/* The kernel's own record, by the task that leaves the CPU or by the one that has it. */
static void test_switch_records(void)
{
	struct trace_layout layout = { .count = 0 };
	unsigned char data[64];
	struct trace_record record;
	unsigned size = fake_switch_record(data, 1000, FAKE_LEAVES, 123, 456), decoded = 0;

	ok(decode(&layout, data, size, &record), "a task leaves the CPU");
	is(record.kind, TRACE_SWITCH, "which is a switch");
	is(record.at_ns, 1000, "when");
	is(record.prev.pid, 123, "from whom");
	is(record.next.pid, 456, "to whom");
	is(record.current, 123, "who wrote it");
	ok(!record.runnable, "it sleeps");
	for (unsigned cut = 0; cut < size; cut++)
		decoded += decode(&layout, data, cut, &record);
	is(decoded, 0, "a record that is cut is none");
	decode(&layout, data, fake_switch_record(data, 1000, FAKE_IS_PREEMPTED, 123, 456), &record);
	ok(record.runnable, "one that is preempted is runnable");
	ok(decode(&layout, data, fake_switch_record(data, 2000, FAKE_ENTERS, 123, 456), &record), "a task has the CPU");
	is(record.prev.pid, 123, "from whom");
	is(record.next.pid, 456, "to whom");
	is(record.current, 456, "who wrote it");
}

static void test_others(enum fake_kernel kernel, const struct trace_layout *layout)
{
	unsigned char data[256];
	struct trace_record record;

	ok(decode(layout, data, fake_waking(data, kernel, 2000, &meter), &record), "%s: a waking", kernels[kernel]);
	is(record.kind, TRACE_WAKING, "is one");
	is_task(&record.next, &meter, "of whom");
	ok(decode(layout, data, fake_irq(data, kernel, 3000, 9, "eth0"), &record), "an interrupt");
	is(record.number, 9, "its number");
	is_text(record.name, "eth0", "its name, that may be of any length");
	decode(layout, data, fake_irq(data, kernel, 3000, 9, "a-name-that-is-longer-than-there-is-room-for"), &record);
	is_text(record.name, "a-name-that-is-longer-than-ther", "and is cut");
	ok(decode(layout, data, fake_softirq(data, kernel, 4000, 3), &record), "a softirq");
	is(record.number, 3, "its number");
	is_text(record.name, "NET_RX", "its name");
	decode(layout, data, fake_softirq(data, kernel, 4000, 10), &record);
	is_text(record.name, "unknown", "one of a kernel to come");
	is(record.work, 0, "it is no work");
	ok(decode(layout, data, fake_queued(data, kernel, 4500, 0xffff888012345678), &record), "work that is queued");
	is(record.kind, TRACE_QUEUED, "is that");
	is(record.work, (long long)0xffff888012345678, "with all of its address");
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

	ok(decode(&layout, data, own_switch(data, 0, 7000, 3), &record), "a thread gets a CPU");
	is(record.kind, TRACE_SWITCH_IN, "is that");
	is(record.at_ns, 7000, "when");
	is(record.cpu, 3, "which");
	decode(&layout, data, own_switch(data, out, 8000, 3), &record);
	is(record.kind, TRACE_SWITCH_OUT, "it loses it");
	ok(!record.runnable, "for it sleeps");
	decode(&layout, data, own_switch(data, preempted, 9000, 3), &record);
	is(record.kind, TRACE_SWITCH_OUT, "it loses it again");
	ok(record.runnable, "for another task");
	own_switch(data, 0, 7000, 3);
	((struct perf_event_header *)data)->size = 16;
	ok(!decode(&layout, data, 16, &record), "one that is cut");
}

static void test_times(void)
{
	struct trace_layout layout;
	unsigned char data[64];
	struct trace_record record;

	fake_layout(&layout, FAKE_STOCK, TRACE_TIME);
	ok(decode(&layout, data, fake_time(data, FAKE_TIMER, 5000), &record), "a record that has a time only");
	is(record.kind, TRACE_VECTOR_ENTRY, "its kind");
	is_text(record.name, "timer interrupt", "its name");
	is(record.at_ns, 5000, "its time");
	is(record.frames + record.next.pid + record.number, 0, "and nothing else");
	ok(decode(&layout, data, fake_lost(data, 6000, 17), &record), "records that were lost");
	is(record.kind, TRACE_LOST, "say so");
	is(record.lost, 17, "how many");
	is(record.at_ns, 6000, "and when");
	ok(!decode(&layout, data, fake_time(data, 99, 5000), &record), "an event that is not ours is none");
}

static void test_stacks(void)
{
	const uint64_t frames[] = { 0xffffffff81000010, 0xffffffff81000020, 0xffffffffc0000030 };
	struct trace_layout layout;
	unsigned char data[512];
	struct trace_record record;
	unsigned size;

	fake_layout(&layout, FAKE_RT, TRACE_STACK);
	fake_stack(frames, 3);
	size = fake_switch(data, FAKE_RT, 1000, &hog, 0, &meter);
	fake_stack(NULL, 0);
	ok(decode(&layout, data, size, &record), "a switch with a stack");
	is(record.frames, 3, "its depth, without the mark");
	is(memcmp(record.frame, frames, sizeof(frames)), 0, "its frames");
	is_task(&record.next, &meter, "to whom");
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
	is(decoded, 0, "a record that is cut, anywhere, is none");
	memcpy(data + 24, &fewer, sizeof(fewer));
	ok(decode(&layout, data, size, &record), "fields that the record does not reach are 0");
	is_task(&record.prev, &hog, "beside those that it has");
	is(record.next.pid + record.next.prio, 0, "and have no numbers");
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
		ok(trace_decode_one(&layout, data, 32, &records[i]), "a thread begins another, a process, or ends: %u", i);
		is(records[i].at_ns, 1000 + i, "when");
		is(records[i].prev.pid, 8, "which thread");
	}
	ok(records[0].kind == TRACE_FORK && records[1].kind == TRACE_FORK && records[2].kind == TRACE_EXIT, "the kinds");
	ok(records[0].next.pid == 9 && records[0].sibling, "one of the same process");
	ok(records[1].next.pid == 9 && !records[1].sibling, "and one of another");
	is(cut, 0, "none that is cut");
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
	is(fake_decode(&layout, data, used, records, 8), 3, "of records that follow each other those that are ours");
	is(records[0].at_ns, 3000, "come out the oldest first");
	is(records[1].at_ns, 4000, "then the next");
	is(records[2].at_ns, 5000, "and the newest last");
	is(fake_decode(&layout, data, used - 8, records, 8), 2, "a list that is cut loses its last");
	memset(data, 0, 8);
	is(fake_decode(&layout, data, used, records, 8), 0, "and ends where no record is");
}

/* Whatever it is, it is read within its bounds: the sanitizer watches. */
static void test_nonsense(void)
{
	struct trace_layout layout;
	unsigned char data[256];
	struct trace_record record;
	bool bounded = true;

	fake_layout(&layout, FAKE_RT, TRACE_STACK);
	for (unsigned i = 0; i < 100000; i++) {
		unsigned size = fake_irq(data, FAKE_RT, 1000, 9, "eth0"), changes = 1 + random_number() % 8;

		while (changes--)
			data[8 + random_number() % (size - 8)] = random_number();
		trace_decode_one(&layout, data, size, &record);
		bounded = bounded && record.frames <= TRACE_FRAMES && memchr(record.name, 0, sizeof(record.name));
	}
	ok(bounded, "nonsense is read within its bounds");
}

static void test_layouts(void)
{
	struct tracefs tracefs;
	struct trace_layout layout = { .count = 0 };

	fake_tracefs(&tracefs, FAKE_STOCK);
	is(tracefs_read_format(&tracefs, "sched/sched_waking", NULL, 0, NULL), FAKE_WAKING, "a tracepoint has an id");
	is(trace_layout_add(&layout, &tracefs, "sched/no_such", TRACE_TIME), -1, "what has no kind");
	is(errno, EINVAL, "is refused");
	is(trace_layout_add(&layout, &tracefs, "ipi/ipi_entry", TRACE_TIME), -1, "what the machine has not");
	is(errno, ENOENT, "is not found");
	is(layout.count, 0, "and not added");
	for (unsigned i = 0; i < TRACE_FORMATS; i++)
		trace_layout_add(&layout, &tracefs, "sched/sched_waking", TRACE_TIME);
	is(trace_layout_add(&layout, &tracefs, "sched/sched_waking", TRACE_TIME), -1, "one too many");
	fake_tracefs_remove(&tracefs);
}

/* What is not read need not be there. */
static void test_missing_field(void)
{
	static const char bare[] = "name: softirq_entry\nID: 77\nformat:\n\tfield:int number;\toffset:8;\tsize:4;\tsigned:1;\n";
	struct tracefs tracefs;
	struct trace_layout layout = { .count = 0 };
	int format;

	fake_tracefs(&tracefs, FAKE_STOCK);
	format = openat(tracefs.folder, "events/irq/softirq_entry/format", O_WRONLY | O_TRUNC);
	is(write(format, bare, strlen(bare)), strlen(bare), "a record has another field");
	close(format);
	is(trace_layout_add(&layout, &tracefs, "irq/softirq_entry", TRACE_FIELDS), -1, "in place of one that is read");
	is(errno, ENOMSG, "and that is why");
	is(layout.count, 0, "it is not added");
	is(trace_layout_add(&layout, &tracefs, "irq/softirq_entry", TRACE_TIME), 77, "but for its time it is");
	fake_tracefs_remove(&tracefs);
}

static void test_priorities(void)
{
	char text[TRACE_PRIORITY];

	is_text(trace_priority(&hog, text), "rt:97", "a real-time priority");
	is_text(trace_priority(&(struct trace_task){ .prio = 0 }, text), "rt:99", "the highest");
	is_text(trace_priority(&idle, text), "nice:0", "no priority");
	is_text(trace_priority(&(struct trace_task){ .prio = 100 }, text), "nice:-20", "the highest of those");
	is_text(trace_priority(&longest, text), "nice:19", "the lowest");
	is_text(trace_priority(&(struct trace_task){ .prio = -1 }, text), "deadline", "a deadline");
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
	test_priorities();
	return done();
}
