// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "fake_task.h"

int64_t clocks[TASK_CLOCKS];
struct task_wakeups wakeups;
struct figures figures;
struct wakeup found;
uint64_t now;

void begin_unseen(void)
{
	memset(clocks, 0, sizeof(clocks));
	figures = (struct figures){ .unmatched = 0 };
	wakeups = (struct task_wakeups){ .thread = THREAD, .offset_ns = clocks, .figures = &figures };
}

void begin(void)
{
	begin_unseen();
	now = 990;
	come();
}

bool put(struct trace_record record)
{
	record.at_ns = now += 10;
	return task_wakeups_add(&wakeups, &record, &found);
}

void start(uint64_t timer, uint64_t due_ns)
{
	put((struct trace_record){ TRACE_TIMER_START, .current = THREAD, .timer = timer, .expires_ns = due_ns, .latest_ns = due_ns + 7 });
}

void cancel(uint64_t timer)
{
	put((struct trace_record){ TRACE_TIMER_CANCEL, .current = THREAD, .timer = timer });
}

void expire(uint64_t timer, int cpu, int current)
{
	put((struct trace_record){ TRACE_EXPIRE, .cpu = cpu, .current = current, .timer = timer, .expires_ns = now });
}

void finish(uint64_t timer, int cpu, int current)
{
	put((struct trace_record){ TRACE_EXPIRED, .cpu = cpu, .current = current, .timer = timer });
}

bool wake(int cpu, int current)
{
	return put((struct trace_record){ TRACE_WAKING, .cpu = cpu, .current = current });
}

bool come(void)
{
	return put((struct trace_record){ TRACE_SWITCH_IN, .current = THREAD });
}

bool leave(bool runnable)
{
	return put((struct trace_record){ TRACE_SWITCH_OUT, .current = THREAD, .runnable = runnable });
}

void expire_and_wake(uint64_t timer, int cpu, int current)
{
	expire(timer, cpu, current);
	wake(cpu, current);
	finish(timer, cpu, current);
}
