// SPDX-License-Identifier: GPL-2.0-or-later
/* A process that the meter forks keeps only what it was given, hears no signal, and never outlives the meter. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/privilege.h"
#include "host/process.h"
#include "source/registry.h"
#include "tap.h"

#define PAGES 200
#define DESCRIPTORS 100		/* more than a test has */

static const struct source_ops ops = { .name = "fake" };
static struct caller caller;
static struct children children;
static struct source source = { .ops = &ops, .caller = &caller, .children = &children };

static int line[2];		/* from the child; its end of file says that the child has ended */

static void open_line(void)
{
	children.count = 0;
	if (pipe(line) < 0)
		exit(1);
}

/* The child writes one byte, and pauses. */
static pid_t fork_talker(char (*what)(void))
{
	pid_t child = source_fork(&source, &line[1], 1);
	char byte;

	if (child)
		return child;
	byte = what();
	if (write(line[1], &byte, 1) == 1)
		for (;;)
			pause();
	_exit(1);
}

/* Returns the byte; 0 at the end of file. */
static int hear(void)
{
	char byte;

	return read(line[0], &byte, 1) == 1 ? byte : 0;
}

/* One by one: an emulator may not list /proc/self/fd completely. */
static char count_descriptors(void)
{
	char count = 0;

	for (int fd = 0; fd < DESCRIPTORS; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

static char is_wanted(void)
{
	return source_child_is_wanted();
}

static volatile sig_atomic_t ended;

static void on_child(int signal)
{
	(void)signal;
	ended++;
}

/* SIGTERM comes before SIGSTOP: a child that ends by it does not stop. */
static bool survives_sigterm(pid_t child)
{
	siginfo_t news = { .si_code = 0 };

	kill(child, SIGTERM);
	kill(child, SIGTERM);
	kill(child, SIGSTOP);
	waitid(P_PID, child, &news, WEXITED | WSTOPPED | WNOWAIT);
	return news.si_code == CLD_STOPPED;
}

static void test_life(void)
{
	struct sigaction action = { .sa_handler = on_child, .sa_flags = SA_NOCLDSTOP };
	sigset_t before, blocked;
	int more = open("/dev/null", O_RDONLY);
	pid_t child;

	sigaction(SIGCHLD, &action, NULL);
	open_line();
	child = fork_talker(count_descriptors);
	is(hear(), 3 + 1, "a child has the standard descriptors and the one that it is to keep");
	close(line[1]);
	close(more);
	ok(survives_sigterm(child), "a child does not hear SIGTERM");
	is(ended, 0, "the meter hears nothing while its child lives");
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGCHLD);
	sigprocmask(SIG_BLOCK, &blocked, &before);
	kill(child, SIGKILL);
	is(hear(), 0, "a child that is killed closes its line");
	while (!ended)
		sigsuspend(&before);
	sigprocmask(SIG_SETMASK, &before, NULL);
	is(ended, 1, "the meter hears that its child was killed");
	source_end_children(&source);
	is(waitpid(-1, NULL, WNOHANG), -1, "a child that was killed is reaped");
	signal(SIGCHLD, SIG_DFL);
	close(line[0]);
}

static void test_ending(void)
{
	pid_t child;

	open_line();
	child = fork_talker(is_wanted);
	is(hear(), 1, "a child finds its meter");
	fork_talker(is_wanted);
	is(hear(), 1, "a second child finds its meter");
	close(line[1]);
	kill(child, SIGSTOP);
	source_end_children(&source);
	is(hear(), 0, "children are ended, even one that was stopped");
	is(waitpid(-1, NULL, WNOHANG), -1, "children that were ended are reaped");
	close(line[0]);
}

/* A meter drops its rights, as the program's does, and is killed. */
static void test_orphan(const char *who)
{
	pid_t meter;

	open_line();
	meter = fork();
	if (meter == 0) {
		fork_talker(is_wanted);
		privilege_drop(&caller, 0, false);
		for (;;)
			pause();
	}
	close(line[1]);
	is(hear(), 1, "%s has a child", who);
	kill(meter, SIGKILL);
	is(hear(), 0, "%s is killed, and its child with it", who);
	waitpid(meter, NULL, 0);
	close(line[0]);
}

static long faults(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_minflt;
}

static void write_each(volatile char *memory, size_t size)
{
	for (size_t i = 0; i < size; i++)
		memory[i]++;
}

/* Skips with the reason if not. */
static bool can_lock(void)
{
#ifdef __SANITIZE_ADDRESS__
	ok(true, "# SKIP with the sanitizer locking memory does nothing");
	return false;
#else
	if (mlockall(MCL_CURRENT | MCL_FUTURE) == 0)
		return true;
	ok(true, "# SKIP the limit of locked memory is too low (ulimit -l)");
	return false;
#endif
}

/* After the fork no write of the meter faults for a page that it shares with the child. */
static void test_pages(void)
{
	size_t size = PAGES * sysconf(_SC_PAGESIZE);
	volatile char *memory = calloc(1, size);
	long before;

	if (!can_lock()) {
		free((char *)memory);
		return;
	}
	write_each(memory, size);
	open_line();
	fork_talker(is_wanted);
	hear();
	before = faults();
	write_each(memory, size);
	ok(faults() - before < PAGES / 10, "a fork does not make the meter's memory fault");
	source_end_children(&source);
	munlockall();
	free((char *)memory);
}

/*
 * Where this is emulated, the emulator's memory is locked as well. Once it is
 * another user's, beyond the limit of locked memory, its stack cannot grow.
 */
static void lift_limit(void)
{
	const struct rlimit none = { RLIM_INFINITY, RLIM_INFINITY };

	if (getuid() == 0)
		setrlimit(RLIMIT_MEMLOCK, &none);
}

int main(void)
{
	lift_limit();
	caller = (struct caller){ .uid = getuid(), .gid = getgid() };
	test_life();
	test_ending();
	test_pages();
	test_orphan("a meter");
	if (getuid()) {
		ok(true, "# SKIP only root can become another user: run as root");
		return done();
	}
	caller = (struct caller){ .uid = 65534, .gid = 65534, .owns = true };
	test_orphan("a meter that becomes another user's");
	return done();
}
