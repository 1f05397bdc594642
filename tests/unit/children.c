// SPDX-License-Identifier: GPL-2.0-or-later
/* What becomes of the processes of a meter is seen, and nothing is believed that anybody could have told. */
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/children.h"
#include "measure/clock.h"
#include "tap.h"

static struct children children;

static void begin(unsigned count)
{
	children = (struct children){ .count = 0 };
	for (; children.count < count; children.count++) {
		children.pid[children.count] = fork();
		while (!children.pid[children.count])
			pause();
	}
	children_look(&children, &children.began);
}

static void end(void)
{
	for (unsigned i = 0; i < children.count; i++) {
		kill(children.pid[i], SIGKILL);
		waitpid(children.pid[i], NULL, 0);
	}
}

/* Send it, and wait until the kernel has told of it. */
static void tell(unsigned child, int signal, int what)
{
	siginfo_t news;

	kill(children.pid[child], signal);
	waitid(P_PID, children.pid[child], &news, what | WNOWAIT);
}

static void rest(void)
{
	clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){ .tv_nsec = 20000000 }, NULL);
}

static void test_ends(void)
{
	begin(2);
	ok(!children_notice(&children), "a signal that nobody has sent for them says nothing");
	tell(1, SIGKILL, WEXITED);
	ok(children_notice(&children), "one has ended");
	ok(children_notice(&children), "and still has");
	is(children.stopped_ms, 0, "and was not stopped");
	end();
}

static void test_stops(void)
{
	begin(3);
	tell(1, SIGSTOP, WSTOPPED);
	ok(!children_notice(&children), "one that is stopped has not ended");
	rest();
	tell(2, SIGSTOP, WSTOPPED);
	children_notice(&children);
	tell(1, SIGCONT, WCONTINUED);
	children_notice(&children);
	is(children.stopped_ms, 0, "another is stopped when it goes on");
	rest();
	tell(2, SIGCONT, WCONTINUED);
	children_notice(&children);
	ok(children.stopped_ms >= 40, "both together are counted once, to the end");
	children.stopped_ms = 0;
	tell(0, SIGSTOP, WSTOPPED);
	tell(0, SIGCONT, WCONTINUED);
	children_notice(&children);
	is(children.stopped_ms, 0, "what is over when it is looked for was nothing");
	tell(0, SIGSTOP, WSTOPPED);
	children_notice(&children);
	rest();
	children_settle(&children);
	ok(children.stopped_ms >= 20, "one that is stopped at the end is counted up to it");
	end();
}

static void test_standing(void)
{
	const struct sched_param none = { 0 };
	struct sched_state now;

	begin(0);
	is(children.began.cpus, 0, "of none, nothing is known");
	begin(2);
	children_look(&children, &now);
	ok(now.cpus > 0 && now.policy == children.began.policy, "all stand as they began");
	sched_setscheduler(children.pid[1], SCHED_BATCH, &none);
	children_look(&children, &now);
	is(now.policy, SCHED_BATCH, "but one");
	is(now.migrations, -1, "migrations are not looked for");
	end();
}

int main(void)
{
	test_ends();
	test_stops();
	test_standing();
	return done();
}
