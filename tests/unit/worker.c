// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A meter that measures hands over its ring; where that fails, the run goes on, and it is said what is missing. So it is
 * of one that was killed while it counted.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"
#include "host/process.h"
#include "source/registry.h"
#include "tap.h"
#include "run/worker.h"

static char said[512];
static bool kept;			/* somebody else waits for our children */
static bool waited;			/* until something happens to a child, which may be never */

/* In place of the C library's. */
pid_t waitpid(pid_t pid, int *status, int flags)
{
	waited = waited || !(flags & WNOHANG);
	return kept ? 0 : syscall(SYS_wait4, pid, status, flags, NULL);
}

/* In place of the C library's: no time passes. */
int usleep(useconds_t us)
{
	(void)us;
	return 0;
}

static void note(const char *message)
{
	snprintf(said, sizeof(said), "%s", message);
}

static void allow_files(rlim_t count)
{
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = count;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/* On this CPU; -1: on any. */
static struct worker *open_worker(int cpu, enum explain_level level)
{
	static struct workers workers;
	const struct options options = { .cpus = { .count = cpu >= 0, .number = { cpu } }, .explain = level };
	const struct source source = { .ops = source_find("nanosleep"), .hz = 1000, .period_ns = 1000000 };

	free(workers.first);
	if (workers_open(&workers, &options, &source, NULL) < 0)
		exit(1);
	return workers.first;
}

/* What the keeper says when the meter has sent this. */
static void test(int descriptor, rlim_t files, const char *reason, const char *what)
{
	struct worker *worker = open_worker(-1, EXPLAIN_PARTS);

	*said = '\0';
	worker->channel->measuring = true;
	lifeline_send(worker->end, descriptor);
	allow_files(files);
	worker_receive(worker);
	allow_files(256);
	ok(worker->measures && !worker->over, "%s: the meter measures", what);
	ok(*reason ? strstr(said, reason) && strstr(said, "ulimit -n") : !*said, "%s: it warns: \"%s\"", what, said);
	ok(!worker->reader.ring.memory, "%s: no records are read", what);
}

/* What was killed while it counted is dropped: no bin has it yet. */
static void test_dropped(int cpu, const char *expected, const char *what)
{
	struct worker *worker = open_worker(cpu, EXPLAIN_OFF);

	worker->channel->live[0].samples = 7;
	worker_collect_last(worker);
	is(totals_sums(worker->totals)->samples, 0, "%s: a buffer that is not whole is dropped", what);
	ok(!strcmp(said, expected), "%s: it warns: \"%s\"", what, said);
}

/* A process that is stopped, as one is that somebody else looks at. */
static pid_t fork_stopped(void)
{
	pid_t child = fork();

	if (child == 0) {
		kill(getpid(), SIGSTOP);
		_exit(0);
	}
	waitpid(child, NULL, WUNTRACED);
	return child;
}

/* The meter is dead, and its number is another process's. */
static void test_number_of_another(void)
{
	pid_t other = fork_stopped();
	struct worker *worker = open_worker(-1, EXPLAIN_OFF);

	worker->channel->meter = other;
	close(worker->end);
	worker_await(worker, true);
	is(waitpid(other, NULL, WCONTINUED | WNOHANG), 0, "a process with the number of a dead meter is left alone");
	kill(other, SIGKILL);
	waitpid(other, NULL, 0);
}

static void test_stopped_meter(void)
{
	struct worker *worker = open_worker(-1, EXPLAIN_OFF);

	worker->channel->meter = fork_stopped();
	close(worker->end);
	worker_await(worker, true);
	ok(worker->over, "a stopped meter goes on and ends");
	waitpid(worker->channel->meter, NULL, 0);
}

/* It had nothing more to write, and waited for the machine to be restored. */
static void test_stopped_orphan(void)
{
	struct worker *worker = open_worker(-1, EXPLAIN_OFF);

	worker->channel->meter = fork_stopped();
	worker->channel->left = true;
	close(worker->end);
	worker->channel->restored = true;
	worker_await(worker, false);
	ok(worker->over, "a meter that was stopped later goes on and ends");
	waitpid(worker->channel->meter, NULL, 0);
}

/* A process that is stopped again whenever it continues. */
static pid_t fork_held(void)
{
	pid_t child = fork();

	signal(SIGTERM, child ? SIG_DFL : SIG_IGN);
	while (child == 0)
		kill(getpid(), SIGSTOP);
	waitpid(child, NULL, WUNTRACED);
	return child;
}

/* Returns what has become of the meter if it was made to continue, as waitpid() has it. */
static int look(struct worker *worker, enum end overdue, unsigned times)
{
	int status = 0;

	while (times--) {
		worker_look(worker, overdue);
		if (worker->channel->stop)
			waitpid(worker->pid, &status, WUNTRACED);
	}
	return status;
}

/* It should have ended, but is held. */
static void test_overdue(void)
{
	struct worker *worker = open_worker(3, EXPLAIN_OFF);
	int status;

	worker->pid = fork_held();
	worker->stat = process_open(worker->pid);
	*said = '\0';
	look(worker, END_NONE, 20);
	look(worker, END_DURATION, 4);
	is(worker->channel->stop, END_NONE, "a meter that is stopped is left so for a while");
	look(worker, END_DURATION, 1);
	is(worker->channel->stop, END_DURATION, "a while after the end of the run it is asked to end");
	status = look(worker, END_DURATION, 4);
	ok(WIFSTOPPED(status) && !*said, "a stopped meter that was asked to end is given time");
	is(look(worker, END_DURATION, 1), SIGKILL, "a stopped meter that does not end is killed");
	is_text(said, "the measuring process on CPU 3 is stopped and does not end; killing it",
		"the kill of a stopped meter is reported");
}

/* The meter is dead, and a process that traced it has not let go of it. */
static void test_traced(void)
{
	struct worker *worker = open_worker(-1, EXPLAIN_OFF);

	worker->pid = getpid();
	close(worker->end);
	kept = true;
	waited = false;
	worker_receive(worker);
	ok(worker->over && !waited, "a meter is not awaited for ever");
	is(worker->status, SIGKILL, "a meter that is not awaited counts as killed");
	kept = false;
}

int main(void)
{
	diag_redirect(note);
	test_overdue();
	test_traced();
	test_number_of_another();
	test_stopped_meter();
	test_stopped_orphan();
	test(-1, 256, "", "no ring");
	test(STDIN_FILENO, 0, strerror(EMFILE), "no room for it");
	test(STDIN_FILENO, 256, "read what the kernel records: ", "what is no ring");
	test_dropped(3, "the last 7 samples on CPU 3 were dropped: the meter was killed while counting",
		     "one of several");
	test_dropped(-1, "the last 7 samples were dropped: the meter was killed while counting", "on any CPU");
	return done();
}
