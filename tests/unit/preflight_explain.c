// SPDX-License-Identifier: GPL-2.0-or-later
/* Before a run with --explain: what is opened does not grow with the CPUs, and what could not be tried is said. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/diag.h"
#include "explain/tap.h"
#include "run/preflight.h"
#include "run/setup.h"
#include "source/registry.h"
#include "tap.h"

static const char *nohz_full;		/* the kernel's list of such CPUs; NULL: none */
static unsigned opened;			/* taps */
static int refused;			/* errno with which they are */
static unsigned fork_fails_at;		/* counted down; 0: none fails */
static int children;			/* forked, and not yet awaited */
static bool interrupted;		/* the next waitpid() is */
static size_t unmapped;			/* bytes of the last munmap() */
static char said[512];

static void note(const char *message)
{
	snprintf(said, sizeof(said), "%s", message);
}

/* In place of the C library's. */
FILE *fopen(const char *path, const char *mode)
{
	bool is_there = nohz_full && strstr(path, "/nohz_full");

	(void)mode;
	errno = ENOENT;
	return is_there ? fmemopen((void *)nohz_full, strlen(nohz_full), "r") : NULL;
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

int munmap(void *memory, size_t size)
{
	unmapped = size;
	return syscall(SYS_munmap, memory, size);
}

/* In place of ours. */
int tap_open(struct tap *tap, const struct tap_plan *plan, struct refusal *refusal)
{
	*tap = (struct tap){ .level = plan->level };
	opened++;
	if (refused)
		refusal_begin(refusal, refused, "record CPU %d", plan->cpu);
	return refused ? -1 : 0;
}

void tap_close(struct tap *tap)
{
	(void)tap;
}

struct trial trial_of_records(int cpu, unsigned wakeups)
{
	(void)cpu, (void)wakeups;
	return (struct trial){ .switches = 0 };
}

bool trial_misses_some(const struct trial *trial)
{
	return trial->recorded < trial->switches;
}

int setup_realtime(const struct options *options, const struct cpus *cpus, struct rights *rights)
{
	(void)options, (void)cpus, (void)rights;
	return 0;
}

void setup_ordinary(void)
{
}

void preflight_value(const char *format, ...)
{
	(void)format;
}

static struct options on_cpus(int count)
{
	struct options options = { .source = "nanosleep", .explain = EXPLAIN_BLAME, .waker.cpu = -1 };

	for (int i = 0; i < count; i++)
		options.cpus.number[options.cpus.count++] = i;
	return options;
}

static void test_opening(void)
{
	const struct options options = on_cpus(64);
	const struct run run = { .options = &options };
	const struct preflight preflight = { .run = &run };
	struct refusal refusal = { .error = 0 };
	char line[REFUSAL_LINE];

	preflight_can_explain(&preflight, &refusal);
	is(opened, 1, "one CPU of 64 is opened before the run");
	refused = EACCES;
	ok(!preflight_can_explain(&preflight, &refusal), "what refuses the first CPU is a refusal");
	is_text(refusal.what, "record CPU 0", "a refusal names the CPU");
	refused = 0;
	nohz_full = "63\n";
	ok(!preflight_can_explain(&preflight, &refusal), "a CPU whose timers expire elsewhere is refused");
	ok(strstr(refusal_line(&refusal, line), "CPU 63 is one of nohz_full"),
		"any CPU is refused whose timers expire elsewhere: %s", line);
}

static void test_trials(void)
{
	const struct options options = on_cpus(3);
	struct source source = { .ops = source_find("nanosleep") };
	const struct run run = { .options = &options };
	const struct preflight preflight = { .run = &run, .source = &source };

	interrupted = true;
	preflight_try_recording(&preflight);
	is_text(said, "", "nothing is said if all CPUs were tried");
	is(unmapped, 3 * sizeof(struct trial), "the memory of the trials is given back");
	is(children, 0, "a wait that is interrupted is repeated");
	fork_fails_at = 2;
	preflight_try_recording(&preflight);
	is_text(said, "warning: --explain: what the kernel records on CPU 1 could not be tried: Resource temporarily "
		"unavailable; end some processes, or free some memory", "a CPU that was not tried is named");
}

int main(void)
{
	diag_redirect(note);
	test_opening();
	test_trials();
	return done();
}
