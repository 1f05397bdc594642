// SPDX-License-Identifier: GPL-2.0-or-later
/* Before threads of other programs are measured: CPUs on which it could not be tried what the kernel records. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/diag.h"
#include "explain/tap.h"
#include "run/keeper.h"
#include "source/registry.h"
#include "tap.h"

#define CPUS 3

static unsigned fork_fails_at;		/* counted down; 0: none fails */
static int children;			/* forked, and not yet awaited */
static bool interrupted;		/* the next waitpid() is */
static bool misses;			/* every trial does */
static size_t unmapped;			/* bytes of the last munmap() */
static char said[512];

static void note(const char *message)
{
	snprintf(said, sizeof(said), "%s", message);
}

/* No process is forked, so no trial finds anything. */
pid_t fork(void)
{
	if (fork_fails_at && !--fork_fails_at) {
		errno = EAGAIN;
		return -1;
	}
	return ++children;
}

pid_t waitpid(pid_t pid, int *status, int flags)
{
	(void)status, (void)flags;
	if (interrupted) {
		interrupted = false;
		errno = EINTR;
		return -1;
	}
	children--;
	return pid;
}

/* The sanitizers ask, too: for the size of a page and of a stack for signals. */
long sysconf(int name)
{
	return name == _SC_NPROCESSORS_CONF ? CPUS : name == _SC_PAGESIZE ? 4096 : 65536;
}

int munmap(void *memory, size_t size)
{
	unmapped = size;
	return syscall(SYS_munmap, memory, size);
}

/* In place of ours. */
struct trial trial_of_records(int cpu, unsigned wakeups, bool busy)
{
	(void)cpu, (void)wakeups, (void)busy;
	return (struct trial){ .switches = 0 };
}

int64_t trial_lateness_ns(void)
{
	return 0;
}

bool trial_misses_some(const struct trial *trial)
{
	(void)trial;
	return misses;
}

static bool bound;			/* the thread of another program may use CPU 1 alone */

int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
	(void)pid;
	memset(set, 0, size);
	for (int cpu = 0; cpu < CPUS; cpu++)
		if (!bound || cpu == 1)
			CPU_SET(cpu, set);
	return 0;
}

int main(void)
{
	const struct options options = { .source = "task" };
	struct thread thread = { .id = 4711 };
	struct source source = { .ops = source_find("task"), .threads = &thread, .thread_count = 1 };

	diag_redirect(note);
	interrupted = true;
	recording_try(&options, &source);
	is_text(said, "", "nothing is said if all CPUs were tried");
	is(unmapped, CPUS * sizeof(struct trial), "the memory of the trials is given back");
	is(children, 0, "a wait that is interrupted is repeated");
	fork_fails_at = 2;
	recording_try(&options, &source);
	is_text(said, "warning: --source=task: what the kernel records on CPU 1 could not be tested: Resource temporarily "
		"unavailable; end some processes, or free some memory", "a CPU that was not tried is named");
	misses = true;
	recording_try(&options, &source);
	ok(strstr(said, "on CPU 0-2:"), "each CPU that is not recorded wholly is named");
	bound = true;
	recording_try(&options, &source);
	ok(strstr(said, "on CPU 1:"), "a CPU that the thread may not use is not named");
	return done();
}
