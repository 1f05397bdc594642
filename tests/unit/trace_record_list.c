// SPDX-License-Identifier: GPL-2.0-or-later
/* Switches of tasks that the kernel tells of twice, by a tracepoint and by records of its own, or by these alone. */
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake_trace.h"
#include "tap.h"
#include "trace/record_list.h"

static const struct trace_task hog = { 123, 2, "hog" }, meter = { 456, 4, "realfeel" }, idle = { 0, 120, "swapper/0" };

static void is_task(const struct trace_task *got, const struct trace_task *expected, const char *which)
{
	is_text(got->comm, expected->comm, which);
	is(got->pid, expected->pid, "its pid");
	is(got->prio, expected->prio, "its priority");
}

static void is_unnamed(const struct trace_task *task, int pid, const char *which)
{
	is(task->pid, pid, "%s", which);
	is(task->prio, TRACE_PRIO_UNKNOWN, "of no known priority");
}

static void test_switch_records(void)
{
	struct trace_layout layout;
	unsigned char data[64];
	struct trace_record record;
	unsigned size = fake_switch_record(data, 1000, FAKE_LEAVES, 123, 456), decoded = 0;
	char text[TRACE_STATE];

	fake_layout(&layout, FAKE_STOCK, TRACE_FIELDS);
	ok(trace_decode_one(&layout, data, size, &record), "a task leaves the CPU");
	is(record.kind, TRACE_SWITCH, "which is a switch");
	is(record.at_ns, 1000, "when");
	is_unnamed(&record.prev, 123, "from whom");
	is_unnamed(&record.next, 456, "to whom");
	is_text(trace_state(&record, text), "", "how it sleeps is unknown");
	for (unsigned cut = 0; cut < size; cut++)
		decoded += trace_decode_one(&layout, data, cut, &record);
	is(decoded, 0, "a record that is cut is none");
	trace_decode_one(&layout, data, fake_switch_record(data, 1000, FAKE_IS_PREEMPTED, 123, 456), &record);
	is_text(trace_state(&record, text), "R", "one that is preempted is runnable");
	size = fake_switch_record(data, 2000, FAKE_ENTERS, 123, 456);
	ok(trace_decode_one(&layout, data, size, &record), "a task has the CPU");
	is_unnamed(&record.prev, 123, "from whom");
	is_unnamed(&record.next, 456, "to whom");
	is_text(trace_state(&record, text), "", "what became of the other is unknown");
}

static void test_repeated(void)
{
	const struct trace_record last = { .kind = TRACE_SWITCH, .prev = hog, .next = meter };
	struct trace_record record = last;

	ok(!trace_repeats(&record, &last), "a record of the tracepoint is never of the same switch");
	record.prev.prio = record.next.prio = TRACE_PRIO_UNKNOWN;
	ok(trace_repeats(&record, &last), "one of the kernel's own between the same two is");
	record.prev.pid = -1;
	ok(trace_repeats(&record, &last), "also when the first has ended");
	record.prev.pid = idle.pid;
	ok(!trace_repeats(&record, &last), "from another it is another");
	record.prev.pid = hog.pid;
	record.next.pid = idle.pid;
	ok(!trace_repeats(&record, &last), "and to another");
}

/* hog gives the CPU to the idle task; the tracepoint does not tell that this gives it to the meter. */
static void test_gaps(void)
{
	struct trace_layout layout;
	unsigned char data[1024];
	struct trace_record records[8];
	unsigned used = 0;

	fake_layout(&layout, FAKE_STOCK, TRACE_FIELDS);
	used += fake_switch(data + used, FAKE_STOCK, 9000, &meter, 1, &idle);
	used += fake_switch_record(data + used, 5000, FAKE_ENTERS, 0, 456);
	used += fake_waking(data + used, FAKE_STOCK, 4000, &meter);
	used += fake_switch_record(data + used, 1002, FAKE_ENTERS, 123, 0);
	used += fake_switch_record(data + used, 1001, FAKE_LEAVES, 123, 0);
	used += fake_switch(data + used, FAKE_STOCK, 1000, &hog, 1, &idle);
	is(fake_decode(&layout, data, used, records, 8), 4, "each switch is there once");
	is(records[0].at_ns, 1000, "as it was recorded first");
	ok(records[0].prev_state == 1, "with all that the tracepoint tells");
	is(records[2].at_ns, 5000, "and one that it does not tell");
	is_task(&records[2].prev, &idle, "has the names and priorities that others have");
	is_task(&records[2].next, &meter, "of both");
}

