// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "source/task_wakeups.h"

#define RACE_NS 50000			/* by so much a waking can come before the sleep that it ends */

void task_wakeups_init(struct task_wakeups *wakeups, int thread)
{
	memset(wakeups, 0, sizeof(*wakeups));
	wakeups->thread = thread;
}

void task_wakeups_set_clocks(struct task_wakeups *wakeups, const int64_t offset_ns[TASK_CLOCKS])
{
	memcpy(&wakeups->timers.offset_ns[1], offset_ns, TASK_CLOCKS * sizeof(*offset_ns));
}

/*
 * The wake-up that should have ended by now has no record of that. To wake a
 * thread that runs is no wake-up, unless it set a timer for it.
 */
static void give_up(struct task_wakeups *wakeups)
{
	if (wakeups->pending ? wakeups->certain || wakeups->wakeup.due_ns : wakeups->state == TASK_ASLEEP)
		wakeups->unmatched++;
	wakeups->pending = false;
}

/* The thread does something, so it runs, whatever was recorded of that. */
static void find_running(struct task_wakeups *wakeups)
{
	give_up(wakeups);
	if (wakeups->state > TASK_RUNS)
		wakeups->state = TASK_RUNS;
}

static void begin(struct task_wakeups *wakeups, const struct task_record *record)
{
	struct task_timer *timer = task_timers_around(&wakeups->timers, record);

	wakeups->wakeup = (struct task_wakeup){ .waking_ns = record->at_ns, .cpu = record->cpu };
	if (timer) {
		wakeups->wakeup.due_ns = timer->due_ns;
		wakeups->wakeup.slack_ns = timer->hard_ns - timer->soft_ns;
		wakeups->wakeup.expiry_ns = timer->expiry_ns;
	}
	wakeups->pending = true;
	wakeups->certain = wakeups->state != TASK_RUNS;
	wakeups->blind = wakeups->state == TASK_GAP || (timer && !timer->due_ns);
}

/* The wake-up ends. Returns whether all of it is known. */
static bool end(struct task_wakeups *wakeups, uint64_t switched_ns, int cpu, struct task_wakeup *wakeup)
{
	wakeups->pending = false;
	if (wakeups->blind) {
		wakeups->unmatched++;
		return false;
	}
	*wakeup = wakeups->wakeup;
	wakeup->switched_ns = switched_ns;
	wakeup->cpu = cpu;
	wakeups->awake = true;
	return true;
}

/* An interrupt wakes the thread before it sleeps, so it goes on at once. */
static bool waking_itself(struct task_wakeups *wakeups, const struct task_record *record, struct task_wakeup *wakeup)
{
	find_running(wakeups);
	begin(wakeups, record);
	wakeups->pending = false;
	return wakeups->state == TASK_RUNS && wakeups->wakeup.expiry_ns &&
	       end(wakeups, record->at_ns, record->cpu, wakeup);
}

/* In the same call of the timer's function that woke it before: that returned a lock. */
static bool is_woken_again(struct task_wakeups *wakeups, const struct task_record *record)
{
	const struct task_timer *timer = task_timers_around(&wakeups->timers, record);

	return timer && !wakeups->pending && timer->expiry_ns == wakeups->wakeup.expiry_ns;
}

/*
 * A thread that is woken a second time has run in between. Where records were
 * lost, it may be the first time. A lock may also come before the thread sleeps.
 */
static void waking(struct task_wakeups *wakeups, const struct task_record *record)
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
		give_up(wakeups);
	begin(wakeups, record);
}

/* It has the CPU again, which it had lost without being asleep. */
static void end_preemption(struct task_wakeups *wakeups, uint64_t at_ns)
{
	uint64_t away_ns = at_ns - wakeups->switch_ns;

	if (away_ns > wakeups->preempted_ns)
		wakeups->preempted_ns = away_ns;
}

/* A thread that ran comes back from a switch that was not recorded: it slept, or was only preempted. */
static bool switched_in(struct task_wakeups *wakeups, const struct task_record *record, struct task_wakeup *wakeup)
{
	enum task_state before = wakeups->state;

	wakeups->state = TASK_RUNS;
	if (before == TASK_ASLEEP && !wakeups->pending) {
		wakeups->wakings_missing = true;
		wakeups->unmatched++;
	}
	if (before == TASK_WAITS && wakeups->was_preempted && !wakeups->pending)
		end_preemption(wakeups, record->at_ns);
	wakeups->switch_ns = record->at_ns;
	if (before != TASK_RUNS)
		return wakeups->pending && end(wakeups, record->at_ns, record->cpu, wakeup);
	wakeups->certain = true;
	give_up(wakeups);
	return false;
}

/*
 * Another CPU can wake the thread while it goes to sleep. Then it does so, and
 * comes back. Where wakings are missing, it may have been another that ended the sleep.
 */
