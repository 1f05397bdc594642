// SPDX-License-Identifier: GPL-2.0-or-later
/* The process that owns the load and can take the keeper's place. */
#include <errno.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/keeper.h"

#define NUDGE_MS 100
#define SLACK_S 10	/* for a machine that the load keeps busy */
#define PATIENCE_MS ((LOAD_GRACE_S + LOAD_KILLING_S + SLACK_S) * 1000)

pid_t standby_fork(struct keeper *keeper)
{
	int ends[2];

	cgroup_note_limits();
	prctl(PR_SET_CHILD_SUBREAPER, 1);	/* the keeper adopts the load if the standby is killed */
	if (lifeline_open(ends) < 0 || (keeper->standby = fork()) < 0) {
		warn("start a second process: %m; %s", cgroup_limit_remedy(false, "end some others"));
		return -1;
	}
	close(ends[keeper->standby != 0]);
	keeper->line = ends[keeper->standby == 0];
	if (keeper->standby == 0)
		prctl(PR_SET_CHILD_SUBREAPER, 1);
	return keeper->standby;
}

/* Once the keeper asks. Exits if the load cannot start. Returns false if the keeper is dead. */
static bool start_load(const struct keeper *keeper)
{
	struct load *load = keeper->run->load;

	if (load->command && !lifeline_receive(keeper->line, NULL))
		return false;
	if (load->command && load_start(load, keeper->run->caller, &keeper->signals.former) < 0)
		load->error = errno;
	lifeline_send(keeper->line, -1);
	if (load->error)
		_exit(EXIT_NOT_MEASURED);
	privilege_drop(keeper->run->caller, keeper->source.ops->needs, load->command);
	return true;
}

void standby_serve(struct keeper *keeper)
{
	struct load *load = keeper->run->load;
	struct pollfd events[] = { { .fd = keeper->line, .events = POLLIN }, { .events = POLLIN } };
	struct signalfd_siginfo info;
	sigset_t child;

	/* While it has the meters' ends of the lifelines open, it gets no end of file. */
	for_each_worker(worker, &keeper->workers) {
		close(worker->end);
		worker->end = -1;
	}
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	events[1].fd = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
	if (!start_load(keeper))
		return;
	for (;;) {
		poll(events, 2, -1);
		while (read(events[1].fd, &info, sizeof(info)) == sizeof(info))
			;
		if (load_reap(load, LOAD_ITSELF))
			lifeline_send(keeper->line, -1);
		if (!events[0].revents)
			continue;
		if (!lifeline_receive(keeper->line, NULL))
			break;
		load_finish(load);
		lifeline_send(keeper->line, -1);
	}
	close(keeper->line);
	keeper->line = -1;
}

/* The kernel kills the load's first process with the standby; the keeper adopts its orphans, and kills them here. */
bool standby_listen(struct keeper *keeper)
{
	siginfo_t dead;

	if (!lifeline_receive(keeper->line, NULL)) {
		close(keeper->line);
		keeper->line = -1;
		waitid(P_PID, keeper->standby, &dead, WEXITED | WNOWAIT);
		load_kill_orphans(keeper->run->load, keeper->standby);
		waitpid(keeper->standby, NULL, 0);
	}
	return keeper->run->load->end != LOAD_RUNNING;
}

/* The load may begin by stopping its parent, the standby, so the standby is made to continue. */
bool standby_start_load(struct keeper *keeper)
{
	struct pollfd event = { .fd = keeper->line, .events = POLLIN };
	const struct load *load = keeper->run->load;

	if (load->command)
		lifeline_send(keeper->line, -1);
	while (poll(&event, 1, NUDGE_MS) < 1)
		kill(keeper->standby, SIGCONT);
	standby_listen(keeper);
	if (keeper->line < 0) {
		warn("the standby process was killed before it could start the load; %s",
		     cgroup_limit_remedy(true, "start again"));
		return false;
	}
	if (!load->error)
		return true;
	waitpid(keeper->standby, NULL, 0);
	keeper->line = -1;
	errno = load->error;
	warn("start %s: %m; name a program that can be run, after --", load->command[0]);
	return false;
}

/* The load may stop its parent here, too. A signal may interrupt poll(), so the time is checked each time. */
void standby_end_load(struct keeper *keeper)
{
	struct pollfd event = { .fd = keeper->line, .events = POLLIN };
	struct load *load = keeper->run->load;
	uint64_t patience_ns;

	load->over = true;
	if (keeper->standby == 0 && load->pid > 0)
		load_finish(load);
	if (!load->command || keeper->line < 0)
		return;
	lifeline_send(keeper->line, -1);
	patience_ns = monotonic_ns() + PATIENCE_MS * UINT64_C(1000000);
	while (keeper->line >= 0 && !load->gone && !*load->left && monotonic_ns() < patience_ns) {
		kill(keeper->standby, SIGCONT);
		if (poll(&event, 1, NUDGE_MS) == 1)
			standby_listen(keeper);
	}
}
