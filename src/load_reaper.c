// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "load_descendants.h"
#include "sysfile.h"
#include "load_reaper.h"

#define LOOK_EVERY_MS 20
#define MOST_DESCRIPTORS 65536

/*
 * What is ours is closed on exec, and is to be held by nobody but keeper and
 * meter, the RTC above all. What was inherited is the load's.
 */
static void close_ours(int line)
{
	struct rlimit limit = { .rlim_cur = 1024 };

	getrlimit(RLIMIT_NOFILE, &limit);
	for (int fd = STDERR_FILENO + 1; fd < (int)limit.rlim_cur && fd < MOST_DESCRIPTORS; fd++)
		if (fd != line && fcntl(fd, F_GETFD) == FD_CLOEXEC)
			close(fd);
}

/* When memory runs out, the load is to go first, and not what measures. */
static void offer_to_the_oom_killer(void)
{
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	if (write(fd, "1000", 4) < 0)
		errno = 0;
	close(fd);
}

/* Standard output is the report's. */
static void redirect(void)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	dup2(null, STDIN_FILENO);
	dup2(STDERR_FILENO, STDOUT_FILENO);
}

/* In the child. Returns only with errno, when it could not be done. */
static void become_load(const struct reaper *reaper, pid_t parent)
{
	setpgid(0, 0);
	sysfile_value("/proc/self/status", "Cpus_allowed_list:", reaper->load->cpus,
		      sizeof(reaper->load->cpus));
	offer_to_the_oom_killer();
	redirect();
	if (privilege_become(reaper->caller) < 0)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		raise(SIGKILL);
	signal(SIGXFSZ, SIG_DFL);	/* which was not ignored before us */
	sigprocmask(SIG_SETMASK, reaper->mask, NULL);
	execvp(reaper->load->command[0], reaper->load->command);
}

/* Returns the load's pid, or -1 with errno when it could not be started: the pipe ends in silence if it was. */
static pid_t start(const struct reaper *reaper)
{
	int ends[2], error = 0;
	pid_t self = getpid(), pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -1;
	pid = fork();
	if (pid == 0) {
		become_load(reaper, self);
		error = errno;
		if (write(ends[1], &error, sizeof(error)) < 0)
			_exit(126);
		_exit(127);
	}
	close(ends[1]);
	if (pid > 0 && read(ends[0], &error, sizeof(error)) == sizeof(error)) {
		waitpid(pid, NULL, 0);
		pid = -1;
	}
	close(ends[0]);
	if (error)
		errno = error;
	return pid;
}

static void say(const struct reaper *reaper)
{
	if (write(reaper->line, "", 1) < 0)
		return;			/* nobody is left to hear it */
}

/* Returns true when no process is left. */
static bool reap(const struct reaper *reaper, pid_t pid, enum load_end why)
{
	struct load *load = reaper->load;
	int status;
	pid_t dead;

	while ((dead = waitpid(-1, &status, WNOHANG)) > 0) {
		if (dead != pid)
			continue;
		load->status = status;
		load->ended_ns = monotonic_ns();
		load->end = why;
		say(reaper);
	}
	return dead < 0 && errno == ECHILD;
}

/* Returns false when there is something left that cannot be killed: it waits for a disk, or is another user's. */
static bool kill_all(const struct reaper *reaper, pid_t pid)
{
	uint64_t patience_ns = monotonic_ns() + REAPER_KILLING_S * UINT64_C(1000000000);
	struct descendants left = { .spared = 0 };

	while (!reap(reaper, pid, LOAD_WITH_RUN)) {
		if (monotonic_ns() > patience_ns) {
			load_descendants_tell(&left, reaper->load->left, sizeof(reaper->load->left));
			return false;
		}
		load_descendants_kill(&left);
		poll(NULL, 0, left.pause_ms);
	}
	return true;
}

/* A process that was stopped must go on in order to end; one that does not want to end is killed. */
static void end_all(const struct reaper *reaper, pid_t pid)
{
	uint64_t grace_ns = monotonic_ns() + REAPER_GRACE_S * UINT64_C(1000000000);
	struct descendants all = { .spared = 0 };
	bool gone;

	load_descendants_signal(&all, SIGTERM);
	load_descendants_signal(&all, SIGCONT);
	while (!(gone = reap(reaper, pid, LOAD_WITH_RUN)) && monotonic_ns() <= grace_ns)
		poll(NULL, 0, LOOK_EVERY_MS);
	reaper->load->gone = gone || kill_all(reaper, pid);
}

static int open_child_signal(void)
{
	sigset_t child;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	return signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* Until the run is over, or both keeper and meter are dead. */
static void watch(const struct reaper *reaper, int children, pid_t pid)
{
	struct pollfd events[] = {
		{ .fd = reaper->line, .events = POLLIN },
		{ .fd = children, .events = POLLIN },
	};
	struct signalfd_siginfo info;

	do {
		poll(events, 2, -1);
		while (read(children, &info, sizeof(info)) == sizeof(info))
			;
		reap(reaper, pid, LOAD_ITSELF);
	} while (!events[0].revents);
}

void load_reaper_run(const struct reaper *reaper)
{
	int children;
	pid_t pid;

	close_ours(reaper->line);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	children = open_child_signal();
	pid = start(reaper);
	reaper->load->error = pid < 0 ? errno : 0;
	say(reaper);
	if (pid < 0)
		_exit(1);
	privilege_keep_kill(pid);
	watch(reaper, children, pid);
	end_all(reaper, pid);
	say(reaper);
	_exit(0);
}
