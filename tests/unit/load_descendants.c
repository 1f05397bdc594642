// SPDX-License-Identifier: GPL-2.0-or-later
/* Whom a signal reaches, how it is sent, and how often what cannot be killed is tried. */
#include <dlfcn.h>
#include <errno.h>
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

#include "load/descendants.h"
#include "host/process.h"
#include "tap.h"

#ifndef SYS_pidfd_open
#define SYS_pidfd_open (-1)
#endif

static bool old_kernel;		/* that has no descriptors of processes */
static bool forbidden;		/* to send a signal by a process's number */
static pid_t dies_early;	/* when somebody is about to signal it */
static unsigned by_number;

static long really(long number, long first, long second)
{
	long (*call)(long, ...);

	*(void **)&call = dlsym(RTLD_NEXT, "syscall");
	return call(number, first, second, 0L, 0L);
}

/* In place of the C library's. */
int kill(pid_t pid, int signal)
{
	by_number++;
	errno = EPERM;
	return forbidden ? -1 : really(SYS_kill, pid, signal);
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

static void test_signal(const char *how, unsigned expected_by_number)
{
	const pid_t spared[] = { start(), 0 };
	struct descendants descendants = { .spared = spared };
	pid_t pid = start();
	int status;

	by_number = 0;
	load_descendants_signal(&descendants, SIGTERM);
	is(descendants.count, 1, "one that is not spared, %s", how);
	waitpid(pid, &status, 0);
	is(WTERMSIG(status), SIGTERM, "is reached, %s", how);
	is(waitpid(spared[0], NULL, WNOHANG), 0, "the other is not");
	is(by_number, expected_by_number, "signals sent by number, %s", how);
	end(spared[0]);
}

/* As its number may be another's already. */
static void test_early_death(void)
{
	struct descendants descendants = { .spared = NULL };

	dies_early = start();
	by_number = 0;
	load_descendants_signal(&descendants, SIGTERM);
	is(descendants.count, 1, "a process that dies before it is signalled");
	is(by_number, 0, "is not signalled by its number");
}

/* Start times are known to within a tick of the kernel. */
static void wait_for_ticks(void)
{
	const struct timespec ticks = { .tv_nsec = 50000000 };

	nanosleep(&ticks, NULL);
}

static void test_started_before(void)
{
	struct descendants descendants = { .spared = NULL };
	pid_t before = start(), after;
	int status;

	wait_for_ticks();
	after = start();
	descendants.since = process_read(after);
	load_descendants_signal(&descendants, SIGTERM);
	is(descendants.count, 1, "what was started before then is left alone");
	waitpid(after, &status, 0);
	is(WTERMSIG(status), SIGTERM, "and nothing else");
	end(before);
}

static void test_pauses(void)
{
	struct descendants descendants = { .spared = NULL };
	pid_t first = start(), second;

	load_descendants_kill(&descendants);
	is(descendants.pause_ms, 1, "the next try comes soon");
	load_descendants_kill(&descendants);
	is(descendants.pause_ms, 2, "the one after it later");
	for (int i = 0; i < 20; i++)
		load_descendants_kill(&descendants);
	is(descendants.pause_ms, 100, "and in the end ten a second are enough");
	wait_for_ticks();
	second = start();
	load_descendants_kill(&descendants);
	is(descendants.count, 2, "a new process");
	is(descendants.pause_ms, 1, "is met as soon as the first");
	end(first);
	end(second);
}

static void test_tell(void)
{
	struct descendants descendants = { .spared = NULL };
	char text[96], expected[2][96];
	pid_t pids[2];

	load_descendants_tell(&descendants, text, sizeof(text));
	is_text(text, "", "nobody is left");
	prctl(PR_SET_NAME, "odd) ;\n");
	pids[0] = start();
	load_descendants_tell(&descendants, text, sizeof(text));
	snprintf(expected[0], sizeof(expected[0]), "odd) ?? (process %d)", pids[0]);
	is_text(text, expected[0], "one is");
	pids[1] = start();
	load_descendants_tell(&descendants, text, sizeof(text));
	for (int i = 0; i < 2; i++)
		snprintf(expected[i], sizeof(expected[i]), "odd) ?? (process %d) and 1 other", pids[i]);
	ok(!strcmp(text, expected[0]) || !strcmp(text, expected[1]), "two are: %s", text);
	end(pids[0]);
	end(pids[1]);
}

int main(void)
{
	int held;

	if (!dlsym(RTLD_NEXT, "syscall")) {
		puts("1..0 # SKIP a static program cannot stand in for the C library");
		return 0;
	}
	held = really(SYS_pidfd_open, getpid(), 0);
	test_signal("as this kernel does it", held < 0);
	old_kernel = true;
	test_signal("on an old kernel", 1);
	test_early_death();
	test_started_before();
	forbidden = true;
	test_pauses();
	test_tell();
	return done();
}
