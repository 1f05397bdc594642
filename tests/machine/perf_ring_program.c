// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Records that programs write, on the machine that the test runs on: this process sleeps, and finds itself; and what a
 * tracepoint and a program record of the same is alike.
 */
#include <errno.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "first_cpu.h"
#include "tap.h"
#include "trace/perf_ring.h"

#define SLEEPS 30
#define SLEEP_NS 5000000		/* beside a busy process the kernel may record nothing for some ms, which it does not count */
#define MOST (SLEEPS * 9 / 10)
#define TRIES (SLEEPS * 100)
#define RECORDS 4096
#define PROGRAMS 64			/* on a tracepoint, at most */

enum { INFO_WORDS = 32, RECURSION_MISSES = 26 };	/* of struct bpf_prog_info, since Linux 5.12; the headers may be older */

static int cpu;

struct recorded {
	struct perf_ring ring;
	struct trace_layout layout;
	unsigned count;
	struct trace_record record[RECORDS];
	unsigned frames[RECORDS];
	uint64_t frame[RECORDS][TRACE_FRAMES];
};

static struct recorded tracepoint, program;

static void keep(void *context, const struct trace_record *record)
{
	struct recorded *recorded = context;

	if (recorded->count == RECORDS)
		return;
	recorded->frames[recorded->count] = trace_stack(record, recorded->frame[recorded->count]);
	recorded->record[recorded->count++] = *record;
}

static uint64_t misses_of(uint32_t number)
{
	uint64_t info[INFO_WORDS] = { 0 };
	union bpf_attr named = { .prog_id = number }, asked = {
		.info = { .bpf_fd = syscall(SYS_bpf, BPF_PROG_GET_FD_BY_ID, &named, sizeof(named)),
			  .info_len = sizeof(info), .info = (uintptr_t)info },
	};

	syscall(SYS_bpf, BPF_OBJ_GET_INFO_BY_FD, &asked, sizeof(asked));
	close(asked.info.bpf_fd);
	return info[RECURSION_MISSES];
}

/*
 * How often the kernel has not called the programs on these tracepoints. It calls none on a CPU where a process is at
 * work on a map, even while that process waits for the CPU, and counts this from Linux 6.7 on.
 */
static uint64_t misses(const struct perf_ring *ring)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < ring->programs; i++) {
		uint32_t found[2 + PROGRAMS] = { PROGRAMS };	/* struct perf_event_query_bpf */

		ioctl(ring->program[i], PERF_EVENT_IOC_QUERY_BPF, found);
		for (uint32_t number = 0; number < found[1]; number++)
			sum += misses_of(found[2 + number]);
	}
	return sum;
}

/* Now and then a timer expires before we sleep. Returns whether we did, and whether the programs were called meanwhile. */
static bool sleep_once(const struct perf_ring *programs)
{
	struct rusage before, after;
	uint64_t missed = misses(programs);

	getrusage(RUSAGE_SELF, &before);
	nanosleep(&(struct timespec){ .tv_nsec = SLEEP_NS }, NULL);
	getrusage(RUSAGE_SELF, &after);
	return after.ru_nvcsw > before.ru_nvcsw && misses(programs) == missed;
}

static void drain(struct recorded *recorded, bool kept)
{
	unsigned before = recorded->count;

	perf_ring_drain(&recorded->ring, keep, recorded);
	if (!kept)
		recorded->count = before;
}

/* The records are those of SLEEPS sleeps that we had, with all programs called. */
static void sleep_often(struct recorded *programs, struct recorded *other)
{
	for (int i = 0, slept = 0; i < TRIES && slept < SLEEPS; i++) {
		bool kept = sleep_once(&programs->ring);

		slept += kept;
		drain(programs, kept);
		if (other)
			drain(other, kept);
	}
}

static void begin(struct recorded *recorded)
{
	memset(recorded, 0, sizeof(*recorded));
	perf_ring_init(&recorded->ring, &recorded->layout, cpu, PERF_RING_SIZE, PERF_RING_DRAINED);
}

static struct trace_filter ours(const char *field, bool others)
{
	return (struct trace_filter){
		.field = field, .others = others, .count = 2, .value = { getpid(), UINT64_C(1) << 31 },
	};
}

static bool is_ours(const struct trace_record *record)
{
	return record->next.pid == getpid() && !strcmp(record->next.comm, "own-name");
}

/* The wake-ups are there, whatever the kernel keeps from perf. */
static void test_wakeups(void)
{
	const struct trace_filter waking = ours("pid", false), to_us = ours("next_pid", false), all = { .count = 0 };
	unsigned kinds[TRACE_LOST + 1] = { 0 }, named = 0, frames = 0;
	uint64_t last_ns = 0;
	bool in_order = true;

	begin(&program);
	is(perf_ring_record(&program.ring, "timer/hrtimer_expire_entry", &all, TRACE_TIME, true), 0, "expiries");
	is(perf_ring_record(&program.ring, "sched/sched_waking", &waking, TRACE_FIELDS, true), 0, "wakings");
	is(perf_ring_record(&program.ring, "sched/sched_switch", &to_us, TRACE_STACK, true), 0, "switches");
	perf_ring_enable(&program.ring, true);
	sleep_often(&program, NULL);
	for (unsigned i = 0; i < program.count; i++) {
		const struct trace_record *record = &program.record[i];

		kinds[record->kind]++;
		named += is_ours(record);
		frames += record->kind == TRACE_SWITCH && program.frames[i];
		in_order = in_order && record->at_ns >= last_ns;
		last_ns = record->at_ns;
	}
	ok(kinds[TRACE_EXPIRE] >= MOST, "a timer expired for each sleep: %u", kinds[TRACE_EXPIRE]);
	ok(kinds[TRACE_WAKING] >= MOST, "and woke us: %u", kinds[TRACE_WAKING]);
	ok(kinds[TRACE_SWITCH] >= MOST, "and we got the CPU: %u", kinds[TRACE_SWITCH]);
	is(named, kinds[TRACE_WAKING] + kinds[TRACE_SWITCH], "by our name and number alone");
	is(frames, kinds[TRACE_SWITCH], "with the stack of each switch");
	ok(in_order, "in order");
	perf_ring_close(&program.ring);
}

