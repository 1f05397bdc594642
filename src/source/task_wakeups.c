// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "source/task.h"

#define RACE_NS 50000			/* how far a waking can precede the sleep that it ends */
#define CLOCK_ERROR_NS 100000		/* of an offset, which is read from user space */
#define CLOCK_DELAY_NS 100000000	/* from when the kernel reads such a clock until it records the expiry */

/* A new timer (NULL) takes a free place, whose start is 0, or the place of the one that was started first. */
static void start_timer(struct task_wakeups *wakeups, struct task_timer *timer, const struct trace_record *record)
{
	if (!timer) {
		timer = wakeups->timer;
		for (unsigned i = 1; i < TASK_TIMERS; i++)
			if (wakeups->timer[i].started_ns < timer->started_ns)
				timer = &wakeups->timer[i];
		*timer = (struct task_timer){ .address = record->timer };
	}
	timer->started_ns = record->at_ns;
	timer->soft_ns = record->expires_ns;
	timer->hard_ns = record->latest_ns;
	timer->state = TIMER_STARTED;
}

/*
 * When the timer was due by CLOCK_MONOTONIC. A record does not name the timer's
 * clock, but has its time, read a little earlier. Returns 0 if no clock fits.
 */
static uint64_t timer_due_ns(const struct task_wakeups *wakeups, const struct task_timer *timer,
		       const struct trace_record *record)
{
	int64_t ahead_ns = record->expires_ns - (int64_t)record->at_ns, least_ns = INT64_MAX, offset_ns = 0;

	for (unsigned i = 0; i < TASK_CLOCKS; i++) {
		int64_t delay_ns = wakeups->offset_ns[i] - ahead_ns;

		if (delay_ns < -CLOCK_ERROR_NS || (i && delay_ns > CLOCK_DELAY_NS))
			continue;
		if (delay_ns < least_ns - CLOCK_ERROR_NS) {
			least_ns = delay_ns;
			offset_ns = wakeups->offset_ns[i];
		}
	}
	return least_ns == INT64_MAX ? 0 : timer->soft_ns - offset_ns;
}

/* Expiry before the due time: another timer reuses the address. */
static void expire(const struct task_wakeups *wakeups, struct task_timer *timer, const struct trace_record *record)
{
	bool unsure = timer->state == TIMER_UNSURE;

	if (!unsure && timer->state != TIMER_STARTED)
		return;
	timer->state = !unsure && record->expires_ns < timer->soft_ns ? TIMER_STOPPED : TIMER_EXPIRES;
	timer->cpu = record->cpu;
	timer->current = record->current;
	timer->expiry_ns = record->at_ns;
	timer->due_ns = unsure ? 0 : timer_due_ns(wakeups, timer, record);
}

/* When its function returns, the thread may have started it again, on another CPU. */
static void add_timer(struct task_wakeups *wakeups, const struct trace_record *record)
{
	struct task_timer *timer = NULL;

	for (unsigned i = 0; !timer && i < TASK_TIMERS; i++)
		if (wakeups->timer[i].address == record->timer)
			timer = &wakeups->timer[i];
	if (record->kind == TRACE_TIMER_START)
		start_timer(wakeups, timer, record);
	else if (!timer)
		return;
	else if (record->kind == TRACE_TIMER_CANCEL)
		timer->state = TIMER_STOPPED;
	else if (record->kind == TRACE_EXPIRE)
		expire(wakeups, timer, record);
	else if (record->kind == TRACE_EXPIRED && timer->state == TIMER_EXPIRES)
		timer->state = TIMER_STOPPED;
}

/* The timer in whose function this record was made, on the same CPU: the innermost; NULL: none of the thread's. */
static const struct task_timer *timer_around(const struct task_wakeups *wakeups, const struct trace_record *record)
{
	const struct task_timer *innermost = NULL;

	for (unsigned i = 0; i < TASK_TIMERS; i++) {
		const struct task_timer *timer = &wakeups->timer[i];

		if (timer->state != TIMER_EXPIRES || timer->cpu != record->cpu || timer->current != record->current)
			continue;
		if (!innermost || innermost->expiry_ns < timer->expiry_ns)
			innermost = timer;
	}
	return innermost;
}

/*
 * The wake-up that should have ended by now has no record of that. Waking a running thread is not a wake-up, unless it
 * had set a timer.
 */
