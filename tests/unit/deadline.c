// SPDX-License-Identifier: GPL-2.0-or-later
/* The share of the CPU that a deadline task asks for at each rate, and what the kernel makes of it. */
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/process.h"
#include "tap.h"

#define MOST_HZ 100000		/* of any source */
#define LEAST_RUNTIME_NS 1024	/* of the kernel */

static void test_share(void)
{
	struct deadline shared = deadline_of_period(488281);
	int wrong = 0;

	is(shared.runtime_ns, 244140, "the runtime is half of the period at 2048 Hz");
	is(shared.deadline_ns, 488281, "the deadline is the end of the period");
	is(shared.period_ns, 488281, "the period is that of 2048 Hz");
	for (unsigned hz = 1; hz <= MOST_HZ; hz++) {
		shared = deadline_of_period(1000000000 / hz);
		wrong += shared.runtime_ns < LEAST_RUNTIME_NS || shared.runtime_ns > shared.deadline_ns ||
			 shared.deadline_ns != shared.period_ns || shared.period_ns != 1000000000 / hz;
	}
	is(wrong, 0, "the kernel accepts the share at each rate");
}

static bool is_refusal(int error)
{
	return error == EPERM || error == EBUSY || error == ENOSYS;
}

static void test_refused(void)
{
	const struct deadline none = { 0, 1000000, 1000000 };
	struct deadline granted;

	is(deadline_take(&none), -1, "no runtime of 0 is granted");
	if (is_refusal(errno))
		ok(true, "# skip SCHED_DEADLINE is refused here: %s", strerror(errno));
	else
		is(errno, EINVAL, "a runtime of 0 is refused as invalid");
	ok(!deadline_granted(&granted), "a refusal leaves the policy as it was");
}

/* The exit status: 0, or which of it was wrong. */
static int try_granted(const struct deadline *wanted)
{
	struct deadline granted;
	struct sched_state state;
	int status;
	pid_t child;

	sched_state_read(0, &state);
	if (state.policy != SCHED_DEADLINE || strcmp(sched_state_policy_name(state.policy), "deadline"))
		return 100;
	if (!deadline_granted(&granted) || memcmp(&granted, wanted, sizeof(granted)))
		return 101;
	child = fork();
	if (child == 0)
		_exit(sched_getscheduler(0) != SCHED_OTHER);
	return child < 0 || waitpid(child, &status, 0) < 0 || status ? 102 : 0;
}

static void test_granted(void)
{
	const struct deadline wanted = deadline_of_period(10000000);
	pid_t child = fork();
	int status;

	if (child == 0)
		_exit(deadline_take(&wanted) < 0 ? errno : try_granted(&wanted));
	waitpid(child, &status, 0);
	if (is_refusal(WEXITSTATUS(status)))
		ok(true, "# skip SCHED_DEADLINE is refused here: %s", strerror(WEXITSTATUS(status)));
	else
		is(status, 0, "what was asked for is granted, and what is forked is ordinary");
}

int main(void)
{
	test_share();
	test_refused();
	test_granted();
	return done();
}
