// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "trace/tracepoint.h"

static int open_event(struct perf_event_attr *attr, int cpu)
{
	attr->size = sizeof(*attr);
	return syscall(SYS_perf_event_open, attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static uint64_t content(enum trace_detail detail)
{
	return PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TIME | (detail >= TRACE_FIELDS ? PERF_SAMPLE_RAW : 0) |
	       (detail >= TRACE_STACK ? PERF_SAMPLE_CALLCHAIN : 0);
}

/* Nobody waits for a record, and to wake somebody up takes time: the kernel makes a ring's size of this watermark. */
int tracepoint_open(int id, int cpu, enum trace_detail detail, bool backward, const char *filter)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT, .config = id, .sample_period = 1,
		.sample_type = content(detail), .sample_id_all = 1, .write_backward = backward,
		.disabled = 1, .use_clockid = 1, .clockid = CLOCK_MONOTONIC,
		.exclude_callchain_user = 1, .sample_max_stack = detail >= TRACE_STACK ? TRACE_FRAMES : 0,
		.watermark = 1, .wakeup_watermark = UINT32_MAX,
	};
	int event = open_event(&attr, cpu), error;

	if (event < 0 || !filter || ioctl(event, PERF_EVENT_IOC_SET_FILTER, filter) == 0)
		return event;
	error = errno;
	close(event);
	errno = error;
	return -1;
}

uint64_t tracepoint_number(int event)
{
	uint64_t number;

	return ioctl(event, PERF_EVENT_IOC_ID, &number) < 0 ? 0 : number;
}

int tracepoint_open_switches(int cpu)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CONTEXT_SWITCHES };

	return open_event(&attr, cpu);
}
