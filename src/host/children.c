// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <sys/wait.h>

#include "base/instant.h"
#include "host/children.h"

void children_look(const struct children *children, struct sched_state *now)
{
	*now = (struct sched_state){ .cpus = 0 };
	for (unsigned i = 0; i < children->count; i++) {
		sched_state_look(children->pid[i], now);
		if (sched_state_differs(now, &children->began))
			return;
	}
}

static void add_stopped(struct children *children)
{
	children->stopped_ms += (monotonic_ns() - children->stopped_since_ns + 999999) / 1000000;
}

static void note(struct children *children, unsigned child, bool stopped)
{
	if (children->stopped[child] == stopped)
		return;
	children->stopped[child] = stopped;
	if (stopped && !children->stopped_count++)
		children->stopped_since_ns = monotonic_ns();
	else if (!stopped && !--children->stopped_count)
		add_stopped(children);
}

bool children_notice(struct children *children)
{
	siginfo_t news = { .si_pid = 0 };
	int error = errno;
	bool ended;

	while (waitid(P_ALL, 0, &news, WSTOPPED | WCONTINUED | WNOHANG) == 0 && news.si_pid) {
		for (unsigned i = 0; i < children->count; i++)
			if (children->pid[i] == news.si_pid)
				note(children, i, news.si_code != CLD_CONTINUED);
		news.si_pid = 0;
	}
	ended = waitid(P_ALL, 0, &news, WEXITED | WNOHANG | WNOWAIT) == 0 && news.si_pid;
	errno = error;
	return ended;
}

void children_settle(struct children *children)
{
	if (children->stopped_count)
		add_stopped(children);
	children_look(children, &children->ended);
}
