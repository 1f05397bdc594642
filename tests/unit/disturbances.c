// SPDX-License-Identifier: GPL-2.0-or-later
/* For how long the meter's control group was throttled, while the meter was in it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run/worker.h"
#include "tap.h"

static const char *group = "0::/\n";
static const char *throttled;		/* the group's cpu.stat */

static FILE *open_text(const char *text)
{
	return fmemopen((void *)text, strlen(text), "r");
}

/* In place of the C library's. */
FILE *fopen(const char *path, const char *mode)
{
	(void)mode;
	errno = ENOENT;
	if (strstr(path, "/cpu.stat"))
		return strstr(path, "/old/") || strstr(group, "/\n") ? open_text(throttled) : NULL;
	if (strstr(path, "mounts"))
		return open_text("none /group cgroup2 rw 0 0\n");
	if (strstr(path, "/cgroup"))
		return open_text(group);
	return NULL;
}

static void is_throttled(struct worker *worker, const char *text, uint32_t ms, const char *name)
{
	throttled = text;
	worker_look(worker, END_NONE);
	is(totals_seen_ms(worker->totals, SEEN_THROTTLED), ms, "%s", name);
}

int main(void)
{
	static const struct source_ops ops = { .name = "source", .measures = SINCE_ASKED };
	const struct options options = { .cpus = { .count = 0 } };
	const struct source source = { .ops = &ops };
	struct workers workers;
	struct worker *worker;

	if (workers_open(&workers, &options, &source, NULL) < 0)
		exit(1);
	worker = workers.first;
	worker->pid = getpid();
	throttled = "throttled_usec 5000000\n";
	worker->measures = true;
	worker_look(worker, END_NONE);
	is_throttled(worker, throttled, 0, "what was before does not count");
	is_throttled(worker, "throttled_usec 5300000\n", 300, "a meter is throttled");
	group = "0::/old\n";
	is_throttled(worker, "throttled_usec 90000000\n", 300, "a meter moves to a group that was throttled before");
	is_throttled(worker, "throttled_usec 90200000\n", 500, "a meter is throttled in its new group");
	group = "0::/\n";
	is_throttled(worker, "throttled_usec 1000000\n", 500, "a meter moves to a group that was throttled for less time");
	is_throttled(worker, "throttled_usec 1100000\n", 600, "a meter is throttled in a group of less time");
	free(workers.first);
	return done();
}
