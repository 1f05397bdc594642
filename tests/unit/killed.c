// SPDX-License-Identifier: GPL-2.0-or-later
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "killed.h"

/* A process that adds one buffer after the other is killed at some time in the first milliseconds. */
static void kill_one_that_adds(const struct killed *killed, struct totals *totals, struct counters *live, unsigned after_us)
{
	const struct timespec while_it_adds = { .tv_nsec = after_us * 1000 };
	pid_t pid = fork();

	if (pid < 0)
		_exit(1);
	if (pid == 0) {
		totals = totals_inherit(totals);
		for (uint64_t number = 0; ; number++)
			killed->add(totals, live, number);
	}
	nanosleep(&while_it_adds, NULL);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static bool is_wrong_after_a_kill(const struct killed *killed, struct counters *live, unsigned after_us)
{
	struct totals *totals = totals_create(TOTALS_SLICES);

	if (live->recordings)
		totals_add_recordings(totals);
	kill_one_that_adds(killed, totals, live, after_us);
	return killed->is_wrong(totals_inherit(totals), live);
}

/* Each in a process of its own: 32 bits have no room for the maps of all. */
unsigned killed_wrong(const struct killed *killed, struct counters *live)
{
	unsigned wrong = 0;

	for (unsigned run = 0; run < 40; run++) {
		pid_t pid = fork();
		int status;

		if (pid == 0)
			_exit(is_wrong_after_a_kill(killed, live, 300 + 93 * run));
		waitpid(pid, &status, 0);
		wrong += status != 0;
	}
	return wrong;
}
