// SPDX-License-Identifier: GPL-2.0-or-later
/* The tracepoints of the machine that the test runs on: this process sleeps, and finds itself. */
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "explain/tap.h"
#include "fake_trace.h"
#include "first_cpu.h"
#include "measure/clock.h"
#include "tap.h"
#include "trace/perf_ring.h"

#define SLEEPS 50
#define MOST (SLEEPS * 9 / 10)

static struct trace_filter of_us = { .field = "pid", .count = 1 }, to_us = { .field = "next_pid", .count = 1 };
static const struct trace_filter all, no_such = { .field = "no_such", .count = 1, .value = { 1 } };

static void sleep_once(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 300000 }, NULL);
}

static void sleep_often(void)
{
	for (int i = 0; i < SLEEPS; i++)
		sleep_once();
}

struct drained {
	unsigned kinds[TRACE_LOST + 1], frames, blocked;
	uint64_t last_ns;
	bool in_order, named;
	uint64_t lost;
	unsigned records, lost_at;	/* of these, how many came before the last LOST */
};

static void see(void *context, const struct trace_record *record)
{
	uint64_t frame[TRACE_FRAMES];
	struct drained *seen = context;

	seen->kinds[record->kind]++;
	seen->records++;
	if (record->kind == TRACE_LOST) {
		seen->lost += record->lost;
		seen->lost_at = seen->records;
		return;
	}
	seen->in_order = seen->in_order && record->at_ns >= seen->last_ns;
	seen->last_ns = record->at_ns;
	seen->frames += trace_stack(record, frame);
	if (record->kind != TRACE_SWITCH)
		return;
	seen->blocked += record->prev_state && record->prev.pid == getpid();
	seen->named = seen->named || (record->next.pid == getpid() && !strcmp(record->next.comm, "own-name"));
}

/*
 * What every wake-up leaves in the ring; a shared machine may leave more, so it
 * is drained after each.
 */
static void test_forward(int cpu)
{
	struct trace_layout layout = { .count = 0 };
	struct perf_ring ring;
	struct drained seen = { .in_order = true }, none = { .in_order = true };

	perf_ring_init(&ring, &layout, cpu, PERF_RING_SIZE, PERF_RING_DRAINED);
	is(perf_ring_record(&ring, "timer/hrtimer_expire_entry", &all, TRACE_TIME, false), 0, "expiries");
	is(perf_ring_record(&ring, "sched/sched_waking", &of_us, TRACE_TIME, false), 0, "wakings");
	is(perf_ring_record(&ring, "sched/sched_switch", &to_us, TRACE_TIME, false), 0, "switches");
	is(perf_ring_record(&ring, "irq_vectors/no_such_entry", &all, TRACE_TIME, false), -1, "one that has no kind");
	is(perf_ring_record(&ring, "sched/sched_waking", &no_such, TRACE_TIME, false), -1, "a field for a filter");
	is(errno, ENOMSG, "that the records do not have");
	is(layout.count, 3, "neither is in the layout");
	perf_ring_enable(&ring, true);
	for (int i = 0; i < SLEEPS; i++) {
		sleep_once();
		perf_ring_drain(&ring, see, &seen);
	}
	perf_ring_enable(&ring, false);
	perf_ring_drain(&ring, see, &seen);
	ok(seen.kinds[TRACE_EXPIRE] >= SLEEPS, "a timer expired for each sleep: %u", seen.kinds[TRACE_EXPIRE]);
	ok(seen.kinds[TRACE_WAKING] >= MOST, "and woke us: %u", seen.kinds[TRACE_WAKING]);
	ok(seen.kinds[TRACE_SWITCH] >= MOST, "and we got the CPU: %u", seen.kinds[TRACE_SWITCH]);
	ok(seen.in_order && seen.last_ns <= monotonic_ns(), "in order, on our clock");
	perf_ring_drain(&ring, see, &none);
	ok(!none.last_ns, "what was taken is gone");
	perf_ring_close(&ring);
}

/* The kernel's own records of one thread: of this process. Now and then a timer expires before we sleep. */
static void test_own_switches(void)
{
	struct trace_layout layout = { .count = 0 };
	struct perf_ring ring;
	struct drained seen = { .in_order = true };

	perf_ring_init(&ring, &layout, -1, PERF_RING_SIZE, PERF_RING_DRAINED);
	is(perf_ring_add_switches(&ring, getpid(), false), 0, "its switches");
	perf_ring_enable(&ring, true);
	sleep_often();
	perf_ring_enable(&ring, false);
	perf_ring_drain(&ring, see, &seen);
	ok(seen.kinds[TRACE_SWITCH_IN] >= MOST, "it got a CPU for each sleep: %u", seen.kinds[TRACE_SWITCH_IN]);
	ok(seen.kinds[TRACE_SWITCH_OUT] >= MOST, "and lost it: %u", seen.kinds[TRACE_SWITCH_OUT]);
	ok(seen.in_order && seen.last_ns <= monotonic_ns(), "in order, on our clock");
	perf_ring_close(&ring);
	perf_ring_init(&ring, &layout, -1, PERF_RING_SIZE, PERF_RING_DRAINED);
	is(perf_ring_add_switches(&ring, INT_MAX, false), -1, "of a thread that does not exist");
	is(errno, ESRCH, "there are none");
}

