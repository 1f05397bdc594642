// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/instant.h"
#include "host/sysfile.h"
#include "load/descendants.h"
#include "load/reaper.h"

#define LOOK_EVERY_MS 20

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
static void become_load(struct load *load, const struct caller *caller, const sigset_t *mask, pid_t parent)
{
	setpgid(0, 0);
	sysfile_value("/proc/self/status", "Cpus_allowed_list:", load->cpus, sizeof(load->cpus));
	offer_to_the_oom_killer();
	redirect();
	if (privilege_become(caller) < 0)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		raise(SIGKILL);
	signal(SIGXFSZ, SIG_DFL);	/* which was not ignored before us */
	sigprocmask(SIG_SETMASK, mask, NULL);
	execvp(load->command[0], load->command);
}

/* The pipe ends in silence when the program could be executed. */
int load_reaper_start(struct load *load, const struct caller *caller, const sigset_t *mask)
{
	int ends[2], error = 0;
	pid_t self = getpid(), pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -1;
	pid = fork();
	if (pid == 0) {
		become_load(load, caller, mask, self);
		error = errno;
		if (write(ends[1], &error, sizeof(error)) < 0)
			_exit(126);
		_exit(127);
	}
	close(ends[1]);
	if (pid > 0 && read(ends[0], &error, sizeof(error)) == sizeof(error))
		waitpid(pid, NULL, 0);
	else if (pid < 0)
		error = errno;
	close(ends[0]);
	load->pid = pid;
	errno = error;
	return error ? -1 : 0;
}

bool load_reaper_notices(struct load *load, enum load_end why)
{
	bool ended = false;
	int status;
	pid_t dead;

	while ((dead = waitpid(-1, &status, WNOHANG)) > 0) {
		if (dead != load->pid)
			continue;
		load->status = status;
		load->ended_ns = monotonic_ns();
		load->end = why;
		ended = true;
	}
	load->gone = load->end != LOAD_RUNNING && dead < 0 && errno == ECHILD;
	return ended;
}

static bool is_gone(struct load *load)
{
	load_reaper_notices(load, LOAD_WITH_RUN);
	return load->gone;
}

/* Something may be left that cannot be killed: it waits for a disk, or is another user's. */
static void kill_all(struct load *load)
{
	uint64_t patience_ns = monotonic_ns() + REAPER_KILLING_S * UINT64_C(1000000000);
	struct descendants left = { .count = 0 };

	while (!is_gone(load)) {
		if (monotonic_ns() > patience_ns) {
			load_descendants_tell(&left, load->left, sizeof(load->left));
			return;
		}
		load_descendants_kill(&left);
		poll(NULL, 0, left.pause_ms);
	}
}

/* A process that was stopped must go on in order to end; one that does not want to end is killed. */
void load_reaper_end(struct load *load)
{
	uint64_t grace_ns = monotonic_ns() + REAPER_GRACE_S * UINT64_C(1000000000);
	struct descendants all = { .count = 0 };

	if (!load->command || load->gone)
		return;
	load_descendants_signal(&all, SIGTERM);
	load_descendants_signal(&all, SIGCONT);
	while (!is_gone(load) && monotonic_ns() <= grace_ns)
		poll(NULL, 0, LOOK_EVERY_MS);
	if (!load->gone)
		kill_all(load);
}
