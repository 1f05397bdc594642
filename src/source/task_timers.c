// SPDX-License-Identifier: GPL-2.0-or-later
#include <stddef.h>
#include <string.h>

#include "source/task_timers.h"

#define CLOCK_ERROR_NS 100000		/* of an offset, which is read from user space */
#define CLOCK_DELAY_NS 100000000	/* from when the kernel reads such a clock until it records the expiry */

/* Returns NULL when the thread has started none there. */
static struct task_timer *timer_at(struct task_timers *timers, uint64_t address)
{
	for (unsigned i = 0; i < TASK_TIMERS; i++)
		if (timers->timer[i].address == address)
			return &timers->timer[i];
	return NULL;
}

/* That of the timer that was started first, or a free one, of which the start is 0. */
static struct task_timer *oldest_place(struct task_timers *timers)
{
	struct task_timer *oldest = &timers->timer[0];

	for (unsigned i = 1; i < TASK_TIMERS; i++)
		if (timers->timer[i].started_ns < oldest->started_ns)
			oldest = &timers->timer[i];
	return oldest;
}

static void start(struct task_timers *timers, struct task_timer *timer, const struct task_record *record)
{
	if (!timer) {
		timer = oldest_place(timers);
		*timer = (struct task_timer){ .address = record->timer };
	}
	timer->started_ns = record->at_ns;
	timer->soft_ns = record->soft_ns;
	timer->hard_ns = record->hard_ns;
	timer->state = TIMER_STARTED;
}

/*
 * When the timer was due by CLOCK_MONOTONIC. A record does not name the timer's
 * clock, but has its time, read a little earlier. Returns 0 when no clock showed it.
 */
static uint64_t due_of(const struct task_timers *timers, const struct task_timer *timer,
		       const struct task_record *record)
{
	int64_t ahead_ns = record->now_ns - (int64_t)record->at_ns, least_ns = INT64_MAX, offset_ns = 0;

	for (unsigned i = 0; i <= TASK_CLOCKS; i++) {
		int64_t delay_ns = timers->offset_ns[i] - ahead_ns;

		if (delay_ns < -CLOCK_ERROR_NS || (i && delay_ns > CLOCK_DELAY_NS))
			continue;
		if (delay_ns < least_ns - CLOCK_ERROR_NS) {
			least_ns = delay_ns;
			offset_ns = timers->offset_ns[i];
		}
	}
	return least_ns == INT64_MAX ? 0 : timer->soft_ns - offset_ns;
}

/* One that expires before it is due is another one, at the address of one that is gone. */
static void expire(const struct task_timers *timers, struct task_timer *timer, const struct task_record *record)
{
	bool unsure = timer->state == TIMER_UNSURE;

	timer->state = !unsure && record->now_ns < timer->soft_ns ? TIMER_STOPPED : TIMER_EXPIRES;
	timer->cpu = record->cpu;
	timer->current = record->current;
	timer->expiry_ns = record->at_ns;
	timer->due_ns = unsure ? 0 : due_of(timers, timer, record);
}

/* When its function returns, the thread may have started it again, on another CPU. */
void task_timers_add(struct task_timers *timers, const struct task_record *record)
{
	struct task_timer *timer = timer_at(timers, record->timer);

	if (record->event == TASK_TIMER_START)
		start(timers, timer, record);
	else if (!timer)
		return;
	else if (record->event == TASK_TIMER_CANCEL)
		timer->state = TIMER_STOPPED;
	else if (record->event == TASK_TIMER_EXPIRY && timer->state >= TIMER_UNSURE && timer->state <= TIMER_STARTED)
		expire(timers, timer, record);
	else if (record->event == TASK_TIMER_DONE && timer->state == TIMER_EXPIRES)
		timer->state = TIMER_STOPPED;
}

struct task_timer *task_timers_around(struct task_timers *timers, const struct task_record *record)
{
	struct task_timer *innermost = NULL;

	for (unsigned i = 0; i < TASK_TIMERS; i++) {
		struct task_timer *timer = &timers->timer[i];

		if (timer->state != TIMER_EXPIRES || timer->cpu != record->cpu || timer->current != record->current)
			continue;
		if (!innermost || innermost->expiry_ns < timer->expiry_ns)
			innermost = timer;
	}
	return innermost;
}

bool task_timers_expires(const struct task_timers *timers, uint64_t expiry_ns, int cpu)
{
	for (unsigned i = 0; i < TASK_TIMERS; i++) {
		const struct task_timer *timer = &timers->timer[i];

		if (timer->state == TIMER_EXPIRES && timer->expiry_ns == expiry_ns && timer->cpu == cpu)
			return true;
	}
	return false;
}

void task_timers_forget(struct task_timers *timers)
{
	for (unsigned i = 0; i < TASK_TIMERS; i++)
		timers->timer[i] = (struct task_timer){ .address = timers->timer[i].address, .state = TIMER_UNSURE };
}
