// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "explain_blame_wait.h"

/* Until now it was waiting for another thing than it seemed. */
static void rephase(struct wait *wait, enum blame_phase from, enum blame_phase to)
{
	struct segment *segment = wait->blame->segment;

	if (wait->phase != from)
		return;
	for (unsigned i = wait->blame->count; i && (segment[i - 1].phase == from || segment[i - 1].phase == to); i--)
		segment[i - 1].phase = to;
	wait->phase = to;
}

/* A task that runs for long after another interrupt was taken is not what keeps the timer's away. */
void wait_note_segment(struct wait *wait, const struct segment *segment)
{
	if (wait->others_came && segment->kind == BLAME_TASK && segment->to_ns - segment->from_ns >= BLAME_USUAL_NS)
		rephase(wait, PHASE_TIMER, PHASE_TIMER_LATE);
}

/* One that serves the timer may have begun before due. */
void wait_note_interrupt(struct wait *wait, const struct trace_record *record, int64_t at_ns)
{
	if (at_ns < 0 || (wait->phase != PHASE_TIMER && wait->phase != PHASE_TIMER_LATE))
		return;
	if (record->kind == TRACE_EXPIRE || strstr(record->name, "timer"))
		wait->phase = PHASE_WAKING;
	else
		wait->others_came = true;
}

static bool is_waiting_for_waking(enum blame_phase phase)
{
	return phase == PHASE_TIMER || phase == PHASE_TIMER_LATE || phase == PHASE_WAKING;
}

/* Since it went to sleep. */
static void settle(struct wait *wait, enum blame_phase phase)
{
	struct segment *segment = wait->blame->segment;

	if (!is_waiting_for_waking(wait->phase))
		return;
	for (unsigned i = wait->blame->count; i && is_waiting_for_waking(segment[i - 1].phase); i--)
		segment[i - 1].phase = phase;
	wait->phase = phase;
}

/* Nothing is known of who woke the meter: that was on another CPU, or before, or is lost. */
static void forget_waking(struct wait *wait)
{
	settle(wait, PHASE_UNKNOWN);
}

static bool is_waiting_for_cpu(const struct wait *wait)
{
	return wait->phase == PHASE_READY || wait->phase == PHASE_TAKEN || wait->phase == PHASE_PASSED_OVER;
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
		settle(wait, PHASE_WAKING);
	if (wait->phase != PHASE_RUNNING && !is_waiting_for_cpu(wait))
		wait->phase = PHASE_READY;
}

static void leave_meter(struct wait *wait, const struct trace_record *record, int64_t at_ns)
{
	if (!record->prev_blocked) {
		wait->phase = blame_is_lower(&record->next, &record->prev) ? PHASE_PASSED_OVER : PHASE_TAKEN;
		return;
	}
	wait->woken &= at_ns >= 0;
	wait->phase = wait->woken ? PHASE_BLOCKED : PHASE_TIMER;
}

static void enter_meter(struct wait *wait, const struct trace_record *record, int64_t at_ns)
{
	forget_waking(wait);
	wait->phase = PHASE_RUNNING;
	if (at_ns >= 0 && !wait->blame->arrival.at_ns)
		wait->blame->arrival = *record;
}

/* A scheduler that gives the CPU to a lower task could have given it to the meter: none was in its way. */
static void pass_over_meter(struct wait *wait, const struct trace_task *next)
{
	if (blame_is_lower(next, &wait->blame->meter)) {
		rephase(wait, PHASE_READY, PHASE_PASSED_OVER);
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
	} else if (is_waiting_for_cpu(wait)) {
		pass_over_meter(wait, &record->next);
	}
}

void wait_note_loss(struct wait *wait)
{
	forget_waking(wait);
	wait->phase = PHASE_UNKNOWN;
	wait->woken = true;
}

void wait_end(struct wait *wait)
{
	forget_waking(wait);
}
