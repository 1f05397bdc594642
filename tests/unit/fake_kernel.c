// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "fake_kernel.h"
#include "tap.h"

#define SLACK 50			/* ns */

struct kernel kernel;

bool chance(unsigned percent)
{
	return random_number() % 100 < percent;
}

/* No two records are of one instant, or nobody could tell their order. */
static void emit(struct trace_record record)
{
	bool common = record.kind == TRACE_EXPIRE || record.kind == TRACE_EXPIRED;
	unsigned ring = 2 * record.cpu + common;

	record.at_ns = ++kernel.now;
	if (!kernel.is_dropped || !kernel.is_dropped(&record))
		kernel.ring[ring][kernel.count[ring]++] = record;
}

static void pass(uint64_t most_ns)
{
	kernel.now += 1 + random_number() % most_ns;
}

static uint64_t address(const struct timer *timer)
{
	return 0xffff888000 + 64 * (timer - kernel.timer);
}

static void emit_timer(enum trace_kind kind, const struct timer *timer, int current)
{
	emit((struct trace_record){
		kind, .cpu = timer->cpu, .current = current, .timer = address(timer),
		.expires_ns = kind == TRACE_TIMER_START ? timer->due_ns : kernel.now, .latest_ns = timer->due_ns + SLACK,
	});
}

static void emit_switch(enum trace_kind kind, bool runnable)
{
	emit((struct trace_record){ kind, .cpu = kernel.cpu, .current = THREAD, .runnable = runnable });
}

/* The thread has the CPU. */
static void add_wakeup(void)
{
	struct wakeup *truth = &kernel.truth[kernel.wakeups++];

	truth->served_ns = kernel.now;
	kernel.timed += truth->due_ns > 0;
}

/* Truth: who wakes the thread; it is switched to later, or has the CPU. */
static void wake(int cpu, int current, uint64_t due_ns, uint64_t expiry_ns)
{
	struct wakeup *truth = &kernel.truth[kernel.wakeups];

	emit((struct trace_record){ TRACE_WAKING, .cpu = cpu, .current = current });
	*truth = (struct wakeup){
		.due_ns = due_ns, .slack_ns = due_ns ? SLACK : 0, .expired_ns = expiry_ns, .woken_ns = kernel.now,
	};
	kernel.waits = false;
	if (current == THREAD && due_ns) {
		kernel.at_once++;
		add_wakeup();
	}
}

static int interrupted_on(int cpu)
{
	return kernel.runs && cpu == kernel.cpu ? THREAD : chance(50) ? IDLE : OTHER;
}

/* One that nobody waits for may expire while the thread is woken by somebody else, there or on another CPU. */
static void expire(struct timer *timer)
{
	int current = interrupted_on(timer->cpu);
	uint64_t expiry_ns;

	if (kernel.now < timer->due_ns)
		kernel.now = timer->due_ns;
	kernel.now += random_number() % 300;
	timer->started = false;
	emit_timer(TRACE_EXPIRE, timer, current);
	expiry_ns = kernel.now;
	kernel.now += random_number() % 3;
	if (kernel.waits && kernel.waited == timer)
		wake(timer->cpu, current, timer->due_ns, expiry_ns);
	else if (kernel.waits && chance(5))
		wake(timer->cpu, OTHER + 1, 0, 0);
	else if (kernel.waits && chance(5))
		wake((timer->cpu + 1) % CPUS, current == THREAD ? OTHER : current, 0, 0);
	kernel.now += random_number() % 3;
	emit_timer(TRACE_EXPIRED, timer, current);
}

/*
 * Another's timer; it may wake the thread. Its address may have been that of one
 * of ours, which nobody can tell where expiries are not recorded.
 */
static void expire_foreign(bool wakes)
{
	struct timer *timer = &kernel.timer[random_number() % TIMERS];
	struct timer foreign = { .cpu = random_number() % CPUS };
	int current = interrupted_on(foreign.cpu);
	uint64_t at = timer->started || kernel.is_dropped ? 0xffff999000 : address(timer);

	emit((struct trace_record){ TRACE_EXPIRE, .cpu = foreign.cpu, .current = current, .timer = at, .expires_ns = kernel.now });
	kernel.now += random_number() % 3;
	if (wakes)
		wake(foreign.cpu, current, 0, 0);
	emit((struct trace_record){ TRACE_EXPIRED, .cpu = foreign.cpu, .current = current, .timer = at });
}

