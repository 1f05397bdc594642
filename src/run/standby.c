// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"
#include "host/cgroup.h"
#include "load/load.h"
#include "measure/clock.h"
#include "run/lifeline.h"
#include "run/standby.h"

#define NUDGE_MS 100
#define SLACK_S 10	/* for a machine that the load keeps busy */
#define PATIENCE_MS ((REAPER_GRACE_S + REAPER_KILLING_S + SLACK_S) * 1000)

/* The kernel kills the load's first process with the standby; the keeper adopts its orphans, and kills them here. */
static void bury(struct standby *standby)
{
	siginfo_t dead;

	close(standby->line);
	standby->line = -1;
	waitid(P_PID, standby->pid, &dead, WEXITED | WNOWAIT);
	load_reaper_kill_orphans(standby->load, standby->pid);
	waitpid(standby->pid, NULL, 0);
}

pid_t standby_fork(struct standby *standby)
{
	int ends[2];

	cgroup_note_limits();
	prctl(PR_SET_CHILD_SUBREAPER, 1);	/* the keeper adopts the load if the standby is killed */
	if (lifeline_open(ends) < 0 || (standby->pid = fork()) < 0) {
		warn("start a second process: %m; %s", cgroup_limit_remedy(false, "end some others"));
		return -1;
	}
	close(ends[standby->pid != 0]);
	standby->line = ends[standby->pid == 0];
	if (standby->pid == 0)
		prctl(PR_SET_CHILD_SUBREAPER, 1);
	return standby->pid;
}

/* The load may begin by stopping its parent, the standby, so the standby is made to continue. */
bool standby_start_load(struct standby *standby)
{
	struct pollfd event = { .fd = standby->line, .events = POLLIN };

	if (standby->load->command)
		lifeline_tell(standby->line, -1);
	while (poll(&event, 1, NUDGE_MS) < 1)
		kill(standby->pid, SIGCONT);
	if (!lifeline_hear(standby->line, NULL)) {
		bury(standby);
		warn("the standby process was killed before it could start the load; %s",
		     cgroup_limit_remedy(true, "start again"));
		return false;
	}
	if (!standby->load->error)
		return true;
	waitpid(standby->pid, NULL, 0);
	standby->line = -1;
	errno = standby->load->error;
	warn("start %s: %m; name a program that can be run, after --", standby->load->command[0]);
	return false;
}

void standby_run(struct standby *standby)
{
	struct load *load = standby->load;
	struct pollfd events[] = { { .fd = standby->line, .events = POLLIN }, { .events = POLLIN } };
	struct signalfd_siginfo info;
	sigset_t child;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	events[1].fd = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
	if (load->command && !lifeline_hear(standby->line, NULL))
		return;
	if (load->command && load_reaper_start(load, standby->caller, standby->mask) < 0)
		load->error = errno;
	lifeline_tell(standby->line, -1);
	if (load->error)
		_exit(EXIT_NOT_MEASURED);
	privilege_drop(standby->caller, standby->needs, load->command);
	for (;;) {
		poll(events, 2, -1);
		while (read(events[1].fd, &info, sizeof(info)) == sizeof(info))
			;
		if (load_reaper_notices(standby->load, LOAD_ITSELF))
			lifeline_tell(standby->line, -1);
		if (!events[0].revents)
			continue;
		if (!lifeline_hear(standby->line, NULL))
			break;
		load_reaper_end(load);
		lifeline_tell(standby->line, -1);
	}
	close(standby->line);
	standby->line = -1;
}

bool standby_listen(struct standby *standby)
{
	if (!lifeline_hear(standby->line, NULL))
		bury(standby);
	return standby->load->end != LOAD_RUNNING;
}

/* The load may stop its parent here, too. A signal may interrupt poll(), so the time is checked each time. */
void standby_end_load(struct standby *standby)
{
	struct pollfd event = { .fd = standby->line, .events = POLLIN };
	struct load *load = standby->load;
	uint64_t patience_ns;

	load->over = true;
	if (standby->pid == 0 && load->pid > 0)
		load_reaper_end(load);
	if (!load->command || standby->line < 0)
		return;
	lifeline_tell(standby->line, -1);
	patience_ns = monotonic_ns() + PATIENCE_MS * UINT64_C(1000000);
	while (standby->line >= 0 && !load->gone && !*load->left && monotonic_ns() < patience_ns) {
		kill(standby->pid, SIGCONT);
		if (poll(&event, 1, NUDGE_MS) == 1)
			standby_listen(standby);
	}
}

void standby_dismiss(const struct standby *standby)
{
	if (standby->line < 0)
		return;
	kill(standby->pid, SIGKILL);
	waitpid(standby->pid, NULL, 0);
}
