// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>

#include "explain/occupant.h"
#include "explain/reason.h"

#define NAME_SIZE 64
#define TIME_SIZE 32

/* From then to then, since the wake-up was due. */
static struct stretch stretch_of(const struct lateness *lateness, int64_t from_ns, int64_t to_ns)
{
	const struct event *event = lateness->event;
	uint64_t due_ns = event->stamp_ns - event->late_ns;

	return (struct stretch){
		lateness->records, lateness->count, due_ns + from_ns, due_ns + to_ns, event->stamp_ns,
		lateness->task.pid,
	};
}

/* How late its timer was, in ns; 0 where that is not known. */
static int64_t expiry_of(const struct event *event)
{
	return event->parts.stamp_ns == event->stamp_ns ? event->parts.ns[PART_EXPIRY] : 0;
}

/* All times in one unit, so that they compare. */
static const char *time_in(const struct lateness *lateness, int64_t ns, char text[TIME_SIZE])
{
	bool long_enough = lateness->event->late_ns >= 1000000;

	snprintf(text, TIME_SIZE, long_enough ? "%.3f ms" : "%.1f us", ns / (long_enough ? 1e6 : 1e3));
	return text;
}

/* Did it explain the greater part of the lateness? */
static bool is_most(const struct lateness *lateness, int64_t ns)
{
	return ns > lateness->event->late_ns / 2;
}

/* A thread's own work is a reason; ours is one only after a long stall, which is counted period by period. */
static void tell_self(const struct lateness *lateness, int64_t ns, char text[REASON_SIZE])
{
	char lapse[TIME_SIZE];

	if (lateness->observed)
		snprintf(text, REASON_SIZE, "'%s' itself ran for %s: its own work overran the period",
			 lateness->task.comm, time_in(lateness, ns, lapse));
	else if (is_most(lateness, lateness->event->counting_ns))
		snprintf(text, REASON_SIZE, "realfeel itself was still at work for %s",
			 time_in(lateness, lateness->event->counting_ns, lapse));
}

/* Who had the CPU while the timer was late. */
static void tell_expiry(const struct lateness *lateness, const struct occupant *occupant, char text[REASON_SIZE])
{
	char name[NAME_SIZE], lapse[TIME_SIZE];

	time_in(lateness, expiry_of(lateness->event), lapse);
	if (!occupant->ns)
		snprintf(text, REASON_SIZE, "its timer came %s late", lapse);
	else if (occupant->kind == TRACE_SWITCH && !occupant->task.pid)
		snprintf(text, REASON_SIZE, "its timer came %s late, while the CPU was idle", lapse);
	else
		snprintf(text, REASON_SIZE, "its timer came %s late, while %s ran", lapse,
			 occupant_name(occupant, name, sizeof(name)));
}

const char *reason_of(const struct lateness *lateness, char text[REASON_SIZE])
{
	const struct event *event = lateness->event;
	bool timer_late = is_most(lateness, expiry_of(event));
	struct stretch stretch = stretch_of(lateness, 0, timer_late ? expiry_of(event) : event->late_ns);
	char name[NAME_SIZE], lapse[TIME_SIZE];
	struct occupant occupant, waker;

	*text = '\0';
	if (!lateness->count)
		return text;
	occupant_find_longest(&occupant, &stretch);
	occupant_find_waker(&waker, &stretch);
	if (lateness->observed && is_most(lateness, waker.ns))
		snprintf(text, REASON_SIZE, "'%s' waited %s to be woken by %s", lateness->task.comm,
			 time_in(lateness, waker.ns, lapse), occupant_name(&waker, name, sizeof(name)));
	else if (occupant.ns && occupant.kind == TRACE_SWITCH && occupant.task.pid == lateness->task.pid)
		tell_self(lateness, occupant.ns, text);
	else if (timer_late)
		tell_expiry(lateness, &occupant, text);
	else if (occupant.ns)
		snprintf(text, REASON_SIZE, "%s had the CPU for %s", occupant_name(&occupant, name, sizeof(name)),
			 time_in(lateness, occupant.ns, lapse));
	return text;
}

int64_t reason_not_throttled_ns(const struct lateness *lateness, int prio, bool in_thread)
{
	int64_t expiry_ns = in_thread ? 0 : expiry_of(lateness->event);
	struct stretch stretch = stretch_of(lateness, expiry_ns, lateness->event->late_ns);
	struct occupant occupant;

	occupant_find_longest(&occupant, &stretch);
	return expiry_ns + (occupant_goes_before(&occupant, prio) ? occupant.ns : 0);
}
