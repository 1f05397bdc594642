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

static void test(const char *mounts)
{
	version = mounts;
	oom = "oom 0\noom_kill 0\n";
	forks = "max 0\n";
	is_text(cgroup_limit_remedy(true, "start again"), "start again", "no limit was reached");
	forks = "max 2\n";
	is_text(cgroup_limit_remedy(true, "start again"), "start again", "none that kills");
	errno = EAGAIN;
	is_text(cgroup_limit_remedy(false, "end some"), "raise pids.max of the control group /job, which was reached", "of forks");
	is(errno, EAGAIN, "errno is kept");
	oom = "low 0\noom 1\noom_kill 1\n";
	forks = NULL;
	is_text(cgroup_limit_remedy(false, "end some"), "end some", "none of forks");
	ok(strstr(cgroup_limit_remedy(true, "start again"), "raise memory."), "of memory");
}

int main(void)
{
	test("none /cgroup cgroup2 rw 0 0\n");
	oom = "oom 0\noom_kill 1\n";
	is_text(cgroup_limit_remedy(true, "start again"), "start again", "the machine had no memory left, but the group had");
	test("none /cgroup cgroup rw,memory 0 0\nnone /cgroup cgroup rw,pids 0 0\n");
	return done();
}
