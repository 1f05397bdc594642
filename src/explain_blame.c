// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "explain_blame.h"

/* What is not real-time has no order that we could tell. */
bool blame_is_lower(const struct trace_task *task, const struct trace_task *meter)
{
	return meter->prio < 100 && task->prio > meter->prio;
}

bool blame_is_softirq_thread(const struct trace_task *task)
{
	return !strncmp(task->comm, "ksoftirqd/", 10) || !strncmp(task->comm, "ktimers/", 8);
}

const char *blame_kind(const struct segment *segment)
{
	static const char *const names[] = {
		[BLAME_TASK] = "task", [BLAME_IDLE] = "idle", [BLAME_INTERRUPT] = "interrupt",
		[BLAME_SOFTIRQ] = "softirq", [BLAME_SELF] = "self", [BLAME_RING_ENDS] = "unknown",
		[BLAME_NO_RECORD] = "unknown", [BLAME_LOST] = "unknown",
	};

	return names[segment->kind];
}

const char *blame_name(const struct segment *segment)
{
	switch (segment->kind) {
	case BLAME_IDLE:
		return "idle";
	case BLAME_INTERRUPT:
	case BLAME_SOFTIRQ:
		return segment->name;
	case BLAME_RING_ENDS:
		return "ring-ends";
	case BLAME_NO_RECORD:
		return "no-record";
	case BLAME_LOST:
		return "lost";
	default:
		return segment->task.comm;
	}
}