static void count_unmatched(struct task_wakeups *wakeups)
{
	if (wakeups->pending ? wakeups->certain || wakeups->wakeup.due_ns : wakeups->state == TASK_ASLEEP)
		wakeups->figures->unmatched++;
	wakeups->pending = false;
}

/* The thread does something, so it is running, whatever was recorded. */
static void find_running(struct task_wakeups *wakeups)
{
	count_unmatched(wakeups);
	if (wakeups->state > TASK_RUNS)
		wakeups->state = TASK_RUNS;
}

static void begin_wakeup(struct task_wakeups *wakeups, const struct trace_record *record)
{
	const struct task_timer *timer = timer_around(wakeups, record);

	wakeups->wakeup = (struct wakeup){ .woken_ns = record->at_ns, .cpu = record->cpu };
	if (timer) {
		wakeups->wakeup.due_ns = timer->due_ns;
		wakeups->wakeup.started_ns = timer->started_ns;
		wakeups->wakeup.slack_ns = timer->hard_ns - timer->soft_ns;
		wakeups->wakeup.expired_ns = timer->expiry_ns;
	}
	wakeups->pending = true;
	wakeups->certain = wakeups->state != TASK_RUNS;
	wakeups->blind = wakeups->state == TASK_GAP || (timer && !timer->due_ns);
}

/* The wake-up ends. Returns whether all of it is known. */
static bool end_wakeup(struct task_wakeups *wakeups, const struct trace_record *record, struct wakeup *wakeup)
{
	wakeups->pending = false;
	if (wakeups->blind) {
		wakeups->figures->unmatched++;
		return false;
	}
	*wakeup = wakeups->wakeup;
	wakeup->served_ns = record->at_ns;
	wakeup->cpu = record->cpu;
	wakeups->awake = true;
	return true;
}

/* Whether the call of the timer's function that had woken the thread wakes it again: the first gave it a lock. */
static bool is_woken_again(const struct task_wakeups *wakeups, const struct trace_record *record)
{
	const struct task_timer *timer = timer_around(wakeups, record);

	return timer && !wakeups->pending && timer->expiry_ns == wakeups->wakeup.expired_ns;
}

/*
 * A thread that is woken a second time has run in between. If records were lost, this may be the first waking that was
 * seen. The thread may also get a lock before it sleeps.
 */
static void waking(struct task_wakeups *wakeups, const struct trace_record *record)
{
	bool again = is_woken_again(wakeups, record);

	if (wakeups->state == TASK_UNSEEN || (again && wakeups->state == TASK_RUNS))
		return;
	if (again && wakeups->held) {
		wakeups->held = false;
		wakeups->pending = wakeups->certain = true;
		return;
	}
	if (wakeups->pending && wakeups->state != TASK_GAP)
		count_unmatched(wakeups);
	begin_wakeup(wakeups, record);
}

/* A thread that ran comes back from a switch that was not recorded: it slept, or was only preempted. */
static bool switched_in(struct task_wakeups *wakeups, const struct trace_record *record, struct wakeup *wakeup)
{
	enum task_state before = wakeups->state;
	uint64_t away_ns = record->at_ns - wakeups->switch_ns;
	struct figures *figures = wakeups->figures;

	wakeups->state = TASK_RUNS;
	if (before == TASK_ASLEEP && !wakeups->pending) {
		wakeups->wakings_missing = true;
		figures->unmatched++;
	}
	if (before == TASK_WAITS && wakeups->was_preempted && !wakeups->pending)
		figures->preempted_ns = greater(figures->preempted_ns, away_ns);
	wakeups->switch_ns = record->at_ns;
	if (before != TASK_RUNS)
		return wakeups->pending && end_wakeup(wakeups, record, wakeup);
	wakeups->certain = true;
	count_unmatched(wakeups);
	return false;
}

/*
 * Another CPU can wake the thread while it goes to sleep. Then it sleeps, and comes back. If wakings are missing,
 * another one may have ended the sleep.
 */
static void switched_out(struct task_wakeups *wakeups, const struct trace_record *record)
{
	bool ran = wakeups->state == TASK_RUNS, sleeps = ran && !record->runnable;
	bool preempted = ran && !sleeps && wakeups->awake;

	wakeups->figures->preempted += preempted && !wakeups->was_preempted;
	wakeups->awake = wakeups->awake && record->runnable;
	wakeups->was_preempted = wakeups->awake && (preempted || wakeups->was_preempted);
	wakeups->switch_ns = record->at_ns;
	if (!sleeps || wakeups->wakings_missing || record->at_ns - wakeups->wakeup.woken_ns > RACE_NS)
		count_unmatched(wakeups);
	if (wakeups->state >= TASK_RUNS)
		wakeups->state = record->runnable ? TASK_WAITS : TASK_ASLEEP;
}

