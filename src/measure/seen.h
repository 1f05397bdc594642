/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What may disturb a run. The keeper looks for it once a second, so the slice that it falls into is known. */
#ifndef MEASURE_SEEN_H
#define MEASURE_SEEN_H

enum seen {
	SEEN_STEAL,			/* the hypervisor took time from the CPU */
	SEEN_SUSPENDED,			/* the machine slept */
	SEEN_CLOCK_SET,			/* the wall clock was set: an instant */
	SEEN_STOPPED,			/* a signal stopped the meter, */
	SEEN_CHILD_STOPPED,		/* or one of its children */
	SEEN_FROZEN,			/* the meter's control group was frozen */
	SEEN_THROTTLED,			/* that group had used up its share of the CPU */
	SEEN_SCHED,			/* the meter had other scheduling than when it began, */
	SEEN_CHILD_SCHED,		/* or one of its children had */
	SEEN_TRACED,			/* another process traced the meter */
	SEEN_IDLE_LATENCY,		/* the limit of idle states was another */
	SEEN_THREAD_STOPPED,		/* the thread of another program that is measured was stopped or traced, */
	SEEN_THREAD_SCHED,		/* or had other scheduling than when it was first seen */
	SEEN_KINDS
};

#endif
