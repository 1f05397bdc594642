// SPDX-License-Identifier: GPL-2.0-or-later
/* Schedules made up at random, of which it is known who had the CPU when: what is told of them must be so. */
#include <string.h>

#include "tap.h"
#include "traced.h"

#define SCHEDULES 20000
#define TASKS 6
#define STEPS 120

/* Who had the CPU up to then: interrupts and softirqs by their names, tasks by theirs. */
static struct {
	int64_t to_ns;
	const char *name;
	const char *thread;		/* that ran the softirq */
} truth[BLAME_SEGMENTS];
static unsigned truths;

static const int pids[TASKS] = { 0, 10, 11, 20, 15, METER };
static const char *const vectors[] = { "TIMER", "NET_RX", "RCU" };
static const char *const interrupts[] = { "timer interrupt", "reschedule IPI" };

static struct {
	bool threaded;			/* softirqs are preempted, as on PREEMPT_RT */
	int64_t at_ns;			/* since due */
	int task;			/* index in pids, as for all others */
	int softirq[TASKS];		/* of each task; -1: none */
	int interrupt;			/* that goes on: 0 none, 1 a device's, 2 and up: those above */
	int inner;			/* an interrupt within that of the device: 0 or 2 and up */
} cpu;

static bool chance(unsigned one_in)
{
	return random_number() % one_in == 0;
}

static const char *task_name(void)
{
	static char comm[TASKS][16];

	strcpy(comm[cpu.task], task_of(pids[cpu.task]).comm);
	return pids[cpu.task] ? comm[cpu.task] : "idle";
}

static const char *owner(void)
{
	int interrupt = cpu.inner ? cpu.inner : cpu.interrupt;

	if (interrupt)
		return interrupt == 1 ? "eth0" : interrupts[interrupt - 2];
	if (cpu.softirq[cpu.task] >= 0)
		return vectors[cpu.softirq[cpu.task]];
	return task_name();
}

/* Time passes, now and then none. */
static double pass(void)
{
	cpu.at_ns += random_number() % 50000 * !chance(10);
	truth[truths].to_ns = cpu.at_ns;
	truth[truths].name = owner();
	truth[truths].thread = cpu.threaded && !cpu.interrupt ? task_name() : owner();
	truths++;
	return cpu.at_ns / 1e3;
}

static void begin_or_end(int *interrupt)
{
	double us = pass();
	bool begins = !*interrupt;

	if (begins)
		*interrupt = interrupt == &cpu.inner ? 2 + random_number() % 2 : 1 + random_number() % 3;
	if (*interrupt == 1)
		entry(us, begins ? TRACE_IRQ_ENTRY : TRACE_IRQ_EXIT, 9, "eth0");
	else
		entry(us, begins ? TRACE_VECTOR_ENTRY : TRACE_VECTOR_EXIT, 0, interrupts[*interrupt - 2]);
	if (!begins)
		*interrupt = 0;
}

static void begin_or_end_softirq(void)
{
	double us = pass();
	int *softirq = &cpu.softirq[cpu.task];
	bool begins = *softirq < 0;
	int vector = begins ? (int)(random_number() % 3) : *softirq;

	entry(us, begins ? TRACE_SOFTIRQ_ENTRY : TRACE_SOFTIRQ_EXIT, vector, vectors[vector]);
	*softirq = begins ? vector : -1;
}

static void switch_to(int task)
{
	double us = pass();

	if (chance(2))
		preempted(us, pids[cpu.task], pids[task]);
	else
		went_to_sleep(us, pids[cpu.task], pids[task]);
	cpu.task = task;
}

static bool may_switch(void)
{
	return !cpu.interrupt && (cpu.threaded || cpu.softirq[cpu.task] < 0);
}

static void step(void)
{
	if (cpu.inner || (cpu.interrupt == 1 && chance(4)))
		begin_or_end(&cpu.inner);
	else if (cpu.interrupt || chance(3))
		begin_or_end(&cpu.interrupt);
	else if (may_switch() && chance(2))
		switch_to((cpu.task + 1 + random_number() % (TASKS - 1)) % TASKS);
	else if (pids[cpu.task] && chance(2))
		begin_or_end_softirq();
	else
		waking(pass());
}

