// SPDX-License-Identifier: GPL-2.0-or-later
/* What cannot easily be had by a test of the program: reasons that only some users or machines see. */
#include <errno.h>
#include <string.h>

#include "trace/refusal.h"
#include "tap.h"

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static void test_memory(void)
{
	struct explain_refusal refusal;

	explain_refuse_tracepoint(&refusal, "sched/sched_switch", ENOBUFS);
	ok(begins(refusal.reason, "record sched/sched_switch: users may map rings of "), "reason: %s", refusal.reason);
	ok(begins(refusal.remedy, "run as root, or sysctl kernel.perf_event_mlock_kb="), "remedy: %s", refusal.remedy);
}

static void test_names(void)
{
	struct explain_refusal refusal;

	explain_refuse_names(&refusal, ENOENT);
	is_text(refusal.reason, "name the kernel's functions: the kernel does not list them", "no names");
	is_text(refusal.remedy, "use one that has CONFIG_KALLSYMS, or --explain=blame", "their remedy");
	explain_refuse_names(&refusal, ENOMEM);
	is_text(refusal.reason, "name the kernel's functions: Cannot allocate memory", "no memory for them");
	is_text(refusal.remedy, "free some memory", "its remedy");
}

/* What nobody thought of has its own name, and is not taken for something else. */
static void test_others(void)
{
	static const int errors[] = { EBUSY, EIO, ESRCH };
	struct explain_refusal refusal;

	for (unsigned i = 0; i < sizeof(errors) / sizeof(*errors); i++) {
		explain_refuse_tracepoint(&refusal, "sched/sched_switch", errors[i]);
		ok(strstr(refusal.reason, strerror(errors[i])), "%s", refusal.reason);
		is_text(refusal.remedy, "look into the kernel's log (dmesg)", "has a remedy");
	}
}

/* A name of any length is cut, and no more than it. */
static void test_long(void)
{
	struct explain_refusal refusal;
	char name[400];

	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	explain_refuse_tracepoint(&refusal, name, ENOENT);
	is(strlen(refusal.reason), REFUSAL_SIZE - 1, "a long reason is cut");
	ok(*refusal.remedy, "and has its remedy");
}

int main(void)
{
	test_memory();
	test_names();
	test_others();
	test_long();
	return done();
}
