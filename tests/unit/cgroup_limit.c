// SPDX-License-Identifier: GPL-2.0-or-later
/* A limit of the control group that was reached is named in place of what is usual. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "host/cgroup.h"
#include "tap.h"

static const char *version, *oom, *forks;	/* NULL: the file is not there */

static FILE *open_text(const char *text)
{
	return text ? fmemopen((void *)text, strlen(text), "r") : NULL;
}

/* In place of the C library's. */
FILE *fopen(const char *path, const char *mode)
{
	(void)mode;
	errno = ENOENT;
	if (strstr(path, "/cgroup/"))
		return open_text(strstr(path, "memory") ? oom : strstr(path, "pids.events") ? forks : NULL);
	if (strstr(path, "mounts"))
		return open_text(version);
	return open_text("3:pids:/job\n2:memory:/job\n0::/job\n");
}

/* One of our processes is killed or, with errno, cannot be forked, after these counts have become those. */
static void is_remedy(bool killed, int error, const char *new_oom, const char *new_forks, const char *expected,
		      const char *name)
{
	cgroup_note_limits();
	oom = new_oom;
	forks = new_forks;
	errno = error;
	is_text(cgroup_limit_remedy(killed, "do as usual"), expected, name);
	is(errno, error, "errno is kept");
}

static void test(const char *mounts, const char *memory)
{
	version = mounts;
	oom = "oom 0\noom_kill 0\n";
	forks = "max 0\n";
	is_remedy(true, 0, oom, forks, "do as usual", "the remedy stays if no limit was reached");
	is_remedy(true, 0, oom, "max 2\n", "do as usual", "a limit of processes kills none");
	is_remedy(false, EAGAIN, oom, "max 2\n", "do as usual", "a limit of processes that was reached days ago is not blamed");
	is_remedy(false, ENOMEM, oom, "max 3\n", "do as usual", "a fork that failed for another reason blames no limit");
	is_remedy(false, EAGAIN, oom, "max 4\n", "raise pids.max of the control group /job, which was reached",
		"the limit of processes is named if it was reached");
	is_remedy(false, EAGAIN, "oom 1\noom_kill 1\n", NULL, "do as usual", "a limit of memory keeps no process from being forked");
	is_remedy(true, 0, oom, NULL, "do as usual", "a limit of memory that was reached days ago is not blamed");
	is_remedy(true, 0, "oom 2\noom_kill 2\n", NULL, memory, "the limit of memory is named if it was reached");
}

int main(void)
{
	test("none /cgroup cgroup2 rw 0 0\n", "raise memory.max of the control group /job, which was reached");
	is_remedy(true, 0, "oom 2\noom_kill 3\n", NULL, "do as usual", "the machine had no memory left, but the group had");
	test("none /cgroup cgroup rw,memory 0 0\nnone /cgroup cgroup rw,pids 0 0\n",
	     "raise memory.limit_in_bytes of the control group /job, which was reached");
	return done();
}