/* In the end the meter has the CPU to itself. Returns when it stamps, in us. */
static double schedule(void)
{
	memset(&cpu, 0, sizeof(cpu));
	cpu.threaded = chance(2);
	cpu.at_ns = -(int64_t)(random_number() % 2000000);
	for (int i = 0; i < TASKS; i++)
		cpu.softirq[i] = -1;
	cpu.task = random_number() % TASKS;
	nothing_traced();
	truths = 0;
	for (unsigned left = random_number() % STEPS; left; left--)
		step();
	while (!may_switch())
		step();
	if (pids[cpu.task] != METER)
		switch_to(TASKS - 1);
	while (cpu.softirq[cpu.task] >= 0)
		begin_or_end_softirq();
	return pass();
}

/*
 * The end of a handler has only its number. If the beginning of a softirq was
 * lost, and the end is after all records, it is its thread that has the time.
 */
static bool is_right(const char *name, unsigned i)
{
	return !strcmp(name, truth[i].name) || !strcmp(name, truth[i].thread) ||
	       (!strcmp(name, "irq 9") && !strcmp(truth[i].name, "eth0"));
}

/* The time in the segment that was another's. */
static int64_t wrong_ns(const struct segment *segment)
{
	int64_t wrong = 0, from = INT64_MIN;

	for (unsigned i = 0; i < truths; i++) {
		int64_t first = from > segment->from_ns ? from : segment->from_ns;
		int64_t last = truth[i].to_ns < segment->to_ns ? truth[i].to_ns : segment->to_ns;

		if (last > first && !is_right(blame_name(segment), i))
			wrong += last - first;
		from = truth[i].to_ns;
	}
	return wrong;
}

static struct {
	int64_t total_ns, unknown_ns, wrong_ns;
	unsigned gaps;			/* where a segment does not begin where the last one ended */
} sums;

static void check(double stamp_us)
{
	const struct blame *blame = blame_of(stamp_us);
	int64_t at = 0;

	for (unsigned i = 0; i < blame->count; i++) {
		const struct segment *segment = &blame->segment[i];
		int64_t ns = segment->to_ns - segment->from_ns;

		sums.gaps += segment->from_ns != at || ns <= 0;
		sums.total_ns += ns;
		if (!strcmp(blame_kind(segment), "unknown"))
			sums.unknown_ns += ns;
		else
			sums.wrong_ns += wrong_ns(segment);
		at = segment->to_ns;
	}
	sums.gaps += at != (blame->late_ns > 0 ? blame->late_ns : 0);
}

/* Some records give way to one that says so; or to nothing, the oldest ones. */
static void lose_some(void)
{
	unsigned first = random_number() % (traced_count + 1), count = random_number() % (traced_count - first + 1);

	if (chance(4))
		first = 0;
	memmove(&traced[first], &traced[first + count], (traced_count - first - count) * sizeof(*traced));
	traced_count -= count;
	if (!first || !count)
		return;
	memmove(&traced[first + 1], &traced[first], (traced_count - first) * sizeof(*traced));
	traced[first] = (struct trace_record){
		.kind = TRACE_LOST, .at_ns = chance(2) ? 0 : traced[first - 1].at_ns, .lost = count,
	};
	traced_count++;
}

static bool reaches_back(void)
{
	unsigned switches = 0;

	for (unsigned i = 0; i < traced_count; i++)
		switches += traced[i].kind == TRACE_SWITCH && traced[i].at_ns < DUE_NS;
	return switches;
}

static void test_whole(void)
{
	memset(&sums, 0, sizeof(sums));
	for (int i = 0; i < SCHEDULES;) {
		double stamp_us = schedule();

		if (!reaches_back())
			continue;
		check(stamp_us);
		i++;
	}
	is(sums.gaps, 0, "%d schedules are told without a gap", SCHEDULES);
	is(sums.unknown_ns, 0, "all of them is known");
	is(sums.wrong_ns, 0, "and right");
	ok(sums.total_ns > 0, "%.3f s", sums.total_ns / 1e9);
}

static void test_losses(void)
{
	memset(&sums, 0, sizeof(sums));
	for (int i = 0; i < SCHEDULES; i++) {
		double stamp_us = schedule();

		for (unsigned losses = 1 + random_number() % 3; losses; losses--)
			lose_some();
		check(stamp_us);
	}
	is(sums.gaps, 0, "with records lost, there is no gap, either");
	is(sums.wrong_ns, 0, "and nothing wrong");
	ok(sums.unknown_ns > 0 && sums.unknown_ns < sums.total_ns, "of %.3f s, %.3f s are unknown",
	   sums.total_ns / 1e9, sums.unknown_ns / 1e9);
}

int main(void)
{
	test_whole();
	test_losses();
	return done();
}
