// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "host/privilege.h"
#include "host/process.h"
#include "source/waker.h"

static void tell_granted(pid_t pid, struct rights *rights)
{
	struct sched_state state;
	char cpu[16] = "any";

	sched_state_read(pid, &state);
	if (state.cpus == 1)
		snprintf(cpu, sizeof(cpu), "%d", state.first_cpu);
	text_append(rights->granted, sizeof(rights->granted), "waker: %s %d\nwaker_cpu: %s\n",
		    sched_state_policy_name(state.policy), state.priority, cpu);
}

static void note_refused(struct rights *rights, const char *before, int number, const char *after)
{
	text_append(rights->refused, sizeof(rights->refused), "%s%s %d%s: %s", *rights->refused ? "; " : "", before,
		    number, after, strerror(errno));
}

/* The preflight has asked for both, and told the remedy of what is refused. */
void waker_place(const struct waker *waker, pid_t pid, struct rights *rights)
{
	struct sched_param param = { .sched_priority = waker->priority };
	cpu_set_t cpu;

	if (waker->cpu >= 0) {
		CPU_ZERO(&cpu);
		CPU_SET(waker->cpu, &cpu);
		if (sched_setaffinity(pid, sizeof(cpu), &cpu) < 0)
			note_refused(rights, "bind the waker to CPU", waker->cpu, "");
	}
	if (sched_setscheduler(pid, SCHED_FIFO, &param) < 0)
		note_refused(rights, "take SCHED_FIFO", waker->priority, " for the waker");
	tell_granted(pid, rights);
}
