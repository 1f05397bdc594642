// SPDX-License-Identifier: GPL-2.0-or-later
#include "fake_task.h"

struct task_wakeups wakeups;
struct task_wakeup found;
uint64_t now;

void begin(void)
{
	task_wakeups_init(&wakeups, THREAD);
	now = 990;
	go(TASK_SWITCHED_IN);
}

bool put(struct task_record record)
{
	record.at_ns = now += 10;
	return task_wakeups_add(&wakeups, &record, &found);
}

void start(uint64_t timer, uint64_t due_ns)
{
	put((struct task_record){ TASK_TIMER_START, .current = THREAD, .timer = timer, .soft_ns = due_ns, .hard_ns = due_ns + 7 });
}

void cancel(uint64_t timer)
{
	put((struct task_record){ TASK_TIMER_CANCEL, .current = THREAD, .timer = timer });
}

void expire(uint64_t timer, int cpu, int current)
{
	put((struct task_record){ TASK_TIMER_EXPIRY, .cpu = cpu, .current = current, .timer = timer, .now_ns = now });
}

void finish(uint64_t timer, int cpu, int current)
{
	put((struct task_record){ TASK_TIMER_DONE, .cpu = cpu, .current = current, .timer = timer });
}

bool wake(int cpu, int current)
{
	return put((struct task_record){ TASK_WAKING, .cpu = cpu, .current = current });
}

bool go(enum task_event event)
{
	return put((struct task_record){ event, .current = THREAD });
}

void expire_and_wake(uint64_t timer, int cpu, int current)
{
	expire(timer, cpu, current);
	wake(cpu, current);
	finish(timer, cpu, current);
}