/*
 * A loss is reported where it was; and at once, though the kernel reports it with
 * the next record only. The records are those of this process alone, so that
 * a busy machine does not fill the ring once more.
 */
static void test_losses(int cpu)
{
	struct trace_layout layout = { .count = 0 };
	struct perf_ring ring;
	struct drained full = { .in_order = true }, next = { .in_order = true }, last = { .in_order = true };

	perf_ring_init(&ring, &layout, cpu, 1, PERF_RING_DRAINED);
	is(perf_ring_record(&ring, "sched/sched_waking", &of_us, TRACE_TIME, false), 0, "a ring of a page");
	perf_ring_enable(&ring, true);
	for (int i = 0; i < 8; i++)
		sleep_often();
	perf_ring_drain(&ring, see, &full);
	ok(full.kinds[TRACE_WAKING], "is full");
	ok(full.kinds[TRACE_LOST] == 1 && !full.lost && full.lost_at == full.records, "and then nobody knows");
	sleep_often();
	perf_ring_drain(&ring, see, &next);
	ok(next.lost && next.lost_at == 1, "%u were lost before those that came then", (unsigned)next.lost);
	sleep_once();
	perf_ring_drain(&ring, see, &last);
	ok(last.records && !last.kinds[TRACE_LOST], "and none since");
	perf_ring_close(&ring);
}

/*
 * The ring is written over, more than once; what it holds is more than what a busy
 * machine does in a millisecond.
 */
static void test_backward(int cpu)
{
	static struct recordings recordings;
	static struct recording recording;
	static struct trace_record records[RECORDING_SIZE / 40];
	struct drained seen = { .in_order = true };
	struct trace_layout layout = { .count = 0 };
	struct perf_ring ring;
	uint64_t due_ns, stamp_ns, last_due_ns, last_stamp_ns;
	unsigned count;

	perf_ring_init(&ring, &layout, cpu, 65536, PERF_RING_BACKWARD);
	is(perf_ring_record(&ring, "sched/sched_switch", &all, TRACE_STACK, false), 0, "switches with stacks");
	is(perf_ring_record(&ring, "timer/hrtimer_expire_entry", &all, TRACE_TIME, false), 0, "and expiries");
	perf_ring_enable(&ring, true);
	sleep_often();
	due_ns = monotonic_ns();
	nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	stamp_ns = monotonic_ns();
	for (int i = 0; i < 8; i++)
		sleep_often();
	last_due_ns = monotonic_ns();
	sleep_once();
	last_stamp_ns = monotonic_ns();
	perf_ring_pause(&ring);
	perf_ring_keep(&ring, &recordings, 0, due_ns, stamp_ns);
	recording_keep(&recording, &recordings, 0, stamp_ns);
	ok(!recording.used, "what was overwritten is not there");
	perf_ring_keep(&ring, &recordings, 0, last_due_ns, last_stamp_ns);
	recording_keep(&recording, &recordings, 0, last_stamp_ns);
	ok(recording.used, "what was not, is");
	count = fake_decode(&layout, recording.data, recording.used, records, sizeof(records) / sizeof(*records));
	ok(count, "and decoded");
	for (unsigned i = 0; i < count; i++)
		see(&seen, &records[i]);
	ok(seen.in_order, "in order");
	ok(records[0].kind == TRACE_SWITCH && records[0].at_ns < last_due_ns,
	   "from the switch before: %u records of %u us", count, (unsigned)((last_stamp_ns - last_due_ns) / 1000));
	ok(seen.named && seen.blocked, "we went to sleep, and were given the CPU by name");
	ok(seen.frames, "and have stacks");
	perf_ring_close(&ring);
}

static void test_tap(int cpu)
{
	struct trace_layout layout = { .count = 0 };
	struct tap_plan plan = { .level = EXPLAIN_BLAME, .cpu = cpu, .hz = 1000, .layout = &layout };
	struct refusal refusal;
	struct tap tap;

	is(tap_open(&tap, &plan, &refusal), 0, "a tap is opened");
	is(tap.parts.events, 3, "a tap has the tracepoints of the parts");
	ok(tap.flight.events > 2, "a tap has the tracepoints of interrupts, which some kernels lack");
	is(layout.count, tap.parts.events + tap.flight.events, "all of them are in the layout");
	perf_ring_close(&tap.parts);
	perf_ring_close(&tap.flight);
}

int main(void)
{
	int cpu = bind_to_first_cpu();

	is(tracefs_open(), 0, "tracefs");
	prctl(PR_SET_NAME, "own-name");
	/* As a meter: an ordinary process may wait for the CPU until its timer has expired, and not sleep at all. */
	sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){ .sched_priority = 98 });
	of_us.value[0] = to_us.value[0] = getpid();
	test_forward(cpu);
	test_own_switches();
	test_losses(cpu);
	test_backward(cpu);
	test_tap(cpu);
	return done();
}