static void test_others(void)
{
	const struct trace_filter others = ours("next_pid", true);
	unsigned switches, of_ours = 0;

	begin(&program);
	is(perf_ring_record(&program.ring, "sched/sched_switch", &others, TRACE_FIELDS, true), 0, "of others");
	perf_ring_enable(&program.ring, true);
	sleep_often(&program, NULL);
	switches = program.count;
	for (unsigned i = 0; i < switches; i++)
		of_ours += is_ours(&program.record[i]);
	ok(switches >= MOST && !of_ours, "we gave the CPU to others %u times", switches);
	perf_ring_close(&program.ring);
}

/* Each sleep starts a timer. */
static void test_current(void)
{
	const struct trace_filter all = { .count = 0 };
	unsigned of_ours = 0;

	begin(&program);
	is(perf_ring_record(&program.ring, "timer/hrtimer_start", &all, TRACE_FIELDS, true), 0, "starts of timers");
	perf_ring_enable(&program.ring, true);
	sleep_often(&program, NULL);
	for (unsigned i = 0; i < program.count; i++)
		of_ours += program.record[i].current == getpid();
	ok(of_ours >= MOST, "%u by us, for the task that runs is recorded", of_ours);
	perf_ring_close(&program.ring);
}

/* Is it the same switch, whoever recorded it? */
static bool same(unsigned by_tracepoint, unsigned by_program)
{
	const struct trace_record *a = &tracepoint.record[by_tracepoint], *b = &program.record[by_program];

	return a->kind == b->kind && a->prev.pid == b->prev.pid && !strcmp(a->prev.comm, b->prev.comm) &&
	       a->prev.prio == b->prev.prio && a->prev_state == b->prev_state && a->next.pid == b->next.pid &&
	       !strcmp(a->next.comm, b->next.comm) && a->next.prio == b->next.prio &&
	       tracepoint.frames[by_tracepoint] == program.frames[by_program] &&
	       !memcmp(tracepoint.frame[by_tracepoint], program.frame[by_program], sizeof(*program.frame));
}

/* Returns how many records of the tracepoint the program has, too, in the same order. */
static unsigned count_alike(void)
{
	unsigned found = 0, next = 0;

	for (unsigned i = 0; i < tracepoint.count; i++) {
		unsigned at = next;

		while (at < program.count && !same(i, at))
			at++;
		if (at < program.count) {
			found++;
			next = at + 1;
		}
	}
	return found;
}

/* Of switches to us. The program begins earlier and ends later; some kernels drop one in some thousand of its records. */
static void test_alike(void)
{
	const struct trace_filter to_us = ours("next_pid", false);

	begin(&program);
	begin(&tracepoint);
	perf_ring_record(&program.ring, "sched/sched_switch", &to_us, TRACE_STACK, true);
	is(perf_ring_record(&tracepoint.ring, "sched/sched_switch", &to_us, TRACE_STACK, false), 0, "both");
	perf_ring_enable(&program.ring, true);
	perf_ring_enable(&tracepoint.ring, true);
	sleep_often(&program, &tracepoint);
	perf_ring_enable(&tracepoint.ring, false);
	perf_ring_drain(&program.ring, keep, &program);
	ok(count_alike() >= tracepoint.count * 9 / 10, "the records of the tracepoint have ones of the program that are alike: "
	   "%u of %u", count_alike(), tracepoint.count);
	perf_ring_close(&program.ring);
	perf_ring_close(&tracepoint.ring);
}

static void test_refused(void)
{
	const struct trace_filter unknown = { .field = "no_such", .count = 1 };

	begin(&program);
	is(perf_ring_record(&program.ring, "sched/sched_switch", &unknown, TRACE_TIME, true), -1,
	   "a filter by a field that the records do not have");
	is(errno, ENOMSG, "is refused");
	is(program.ring.events + program.ring.programs + program.layout.count, 0, "and leaves nothing");
	perf_ring_close(&program.ring);
}

/* As a meter has one, so that no other process takes turns with this one and fills the rings before they are drained. */
static void set_priority(void)
{
	sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){ .sched_priority = 98 });
}

int main(void)
{
	cpu = bind_to_first_cpu();
	is(tracefs_open(), 0, "tracefs");
	prctl(PR_SET_NAME, "own-name");
	set_priority();
	test_wakeups();
	test_others();
	test_current();
	test_alike();
	test_refused();
	return done();
}