static struct timer *next_timer(void)
{
	struct timer *next = NULL;

	for (unsigned i = 0; i < TIMERS; i++)
		if (kernel.timer[i].started && (!next || kernel.timer[i].due_ns < next->due_ns))
			next = &kernel.timer[i];
	return next;
}

/* Time passes; timers that are due expire. */
static void live(uint64_t most_ns)
{
	uint64_t until = kernel.now + 1 + random_number() % most_ns;

	if (chance(20))
		expire_foreign(false);
	for (struct timer *next; (next = next_timer()) && next->due_ns <= until;)
		expire(next);
	if (kernel.now < until)
		kernel.now = until;
	kernel.now++;
}

static void switch_to(void)
{
	if (chance(20))
		kernel.cpu = random_number() % CPUS;
	emit_switch(TRACE_SWITCH_IN, true);
	kernel.runs = true;
}

static void be_preempted(void)
{
	emit_switch(TRACE_SWITCH_OUT, true);
	kernel.runs = false;
	live(3000);
}

static void start(struct timer *timer, uint64_t due_ns)
{
	timer->due_ns = due_ns;
	timer->cpu = kernel.cpu;
	timer->started = true;
	emit_timer(TRACE_TIMER_START, timer, THREAD);
}

/* Returns the timer to wait for; NULL: there is none, so only another can wake it. */
static struct timer *choose_timer(void)
{
	struct timer *timer = &kernel.timer[random_number() % TIMERS];

	if (chance(20))
		return NULL;
	if (!timer->started)
		start(timer, kernel.now + random_number() % 5000);
	else if (chance(10))
		start(timer, timer->due_ns + random_number() % 5000);
	return timer;
}

static void wake_from_outside(void)
{
	int cpu = random_number() % CPUS;

	if (chance(30))
		expire_foreign(true);
	else if (cpu == kernel.cpu || chance(50))
		wake(cpu, IDLE, 0, 0);
	else
		wake(cpu, OTHER, 0, 0);
}

/* Until somebody, or the timer, wakes the thread. */
static void sleep_on(const struct timer *timer)
{
	bool others = !timer || chance(10);

	while (kernel.waits) {
		live(4000);
		if (kernel.waits && (others || !timer->started) && chance(30))
			wake_from_outside();
	}
}

/* A timer on the stack ends with the sleep. */
static void leave(struct timer *timer)
{
	if (!timer || !timer->started || timer - kernel.timer >= STACK_TIMERS)
		return;
	timer->started = false;
	emit((struct trace_record){ TRACE_TIMER_CANCEL, .cpu = kernel.cpu, .current = THREAD, .timer = address(timer) });
}

static void come_back(void)
{
	live(2000);
	switch_to();
	add_wakeup();
	pass(100);
}

/* Between the start of a timer and the sleep, the thread may be interrupted, or preempted, or woken by another CPU. */
static void sleep_once(void)
{
	struct timer *timer = choose_timer();
	unsigned before = kernel.wakeups;

	kernel.waited = timer;
	kernel.waits = true;
	live(chance(30) ? 2000 : 20);
	if (!kernel.waits) {
		kernel.unseen += kernel.wakeups == before && kernel.truth[before].due_ns;
	} else if (chance(10)) {
		be_preempted();
		sleep_on(timer);
		come_back();
	} else {
		if (chance(5))
			wake((kernel.cpu + 1) % CPUS, OTHER, 0, 0);
		pass(20);
		emit_switch(TRACE_SWITCH_OUT, false);
		kernel.runs = false;
		sleep_on(timer);
		come_back();
	}
	leave(timer);
}

static void work(void)
{
	kernel.waits = false;
	live(1000);
	if (chance(20)) {
		be_preempted();
		switch_to();
	}
	pass(20);
}

void kernel_begin(bool (*is_dropped)(const struct trace_record *record))
{
	memset(&kernel, 0, sizeof(kernel));
	kernel.now = 1000;
	switch_to();
	kernel.is_dropped = is_dropped;
}

void kernel_sleep(void)
{
	work();
	sleep_once();
}
