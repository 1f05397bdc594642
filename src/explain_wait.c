// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "explain_wait.h"

#define ONE(phase) (1U << (phase))
#define FOR_TIMER (ONE(PHASE_TIMER) | ONE(PHASE_TIMER_LATE))
#define FOR_WAKING (FOR_TIMER | ONE(PHASE_WAKING))
#define FOR_SWITCH (ONE(PHASE_READY) | ONE(PHASE_PASSED_OVER))
#define FOR_CPU (FOR_SWITCH | ONE(PHASE_TAKEN))

static bool is_one_of(enum blame_phase phase, unsigned phases)
{
	return phases & ONE(phase);
}

/* Until now, and since it began to wait for any of these, it was waiting for something else than it seemed. */
static void rephase(struct wait *wait, unsigned phases, enum blame_phase to)
{
	struct segment *segment = wait->blame->segment;

	if (!is_one_of(wait->phase, phases))
		return;
	for (unsigned i = wait->blame->count; i && is_one_of(segment[i - 1].phase, phases); i--)
		segment[i - 1].phase = to;
	wait->phase = to;
}

/* A task that runs for long after another interrupt was taken is not what keeps the timer's away. */
void wait_note_segment(struct wait *wait, const struct segment *segment)
{
	if (wait->others_came && segment->kind == BLAME_TASK && segment_ns(segment) >= BLAME_USUAL_NS)
		rephase(wait, FOR_TIMER, PHASE_TIMER_LATE);
}

/* One that serves the timer may have begun before due. */
void wait_note_interrupt(struct wait *wait, const struct trace_record *record, int64_t at_ns)
{
	if (at_ns < 0 || !is_one_of(wait->phase, FOR_TIMER))
		return;
	if (record->kind == TRACE_EXPIRE || strstr(record->name, "timer"))
		wait->phase = PHASE_WAKING;
	else
		wait->others_came = true;
}

/*
 * One who is woken by a thread did not wait for an interrupt: while that
 * thread has timers to serve, as on PREEMPT_RT, or is kept from it, the kernel
 * asks for none.
 */
void wait_note_waking(struct wait *wait, const struct trace_record *record, bool within_interrupt)
{
	wait->blame->meter = record->next;
	wait->woken = true;
	if (!within_interrupt)
		rephase(wait, FOR_WAKING, PHASE_WAKING);
	if (wait->phase != PHASE_RUNNING && !is_one_of(wait->phase, FOR_CPU))
		wait->phase = PHASE_READY;
}

static void leave_meter(struct wait *wait, const struct trace_record *record, int64_t at_ns)
{
	if (!record->prev_state) {
		wait->phase = blame_is_lower(&record->next, &record->prev) ? PHASE_PASSED_OVER : PHASE_TAKEN;
		return;
	}
	wait->woken &= at_ns >= 0;
	wait->phase = wait->woken ? PHASE_BLOCKED : PHASE_TIMER;
}

static void enter_meter(struct wait *wait, const struct trace_record *record, int64_t at_ns)
{
	wait_end(wait);
	wait->phase = PHASE_RUNNING;
	if (at_ns >= 0 && !wait->blame->arrival.at_ns)
		wait->blame->arrival = *record;
}

/* A scheduler that gives the CPU to a lower task could have given it to the meter: none was in its way. */
static void pass_over_meter(struct wait *wait, const struct trace_task *next)
{
	if (blame_is_lower(next, &wait->blame->meter)) {
		if (wait->phase == PHASE_READY)
			rephase(wait, FOR_SWITCH, PHASE_PASSED_OVER);
		wait->phase = PHASE_PASSED_OVER;
	} else if (wait->phase == PHASE_PASSED_OVER) {
		wait->phase = PHASE_READY;
	}
}

void wait_note_switch(struct wait *wait, const struct trace_record *record, int64_t at_ns)
{
	struct trace_task *meter = &wait->blame->meter;

	if (record->prev.pid == meter->pid) {
		*meter = record->prev;
		leave_meter(wait, record, at_ns);
	} else if (record->next.pid == meter->pid) {
		*meter = record->next;
		enter_meter(wait, record, at_ns);
	} else if (is_one_of(wait->phase, FOR_CPU)) {
		pass_over_meter(wait, &record->next);
	}
}

void wait_note_loss(struct wait *wait)
{
	wait_end(wait);
	wait->phase = PHASE_UNKNOWN;
	wait->woken = true;
}

void wait_end(struct wait *wait)
{
	rephase(wait, FOR_WAKING, PHASE_UNKNOWN);
}