/* Of a task that ends the kernel may have no number any more when it leaves the CPU. */
static void test_ended(void)
{
	struct trace_layout layout;
	unsigned char data[1024];
	struct trace_record records[8];
	unsigned used = 0;

	fake_layout(&layout, FAKE_STOCK, TRACE_FIELDS);
	used += fake_switch_record(data + used, 3000, FAKE_ENTERS, -1, 456);
	used += fake_switch(data + used, FAKE_STOCK, 2000, &meter, 1, &hog);
	used += fake_switch_record(data + used, 1000, FAKE_ENTERS, -1, 456);
	is(fake_decode(&layout, data, used, records, 8), 3, "switches from tasks that have ended");
	is(records[0].prev.pid, -1, "before the first nobody is known");
	is_text(records[0].prev.comm, "", "nor named");
	is_task(&records[2].prev, &hog, "who got the CPU last is who leaves it");
}

/* What is known before is used where no record says more, and where the number is that of nobody any more. */
static void test_own(void)
{
	const struct trace_task own = { .pid = 1 << 30, .prio = 49, .comm = "known" };
	const struct trace_task other = { .pid = hog.pid, .prio = 1, .comm = "other" };
	struct trace_layout layout;
	unsigned char data[512];
	unsigned used = 0, count;
	struct trace_record *records;

	fake_layout(&layout, FAKE_STOCK, TRACE_FIELDS);
	used += fake_switch_record(data + used, 3000, FAKE_ENTERS, 456, own.pid);
	used += fake_switch(data + used, FAKE_STOCK, 2000, &meter, 1, &hog);
	records = trace_decode(&layout, data, used, &own, &count);
	is(count, 2, "two switches");
	is_task(&records[1].next, &own, "the second to a task that is known");
	free(records);
	records = trace_decode(&layout, data, used, &other, &count);
	is_task(&records[0].next, &hog, "what a record says counts");
	free(records);
}

/* Start a process of this name, which sleeps. Of the process that it runs an emulator shows itself, but not of others. */
static pid_t start_task(const char *name)
{
	int named[2];
	pid_t task = pipe(named) == 0 ? fork() : -1;

	if (task < 0)
		exit(1);
	if (task == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		prctl(PR_SET_NAME, name);
		close(named[0]);
		close(named[1]);
		for (;;)
			pause();
	}
	close(named[1]);
	if (read(named[0], &(char){ 0 }, 1))
		exit(1);
	close(named[0]);
	return task;
}

static void test_task_of_now(void)
{
	struct trace_record record;
	unsigned char data[256];
	struct trace_layout layout;
	pid_t task = start_task("sleeper");
	unsigned used;

	fake_layout(&layout, FAKE_STOCK, TRACE_FIELDS);
	used = fake_switch_record(data, 5000, FAKE_ENTERS, 1 << 30, task);
	is(fake_decode(&layout, data, used, &record, 1), 1, "a switch that nothing else tells of");
	is_text(record.prev.comm, "", "of a task that is not there any more has no name");
	is_text(record.next.comm, "sleeper", "one that is there has its own");
	is(record.next.prio, TRACE_NICE_0 + getpriority(PRIO_PROCESS, 0), "and its priority");
	is(record.prev.prio, TRACE_PRIO_UNKNOWN, "the other has none");
	kill(task, SIGKILL);
	waitpid(task, NULL, 0);
}

int main(void)
{
	test_switch_records();
	test_repeated();
	test_gaps();
	test_ended();
	test_own();
	test_task_of_now();
	return done();
}
