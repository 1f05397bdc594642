// SPDX-License-Identifier: GPL-2.0-or-later
/* Whom the end of a load reaches, with which signal, and what is said of those that it does not. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "load/reaper.h"
#include "tap.h"

#ifndef SYS_pidfd_open
#define SYS_pidfd_open (-1)
#endif

static bool old_kernel;		/* that has no descriptors of processes */
static bool forbidden;		/* to send a signal by a process's number */
static pid_t dies_early;	/* when somebody is about to signal it */
static unsigned by_number;
static long passed_ns;		/* of a time that passes when somebody looks at it */
static char *command[] = { "stress", NULL };
static int told[2];		/* a pipe, in which one byte says that a process has got so far */
static unsigned patience;	/* so often no time passes, while nobody tells anything */

static long really(long number, long first, long second)
{
	long (*call)(long, ...);

	*(void **)&call = dlsym(RTLD_NEXT, "syscall");
	return call(number, first, second, 0L, 0L);
}

/* In place of the C library's. Who is killed is dead at once, so that nobody has to be asked twice. */
int kill(pid_t pid, int signal)
{
	siginfo_t dead;
	int result;

	by_number++;
	errno = EPERM;
	result = forbidden ? -1 : really(SYS_kill, pid, signal);
	if (result == 0 && pid > 0 && signal == SIGKILL)
		waitid(P_PID, pid, &dead, WEXITED | WNOWAIT);
	return result;
}

long syscall(long number, ...)
{
	long first, second;
	va_list args;

	va_start(args, number);
	first = va_arg(args, long);
	second = va_arg(args, long);
	va_end(args);
	if (dies_early) {
		really(SYS_kill, dies_early, SIGKILL);
		waitpid(dies_early, NULL, 0);
		dies_early = 0;
	}
	errno = ENOSYS;
	return old_kernel ? -1 : really(number, first, second);
}

static bool has_told(void)
{
	return poll(&(struct pollfd){ .fd = told[0], .events = POLLIN }, 1, 0) > 0;
}

/* In place of the C library's, so that neither grace nor patience is waited for. */
int clock_gettime(clockid_t id, struct timespec *now)
{
	(void)id;
	if (patience && !has_told())
		patience--;
	else
		passed_ns += 100000000;
	*now = (struct timespec){ .tv_sec = passed_ns / 1000000000, .tv_nsec = passed_ns % 1000000000 };
	return 0;
}

/* It waits until it is killed, in a session of its own. */
static pid_t start(void)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setsid();
	for (;;)
		pause();
}

