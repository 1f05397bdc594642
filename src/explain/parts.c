// SPDX-License-Identifier: GPL-2.0-or-later
#include "explain/parts.h"

/* No timer expires early, but perf's clock (ktime_get_mono_fast_ns) may step back when its slope is updated. */
#define STEP_BACK_NS 1000

/* Of two wakings without a switch between them, one woke no sleeper, or a switch is missing. */
static void take_waking(struct parts_search *search, uint64_t at_ns)
{
	search->doubtful |= search->woken;
	search->woken = true;
	if (!search->waking_ns)
		search->waking_ns = at_ns;
}

static void take_switch(struct parts_search *search, uint64_t at_ns)
{
	search->woken = false;
	if (!search->waking_ns) {
		search->before_ns = at_ns;
		return;
	}
	if (!search->first_ns)
		search->first_ns = at_ns;
	search->last_ns = at_ns;
}

void parts_take(struct parts_search *search, const struct trace_record *record)
{
	search->losing = record->kind == TRACE_LOST;
	switch (record->kind) {
	case TRACE_EXPIRE:
		if (!search->waking_ns)
			search->expiry_ns = record->at_ns;
		break;
	case TRACE_WAKING:
		take_waking(search, record->at_ns);
		break;
	case TRACE_SWITCH:
		take_switch(search, record->at_ns);
		break;
	default:
		parts_doubt(search);
	}
}

void parts_doubt(struct parts_search *search)
{
	search->doubtful = true;
}

/*
 * If there is no waking or no switch, the timer expired before the meter slept. If
 * a switch to the meter lies between due and waking, it was not asleep when due.
 */
static bool is_plain(const struct parts_search *search, uint64_t due_ns, uint64_t stamp_ns)
{
	return !search->doubtful && !search->woken && search->first_ns &&
	       search->before_ns < due_ns && due_ns <= search->expiry_ns + STEP_BACK_NS &&
	       search->expiry_ns <= search->waking_ns && search->waking_ns <= search->first_ns &&
	       search->first_ns <= search->last_ns && search->last_ns <= stamp_ns;
}

bool parts_settle(struct parts_search *search, uint64_t due_ns, uint64_t stamp_ns, struct parts *parts)
{
	bool losing = search->losing, plain;

	if (search->asked)
		search->expiry_ns = due_ns;
	plain = is_plain(search, due_ns, stamp_ns);

	*parts = (struct parts){ .stamp_ns = stamp_ns, .ns = {
		[PART_EXPIRY] = search->expiry_ns - due_ns,
		[PART_WAKING] = search->waking_ns - search->expiry_ns,
		[PART_SWITCH] = search->first_ns - search->waking_ns,
		[PART_AGAIN] = search->last_ns - search->first_ns,
		[PART_STAMP] = stamp_ns - search->last_ns,
	} };
	*search = (struct parts_search){ .asked = search->asked, .doubtful = losing, .losing = losing };
	return plain;
}

void parts_told(const struct wakelog_entry *wakeup, struct parts *parts)
{
	*parts = (struct parts){ .stamp_ns = wakeup->stamp_ns, .ns = {
		[PART_EXPIRY] = wakeup->expiry_ns - wakeup->due_ns,
		[PART_WAKING] = wakeup->waking_ns - wakeup->expiry_ns,
		[PART_SWITCH] = wakeup->stamp_ns - wakeup->waking_ns,
	} };
}
