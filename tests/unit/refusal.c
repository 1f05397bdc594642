// SPDX-License-Identifier: GPL-2.0-or-later
/* How a refusal is put into words, and what cannot easily be had by a test of the program: rare reasons. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "trace/perf_ring.h"
#include "tap.h"

static void are(const struct refusal *refusal, const char *clause, const char *line)
{
	char text[REFUSAL_LINE];

	refusal_clause(refusal, text, sizeof(text));
	is_text(text, clause, "the clause of a refusal");
	is_text(refusal_line(refusal, text), line, "the line of a refusal");
}

static void test_words(void)
{
	struct refusal refusal;

	refusal_begin(&refusal, EPERM, "take SCHED_%s %d", "FIFO", 95);
	refusal_remedy(&refusal, "run as %s", "root");
	are(&refusal, "take SCHED_FIFO 95: Operation not permitted",
	    "take SCHED_FIFO 95: Operation not permitted; run as root");
	refusal_reason(&refusal, "group %d", 1);
	refusal_remedy(&refusal, "leave it");
	are(&refusal, "take SCHED_FIFO 95: Operation not permitted: group 1",
	    "take SCHED_FIFO 95: Operation not permitted: group 1; leave it");
	refusal_begin(&refusal, 0, "clock");
	refusal_reason(&refusal, "slow");
	refusal_remedy(&refusal, "wait");
	are(&refusal, "clock: slow", "clock: slow; wait");
	*refusal.what = '\0';
	are(&refusal, "slow", "slow; wait");
}

static bool lacks(const char *tracepoint, int error, struct refusal *refusal)
{
	trace_refuse_tracepoint(refusal, tracepoint, error);
	return refusal->absent;
}

static void is_line(const struct refusal *refusal, const char *begin)
{
	char line[REFUSAL_LINE];

	refusal_line(refusal, line);
	ok(!strncmp(line, begin, strlen(begin)), "%s", line);
}

static void test_memory(void)
{
	struct refusal refusal;

	ok(!lacks("sched/sched_switch", ENOBUFS, &refusal),
	   "locked memory is a limit that can be raised");
	is_line(&refusal, "record sched/sched_switch: a user may map only ");
	ok(strstr(refusal.remedy, "run as root, or sysctl kernel.perf_event_mlock_kb="), "remedy: %s", refusal.remedy);
}

static void test_absent(void)
{
	struct refusal refusal;

	trace_refuse_tracefs(&refusal, ENODEV);
	ok(refusal.absent, "a kernel without tracefs lacks it for good");
	are(&refusal, "the kernel has no tracefs", "the kernel has no tracefs; use one that has CONFIG_EVENT_TRACING");
	trace_refuse_tracefs(&refusal, ENOSYS);
	ok(!refusal.absent, "a kernel may have tracefs that cannot be reached");
	ok(lacks("a/b", ENOENT, &refusal), "a tracepoint that does not exist is absent for good");
	ok(lacks("a/b", ENOMSG, &refusal), "a field that does not exist is absent for good");
	are(&refusal, "record a/b: the kernel's records lack a field that is needed",
	    "record a/b: the kernel's records lack a field that is needed; use another release of Linux");
	ok(lacks("a/b", ENOSYS, &refusal),
	   "performance events that do not exist are absent for good");
	ok(!lacks("a/b", ENODEV, &refusal), "a CPU that is offline may come back");
	are(&refusal, "record a/b: the CPU is offline", "record a/b: the CPU is offline; measure another CPU");
}

static void test_names(void)
{
	struct refusal refusal;
	char line[128];

	trace_refuse_names(&refusal, ENOENT);
	is_line(&refusal, "look up the kernel's functions: the kernel does not list them; "
		"use one that has CONFIG_KALLSYMS");
	trace_refuse_names(&refusal, ENOMEM);
	snprintf(line, sizeof(line), "look up the kernel's functions: %s; free some memory", strerror(ENOMEM));
	is_line(&refusal, line);
}

/* An error that nobody foresaw keeps its own name, and is not taken for something else. */
static void test_others(void)
{
	static const int errors[] = { EBUSY, EIO, ESRCH };
	struct refusal refusal;

	for (unsigned i = 0; i < sizeof(errors) / sizeof(*errors); i++) {
		trace_refuse_tracepoint(&refusal, "sched/sched_switch", errors[i]);
		is(refusal.error, errors[i], "%s", strerror(errors[i]));
		is_text(refusal.remedy, "look into the kernel's log (dmesg)", "an unforeseen error has a remedy");
	}
}

/* A name of any length is cut, and the remedy stays. */
static void test_long(void)
{
	char name[1000], line[REFUSAL_LINE];
	struct refusal refusal;

	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	trace_refuse_tracepoint(&refusal, name, ENOENT);
	is(strlen(refusal.reason), sizeof(refusal.reason) - 1, "a long reason is cut");
	refusal_begin(&refusal, EPERM, "%s", name);
	refusal_reason(&refusal, "%s", name);
	refusal_remedy(&refusal, "%s", name);
	refusal_line(&refusal, line);
	ok(strlen(line) > sizeof(line) - 60 && strstr(line, "...; x"), "the line has room for all: %zu", strlen(line));
}

int main(void)
{
	test_words();
	test_memory();
	test_absent();
	test_names();
	test_others();
	test_long();
	return done();
}
