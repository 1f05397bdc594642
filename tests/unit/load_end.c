// SPDX-License-Identifier: GPL-2.0-or-later
/* Which processes the end of a load reaches, with which signal, and how those are reported that it does not. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "load/load.h"
#include "tap.h"

static bool forbidden;		/* to send a signal */
static bool unlisted;		/* the kernel does not list the children of a process */
static int deadly;		/* ends the load, as SIGKILL does */
static long passed_ns;		/* of a time that passes only when it is read */
static char *command[] = { "stress", NULL };
static int told[2];		/* a pipe, in which one byte says that a process has got so far */

/* In place of the C library's. A process that is killed is dead at once, so that no test depends on how long it takes. */
int kill(pid_t pid, int signal)
{
	siginfo_t dead;
	int result;

	errno = EPERM;
	result = forbidden ? -1 : syscall(SYS_kill, pid, signal);
	if (result == 0 && (signal == SIGKILL || (signal && signal == deadly)))
		waitid(P_PID, abs(pid), &dead, WEXITED | WNOWAIT);
	return result;
}

/* In place of the C library's, so that nothing waits for the grace. */
int clock_gettime(clockid_t id, struct timespec *now)
{
	(void)id;
	passed_ns += 100000000;
	*now = (struct timespec){ .tv_sec = passed_ns / 1000000000, .tv_nsec = passed_ns % 1000000000 };
	return 0;
}

/* In place of the C library's: the list of children takes CONFIG_PROC_CHILDREN. */
FILE *fopen(const char *path, const char *mode)
{
	int fd = unlisted && strstr(path, "/children") ? -1 : open(path, O_RDONLY | O_CLOEXEC);

	(void)mode;
	return fd < 0 ? NULL : fdopen(fd, "r");
}

/* A process that waits until it is killed, in our process group as a meter is, or in one of its own. */
static pid_t start(bool of_ours)
{
	pid_t pid = fork();

	if (pid && !of_ours)
		setpgid(pid, pid);
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;)
		pause();
}

static void end(pid_t pid)
{
	syscall(SYS_kill, pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* A standby that was killed, and is to be reaped. */
static pid_t dead_standby(void)
{
	pid_t pid = start(true);

	kill(pid, SIGKILL);
	return pid;
}

static void test_orphans(void)
{
	pid_t before = start(false), standby = dead_standby(), meter = start(true), orphan = start(false);
	struct load load = { .command = command, .pid = orphan };

	load_kill_orphans(&load, standby);
	ok(load.gone && load.end == LOAD_WITH_STANDBY, "the load is gone with the standby");
	is(waitpid(orphan, NULL, 0), -1, "an orphan of the load was killed and reaped");
	is(waitpid(meter, NULL, WNOHANG), 0, "a meter is left alone");
	is(waitpid(before, NULL, WNOHANG), 0, "a process that was started before the standby is left alone");
	is(waitpid(standby, NULL, WNOHANG), standby, "the standby is still to be reaped");
	end(meter);
	end(before);
}

static void test_left(void)
{
	struct load one = { .command = command }, two = one;
	pid_t standby = dead_standby(), pids[2];
	char expected[96];

	forbidden = true;
	prctl(PR_SET_NAME, "odd) ;\x7f");
	pids[0] = start(false);
	load_kill_orphans(&one, standby);
	snprintf(expected, sizeof(expected), "odd) ?? (process %d)", pids[0]);
	ok(!one.gone, "a process that cannot be killed is left");
	is_text(one.left, expected, "a process that cannot be killed is named");
	pids[1] = start(false);
	load_kill_orphans(&two, standby);
	snprintf(expected, sizeof(expected), "odd) ?? (process %d) and 1 other", pids[0]);
	is_text(two.left, expected, "two processes that cannot be killed are counted");
	forbidden = false;
	end(pids[0]);
	end(pids[1]);
	end(standby);
}

static void test_unlisted(void)
{
	pid_t standby = dead_standby(), meter = start(true), orphan = start(false);
	struct load left = { .command = command, .pid = orphan }, load = left, unborn = { .command = command };

	unlisted = forbidden = true;
	load_kill_orphans(&left, standby);
	ok(!left.gone && strstr(left.left, "(process "), "without a list of the children, an orphan that lives on is left");
	forbidden = false;
	load_kill_orphans(&load, standby);
	ok(load.gone && !*load.left, "an orphan that is killed is gone");
	is(waitpid(orphan, NULL, 0), -1, "an orphan that is killed is reaped");
	load_kill_orphans(&unborn, standby);
	ok(unborn.gone, "a load that was never started is gone");
	is(waitpid(meter, NULL, WNOHANG), 0, "a meter is left alone");
	unlisted = false;
	end(meter);
	end(standby);
}

static void tell(int signal)
{
	if (write(told[1], "", 1) < 1 || signal)
		_exit(3);
}

/* So does its child, in a session of its own, which becomes ours only when this one has been killed. */
static void ignore(void)
{
	signal(SIGTERM, SIG_IGN);
	if (fork() == 0) {
		setsid();
		tell(0);
	}
	for (;;)
		pause();
}

/* Its child is in a session of its own, and tells when it gets SIGTERM. */
static void leave_child(void)
{
	if (fork() == 0) {
		setsid();
		signal(SIGTERM, tell);
		tell(0);
	}
	for (;;)
		pause();
}

static void stop(void)
{
	tell(0);
	raise(SIGSTOP);
}

/* A load that is ended when it has got so far, and which this signal ends, too. */
static struct load ended(void (*live)(void), int by)
{
	struct load load = { .command = command };
	char byte;

	load.pid = fork();
	if (load.pid == 0) {
		setpgid(0, 0);
		live();
		_exit(0);
	}
	if (read(told[0], &byte, 1) == 1 && live == stop)
		waitid(P_PID, load.pid, &(siginfo_t){ 0 }, WSTOPPED | WNOWAIT);
	deadly = by;
	load_finish(&load);
	deadly = 0;
	is(waitpid(-1, NULL, WNOHANG), -1, "no child is left");
	ok(load.gone, "no descendant is left");
	return load;
}

static void test_end(void)
{
	struct load load;
	char byte;

	if (pipe2(told, O_CLOEXEC) < 0 || prctl(PR_SET_CHILD_SUBREAPER, 1) < 0)
		return;
	load = ended(ignore, 0);
	is(load.status, SIGKILL, "a load that ignores SIGTERM is killed");
	load = ended(leave_child, SIGTERM);
	is(load.status, SIGTERM, "a load that leaves a child in another session is ended");
	fcntl(told[0], F_SETFL, O_NONBLOCK);
	is(read(told[0], &byte, 1), 1, "a child in another session gets SIGTERM, and not SIGKILL");
	fcntl(told[0], F_SETFL, 0);
	load = ended(stop, SIGCONT);
	is(load.status, SIGTERM, "a load that has stopped goes on to end");
}

int main(void)
{
	test_orphans();
	test_left();
	test_unlisted();
	test_end();
	return done();
}