static void switched_away(struct task_wakeups *wakeups, const struct task_record *record, enum task_state state)
{
	bool ran = wakeups->state == TASK_RUNS, sleeps = ran && state == TASK_ASLEEP;
	bool preempted = ran && !sleeps && wakeups->awake;

	wakeups->preempted += preempted && !wakeups->was_preempted;
	wakeups->awake = wakeups->awake && state != TASK_ASLEEP;
	wakeups->was_preempted = wakeups->awake && (preempted || wakeups->was_preempted);
	wakeups->switch_ns = record->at_ns;
	if (!sleeps || wakeups->wakings_missing || record->at_ns - wakeups->wakeup.waking_ns > RACE_NS)
		give_up(wakeups);
	if (wakeups->state >= TASK_RUNS)
		wakeups->state = state;
}

static void lost(struct task_wakeups *wakeups, uint64_t until_ns)
{
	wakeups->unmatched += wakeups->held;
	wakeups->held = false;
	wakeups->pending = wakeups->pending || wakeups->state == TASK_ASLEEP;
	wakeups->certain = wakeups->blind = true;
	wakeups->awake = wakeups->was_preempted = false;
	if (wakeups->gap_ns < until_ns)
		wakeups->gap_ns = until_ns;
}

static bool add(struct task_wakeups *wakeups, const struct task_record *record, struct task_wakeup *wakeup)
{
	switch (record->event) {
	case TASK_TIMER_START:
	case TASK_TIMER_CANCEL:
		find_running(wakeups);	/* fall through */
	case TASK_TIMER_EXPIRY:
	case TASK_TIMER_DONE:
		task_timers_add(&wakeups->timers, record);
		break;
	case TASK_WAKING:
		if (record->current == wakeups->thread)
			return waking_itself(wakeups, record, wakeup);
		waking(wakeups, record);
		break;
	case TASK_SWITCHED_IN:
		return switched_in(wakeups, record, wakeup);
	case TASK_PREEMPTED:
		switched_away(wakeups, record, TASK_WAITS);
		break;
	case TASK_SLEEPS:
		switched_away(wakeups, record, TASK_ASLEEP);
		break;
	case TASK_EXIT:
		task_wakeups_end(wakeups);	/* fall through */
	case TASK_FORK:
		break;
	case TASK_LOST:
		lost(wakeups, record->until_ns);
		break;
	}
	return false;
}

/* Whether the thread does with this what it only does after its wake-up, or begins the next one. */
static bool is_over(struct task_wakeups *wakeups, const struct task_record *record)
{
	switch (record->event) {
	case TASK_TIMER_START:
	case TASK_TIMER_CANCEL:
		return true;
	case TASK_WAKING:
		return !is_woken_again(wakeups, record);
	case TASK_SWITCHED_IN:
		return wakeups->state == TASK_ASLEEP && !wakeups->pending;
	default:
		return false;
	}
}

/*
 * On PREEMPT_RT a thread may expire the timer. Whom it wakes can take the CPU from
 * it at once, and block on a lock that the timer's function still holds.
 */
static bool may_block(const struct task_wakeups *wakeups, const struct task_record *record)
{
	return record->event == TASK_SWITCHED_IN &&
	       task_timers_expires(&wakeups->timers, wakeups->wakeup.expiry_ns, record->cpu);
}

/* One wake-up that has ended may be held until it is known that it has. Returns whether there is one to tell. */
static bool add_and_hold(struct task_wakeups *wakeups, const struct task_record *record, struct task_wakeup *wakeup)
{
	bool over = wakeups->held && is_over(wakeups, record);
	struct task_wakeup ended;

	if (over) {
		*wakeup = wakeups->holding;
		wakeups->held = false;
	}
	if (!add(wakeups, record, &ended))
		return over;
	if (over || may_block(wakeups, record)) {
		wakeups->holding = ended;
		wakeups->held = true;
		return over;
	}
	*wakeup = ended;
	return true;
}

/* What is recorded in a gap tells how many wake-ups are unmatched, but neither state nor timers are known. */
bool task_wakeups_add(struct task_wakeups *wakeups, const struct task_record *record, struct task_wakeup *wakeup)
{
	bool ended = add_and_hold(wakeups, record, wakeup);

	if (record->event == TASK_LOST || record->at_ns < wakeups->gap_ns) {
		wakeups->state = TASK_GAP;
		task_timers_forget(&wakeups->timers);
	}
	return ended;
}

void task_wakeups_end(struct task_wakeups *wakeups)
{
	if (wakeups->pending)
		give_up(wakeups);
	wakeups->unmatched += wakeups->held;
	wakeups->held = false;
	wakeups->state = TASK_UNSEEN;
	memset(wakeups->timers.timer, 0, sizeof(wakeups->timers.timer));
}