static void end(pid_t pid)
{
	really(SYS_kill, pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* Start times are known to within a tick of the kernel; within one the lower number is the older, though numbers begin again. */
static void wait_for_ticks(void)
{
	const struct timespec ticks = { .tv_nsec = 50000000 };

	nanosleep(&ticks, NULL);
}

/* One of ours is killed with what descends from it; none of the bystanders is. */
static void test_orphans(const char *how, unsigned expected_by_number)
{
	const pid_t meters[] = { start(), 0 };
	const struct bystanders bystanders = { process_read(meters[0]), meters };
	struct load load = { .command = command };
	pid_t pid;
	int status;

	wait_for_ticks();
	pid = start();
	by_number = 0;
	load_reaper_kill_orphans(&load, &bystanders);
	ok(load.gone && load.end == LOAD_WITH_STANDBY, "the load is gone with the standby, %s", how);
	waitpid(pid, &status, 0);
	is(WTERMSIG(status), SIGKILL, "as its orphan was killed, %s", how);
	is(waitpid(meters[0], NULL, WNOHANG), 0, "and the meter was not");
	is(by_number, expected_by_number, "signals sent by number, %s", how);
	end(meters[0]);
}

/* As its number may be another's already. */
static void test_early_death(void)
{
	static const pid_t none;
	const struct bystanders bystanders = { .pids = &none };
	struct load load = { .command = command };

	dies_early = start();
	by_number = 0;
	load_reaper_kill_orphans(&load, &bystanders);
	ok(load.gone && !dies_early, "a process that dies before it is signalled");
	is(by_number, 0, "is not signalled by its number");
}

static void test_started_before(void)
{
	static const pid_t none;
	pid_t before = start(), standby, after;
	struct load load = { .command = command };
	struct bystanders bystanders;
	int status;

	wait_for_ticks();
	standby = start();
	bystanders = (struct bystanders){ process_read(standby), &none };
	end(standby);
	wait_for_ticks();
	after = start();
	load_reaper_kill_orphans(&load, &bystanders);
	is(waitpid(before, NULL, WNOHANG), 0, "what was started before the standby is left alone");
	waitpid(after, &status, 0);
	is(WTERMSIG(status), SIGKILL, "and nothing else");
	end(before);
}

static void test_left(void)
{
	static const pid_t none;
	const struct bystanders bystanders = { .pids = &none };
	struct load one = { .command = command }, two = one;
	char expected[2][96];
	pid_t pids[2];

	forbidden = true;
	prctl(PR_SET_NAME, "odd) ;\n");
	pids[0] = start();
	load_reaper_kill_orphans(&one, &bystanders);
	snprintf(expected[0], sizeof(expected[0]), "odd) ?? (process %d)", pids[0]);
	ok(!one.gone, "what cannot be killed is left");
	is_text(one.left, expected[0], "and named");
	pids[1] = start();
	load_reaper_kill_orphans(&two, &bystanders);
	for (int i = 0; i < 2; i++)
		snprintf(expected[i], sizeof(expected[i]), "odd) ?? (process %d) and 1 other", pids[i]);
	ok(!strcmp(two.left, expected[0]) || !strcmp(two.left, expected[1]), "two are: %s", two.left);
	forbidden = false;
	end(pids[0]);
	end(pids[1]);
}

static void tell(int signal)
{
	if (write(told[1], "", 1) < 1 || signal)
		_exit(3);
}

/* Its child, in a session of its own, tells when it gets SIGTERM; it has no ear for that itself. */
static void ignore_with_child(void)
{
	signal(SIGTERM, SIG_IGN);
	if (fork() == 0) {
		setsid();
		signal(SIGTERM, tell);
		tell(0);
	}
	for (;;)
		pause();
}

/* Each generation forks the next and ends, so that nobody is there for long. The second tells that the first has ended. */
static void fork_on(void)
{
	pid_t first = getpid();

	signal(SIGTERM, SIG_IGN);
	tell(0);
	for (int i = 0; i < 10000; i++) {
		usleep(2000);
		if (fork())
			_exit(0);
		while (getppid() == first)
			usleep(1000);
		if (i == 0)
			tell(0);
	}
}

static void stop(void)
{
	tell(0);
	raise(SIGSTOP);
}

/* A load that is ended when it has got so far. */
static struct load ended(void (*live)(void))
{
	struct load load = { .command = command };
	char byte;

	load.pid = fork();
	if (load.pid == 0) {
		live();
		_exit(0);
	}
	if (read(told[0], &byte, 1) == 1 && live == stop)
		waitid(P_PID, load.pid, &(siginfo_t){ 0 }, WSTOPPED | WNOWAIT);
	load_reaper_end(&load);
	is(waitpid(-1, NULL, WNOHANG), -1, "no child is left");
	ok(load.gone, "nor a descendant");
	return load;
}

static void test_end(void)
{
	struct load load;
	char byte;

	if (pipe2(told, O_NONBLOCK) < 0 || fcntl(told[0], F_SETFL, 0) < 0 || prctl(PR_SET_CHILD_SUBREAPER, 1) < 0)
		return;
	patience = 10000;	/* looks of 20 ms, in which a load gets so far before its grace is over */
	load = ended(ignore_with_child);
	is(load.status, SIGKILL, "a load that ignores SIGTERM is killed");
	fcntl(told[0], F_SETFL, O_NONBLOCK);
	is(read(told[0], &byte, 1), 1, "its child in another session had SIGTERM first");
	fcntl(told[0], F_SETFL, 0);
	load = ended(fork_on);
	is(load.status, 0, "a load that forks and ends without end");
	is(read(told[0], &byte, 1), 1, "and did so before it was killed");
	load = ended(stop);
	is(load.status, SIGTERM, "a load that has stopped goes on to end");
}

int main(void)
{
	int held;

	if (!dlsym(RTLD_NEXT, "syscall")) {
		puts("1..0 # SKIP a static program cannot stand in for the C library");
		return 0;
	}
	held = really(SYS_pidfd_open, getpid(), 0);
	test_orphans("as this kernel does it", held < 0);
	old_kernel = true;
	test_orphans("on an old kernel", 1);
	test_early_death();
	test_started_before();
	test_left();
	old_kernel = false;
	test_end();
	return done();
}
