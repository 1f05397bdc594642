// SPDX-License-Identifier: GPL-2.0-or-later
/* For how long the meter's control group was throttled, whatever group that is. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run/worker_seen.h"
#include "tap.h"

static const char *throttled;		/* the group's cpu.stat */

static FILE *open_text(const char *text)
{
	return fmemopen((void *)text, strlen(text), "r");
}

/* In place of the C library's. */
FILE *fopen(const char *path, const char *mode)
{
	(void)mode;
	if (strstr(path, "/cpu.stat"))
		return open_text(throttled);
	if (strstr(path, "mounts"))
		return open_text("none /group cgroup2 rw 0 0\n");
	if (strstr(path, "/cgroup"))
		return open_text("0::/\n");
	errno = ENOENT;
	return NULL;
}

static void is_throttled(struct worker *worker, const char *text, uint32_t ms, const char *name)
{
	throttled = text;
	worker_seen_look(worker);
	is(totals_seen_ms(worker->totals, SEEN_THROTTLED), ms, "%s", name);
}

int main(void)
{
	static const struct source_ops ops = { .name = "source" };
	struct worker worker;

	if (worker_open(&worker, -1, 32, SINCE_ASKED, EXPLAIN_OFF) < 0)
		exit(1);
	worker.pid = getpid();
	worker.source.ops = &ops;
	throttled = "throttled_usec 5000000\n";
	worker_seen_begin(&worker);
	is_throttled(&worker, throttled, 0, "what was before does not count");
	is_throttled(&worker, "throttled_usec 5300000\n", 300, "it is throttled");
	is_throttled(&worker, "throttled_usec 1000000\n", 300, "it moves to a group that was throttled for less time");
	return done();
}
