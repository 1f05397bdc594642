// SPDX-License-Identifier: GPL-2.0-or-later
/* What becomes of the processes of a meter is seen, and nothing is believed that anybody could have told. */
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/instant.h"
#include "host/process.h"
#include "tap.h"

#define MS UINT64_C(1000000)

static struct children children;
static uint64_t now_ns;

/* In place of the C library's. */
int clock_gettime(clockid_t id, struct timespec *time)
{
	(void)id;
	*time = timespec_from(now_ns);
	return 0;
}

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

static void test_ends(void)
{
	begin(2);
	ok(!children_notice(&children), "no child has ended at first");
	tell(1, SIGKILL, WEXITED);
	ok(children_notice(&children), "a child that was killed has ended");
	ok(children_notice(&children), "a child that has ended stays so");
	is(children.stopped_ms, 0, "a child that was killed was not stopped");
	end();
}

static void test_stops(void)
{
	begin(3);
	tell(1, SIGSTOP, WSTOPPED);
	ok(!children_notice(&children), "a child that is stopped has not ended");
	now_ns += 20 * MS;
	tell(2, SIGSTOP, WSTOPPED);
	children_notice(&children);
	tell(1, SIGCONT, WCONTINUED);
	children_notice(&children);
	is(children.stopped_ms, 0, "a stop is not counted while another child is stopped");
	now_ns += 20 * MS;
	tell(2, SIGCONT, WCONTINUED);
	children_notice(&children);
	is(children.stopped_ms, 40, "overlapping stops of two children are counted once, to the end");
	children.stopped_ms = 0;
	tell(0, SIGSTOP, WSTOPPED);
	tell(0, SIGCONT, WCONTINUED);
	children_notice(&children);
	is(children.stopped_ms, 0, "a stop that is over before anybody looks is not counted");
	tell(0, SIGSTOP, WSTOPPED);
	children_notice(&children);
	now_ns += 20 * MS;
	children_settle(&children);
	is(children.stopped_ms, 20, "a stop at the end is counted up to the end");
	end();
}

static void test_standing(void)
{
	const struct sched_param none = { 0 };
	struct sched_state now;

	begin(0);
	is(children.began.cpus, 0, "nothing is known of the scheduling of no children");
	begin(2);
	children_look(&children, &now);
	ok(now.cpus > 0 && now.policy == children.began.policy, "children are scheduled as they began");
	sched_setscheduler(children.pid[1], SCHED_BATCH, &none);
	children_look(&children, &now);
	is(now.policy, SCHED_BATCH, "one child with another policy is noticed");
	is(now.migrations, -1, "migrations of children are not counted");
	end();
}

int main(void)
{
	test_ends();
	test_stops();
	test_standing();
	return done();
}
