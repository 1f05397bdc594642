// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <sched.h>
#include <string.h>

#include "sysprocess.h"
#include "text.h"
#include "waker.h"

static void tell_granted(pid_t pid, char granted[WAKER_TEXT_SIZE])
{
	const char *policy;
	struct sched_state state;

	sched_state_read(pid, &state);
	policy = sched_state_policy_name(state.policy);
	text_append(granted, WAKER_TEXT_SIZE, "waker: %s %d\n", policy, state.priority);
	if (state.cpus == 1)
		text_append(granted, WAKER_TEXT_SIZE, "waker_cpu: %d\n", state.first_cpu);
	else
		text_append(granted, WAKER_TEXT_SIZE, "waker_cpu: any\n");
}

/* The preflight has asked for both, and told the remedy of what is refused. */
void waker_place(const struct waker *waker, pid_t pid, char granted[WAKER_TEXT_SIZE],
		 char refused[WAKER_TEXT_SIZE])
{
	struct sched_param param = { .sched_priority = waker->priority };
	cpu_set_t cpu;

	*granted = *refused = '\0';
	CPU_ZERO(&cpu);
	CPU_SET(waker->cpu >= 0 ? waker->cpu : 0, &cpu);
	if (waker->cpu >= 0 && sched_setaffinity(pid, sizeof(cpu), &cpu) < 0)
		text_append(refused, WAKER_TEXT_SIZE, "bind the waker to CPU %d: %s", waker->cpu, strerror(errno));
	if (sched_setscheduler(pid, SCHED_FIFO, &param) < 0)
		text_append(refused, WAKER_TEXT_SIZE, "%stake SCHED_FIFO %d for the waker: %s", *refused ? "; " : "",
			    waker->priority, strerror(errno));
	tell_granted(pid, granted);
}