static bool add_record(struct task_wakeups *wakeups, const struct trace_record *record, struct wakeup *wakeup)
{
	switch (record->kind) {
	case TRACE_TIMER_START:
	case TRACE_TIMER_CANCEL:
		find_running(wakeups);	/* fall through */
	case TRACE_EXPIRE:
	case TRACE_EXPIRED:
		add_timer(wakeups, record);
		break;
	case TRACE_WAKING:
		if (record->current != wakeups->thread) {
			waking(wakeups, record);
			break;
		}
		/* An interrupt wakes the thread before it sleeps, so it goes on at once. */
		find_running(wakeups);
		begin_wakeup(wakeups, record);
		wakeups->pending = false;
		return wakeups->state == TASK_RUNS && wakeups->wakeup.expired_ns && end_wakeup(wakeups, record, wakeup);
	case TRACE_SWITCH_IN:
		return switched_in(wakeups, record, wakeup);
	case TRACE_SWITCH_OUT:
		switched_out(wakeups, record);
		break;
	case TRACE_EXIT:
		task_wakeups_end(wakeups);
		break;
	case TRACE_LOST:
		wakeups->figures->unmatched += wakeups->held;
		wakeups->held = false;
		wakeups->pending = wakeups->pending || wakeups->state == TASK_ASLEEP;
		wakeups->certain = wakeups->blind = true;
		wakeups->awake = wakeups->was_preempted = false;
		wakeups->gap_ns = greater(wakeups->gap_ns, record->until_ns);
		break;
	default:
		break;
	}
	return false;
}

/* Whether this shows what the thread does only after its wake-up, or begins the next one. */
static bool is_over(const struct task_wakeups *wakeups, const struct trace_record *record)
{
	if (record->kind == TRACE_WAKING)
		return !is_woken_again(wakeups, record);
	if (record->kind == TRACE_SWITCH_IN)
		return wakeups->state == TASK_ASLEEP && !wakeups->pending;
	return record->kind == TRACE_TIMER_START || record->kind == TRACE_TIMER_CANCEL;
}

/*
 * On PREEMPT_RT a thread may expire the timer. The thread that it wakes can take its CPU at once, and block on a lock
 * that the timer's function still holds.
 */
static bool may_block(const struct task_wakeups *wakeups, const struct trace_record *record)
{
	for (unsigned i = 0; i < TASK_TIMERS; i++) {
		const struct task_timer *timer = &wakeups->timer[i];

		if (timer->state == TIMER_EXPIRES && timer->expiry_ns == wakeups->wakeup.expired_ns &&
		    timer->cpu == record->cpu)
			return record->kind == TRACE_SWITCH_IN;
	}
	return false;
}

/*
 * A wake-up that has ended may be held back until it is known to have ended. What is recorded in a gap shows how many
 * wake-ups are unmatched, but the state is not known, and any timer of the thread may have been started meanwhile.
 */
bool task_wakeups_add(struct task_wakeups *wakeups, const struct trace_record *record, struct wakeup *wakeup)
{
	bool over = wakeups->held && is_over(wakeups, record), ended;
	struct wakeup latest;

	if (over) {
		*wakeup = wakeups->holding;
		wakeups->held = false;
	}
	ended = add_record(wakeups, record, &latest);
	if (ended && (over || may_block(wakeups, record))) {
		wakeups->holding = latest;
		wakeups->held = true;
		ended = false;
	} else if (ended) {
		*wakeup = latest;
	}
	if (record->kind == TRACE_LOST || record->at_ns < wakeups->gap_ns) {
		wakeups->state = TASK_GAP;
		for (struct task_timer *timer = wakeups->timer; timer < wakeups->timer + TASK_TIMERS; timer++)
			*timer = (struct task_timer){ .address = timer->address, .state = TIMER_UNSURE };
	}
	return over || ended;
}

void task_wakeups_end(struct task_wakeups *wakeups)
{
	if (wakeups->pending)
		count_unmatched(wakeups);
	wakeups->figures->unmatched += wakeups->held;
	wakeups->held = false;
	wakeups->state = TASK_UNSEEN;
	memset(wakeups->timer, 0, sizeof(wakeups->timer));
}
