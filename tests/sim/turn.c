// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who runs, and when. A process gives its turn to another one whenever it waits;
 * when all wait, the clock leaps to what comes first. What a process does until
 * its next wait takes no time.
 */
#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sim.h"

#define MOST_PASSES 2000000		/* of the turn: a run with more never ends, */
#define MOST_NS (10000 * SECOND)	/* nor does one that takes longer */
#define LOOK_S 2			/* in real time, at the process that has the turn: only to end what hangs */
#define LOOKS 5

void turn_rouse(uint64_t awaits)
{
	for_each_process(process)
		if (process->awaits != FOR_TIME &&
		    (process->awaits == awaits || process->awaits == FOR_ANYTHING || awaits == FOR_ANYTHING))
			process->ready = true;
}

/* Has it died of a fault, or fallen asleep in a call that we do not know? */
static void check_running(unsigned looks)
{
	const struct process *running = &world->process[world->running];
	char state = process_look(running->pid).state;

	if (running == self || running->dead)
		return;
	if (state == 'Z' || state == 'X')
		world_abort("%s died of itself after %s()", running->name, running->call);
	if (state == 'S' && looks > LOOKS)
		world_abort("%s really sleeps after %s()", running->name, running->call);
}

void turn_take(void)
{
	const struct timespec patience = { LOOK_S, 0 };
	unsigned looks = 0;

	while (!__atomic_exchange_n(&self->turn, 0, __ATOMIC_ACQUIRE))
		if (raw(SYS_futex, &self->turn, FUTEX_WAIT, 0L, &patience, NULL, UNTRAPPED) < 0 && errno == ETIMEDOUT)
			check_running(++looks);
	process_settle();
}

static void give_turn(struct process *next)
{
	struct rusage usage;

	if (++world->passes > MOST_PASSES)
		world_abort("the run does not come to an end");
	getrusage(RUSAGE_SELF, &usage);
	world->switches = usage.ru_nvcsw;
	world->running = next - world->process;
	__atomic_store_n(&next->turn, 1, __ATOMIC_RELEASE);
	raw(SYS_futex, &next->turn, FUTEX_WAKE, 1L);
}

/* The youngest of those that are ready, or one that is drawn. */
static struct process *choose_ready(void)
{
	struct process *ready[PROCESSES], *youngest = NULL;
	unsigned count = 0;

	for_each_process(process) {
		if (!process_may_run(process) || !process->ready)
			continue;
		ready[count++] = process;
		if (!youngest || process->born > youngest->born)
			youngest = process;
	}
	return world->order && count ? ready[draw(&world->order, count)] : youngest;
}

__attribute__((noreturn))
static void find_deadlock(void)
{
	char text[500] = "";

	for_each_process(process)
		if (!process->dead)
			snprintf(text + strlen(text), sizeof(text) - strlen(text), " %s (%s%s)", process->name,
				 process_may_run(process) ? "" : "stopped in ", process->call);
	world_abort("nobody will ever wake up:%s", text);
}

static uint64_t lesser(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* To the first instant at which something happens. */
static void leap(void)
{
	uint64_t first_ns = script_due_ns();

	for_each_process(process) {
		if (!process->dead)
			first_ns = lesser(first_ns, process->alarm_ns);
		if (process_may_run(process))
			first_ns = lesser(first_ns, process->wakes_ns);
	}
	if (first_ns == NEVER)
		find_deadlock();
	if (first_ns > world->begun_ns + MOST_NS)
		world_abort("the run does not come to an end");
	if (world->now_ns < first_ns)
		world->now_ns = first_ns;
	script_run();
	for_each_process(process) {
		if (!process->dead && process->alarm_ns <= world->now_ns) {
			process->alarm_ns = NEVER;
			process_signal_to(process, SIGALRM);
		}
		process->ready |= process->wakes_ns <= world->now_ns;
	}
}

static bool is_anyone_left(void)
{
	for_each_process(process)
		if (!process->dead)
			return true;
	return false;
}

/* Returns NULL when all are dead. */
static struct process *choose(void)
{
	struct process *next = NULL;

	while (!next && is_anyone_left()) {
		next = choose_ready();
		if (!next)
			leap();
	}
	if (!next)
		script_end();
	return next;
}

/* The script may kill or stop this process while it looks for the next one. */
void turn_pass(void)
{
	struct process *next = choose();

	if (next)
		next->ready = false;
	if (next == self)
		return;
	if (next)
		give_turn(next);
	if (self->dead)
		return;
	process_stop_now();
	turn_take();
}

bool turn_wait(uint64_t until_ns, uint64_t awaits)
{
	sigset_t all, mask;
	bool interrupted;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &mask);
	self->wakes_ns = until_ns;
	self->awaits = awaits;
	turn_pass();
	while (self->dead)
		raw(SYS_kill, getpid(), SIGKILL);
	self->wakes_ns = NEVER;
	self->awaits = FOR_TIME;
	interrupted = process_heed(&mask);
	sigprocmask(SIG_SETMASK, &mask, NULL);
	return interrupted;
}
