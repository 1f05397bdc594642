// SPDX-License-Identifier: GPL-2.0-or-later
/* A meter that measures hands over its ring; where that fails, the run goes on, and it is said what is missing. */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "diag.h"
#include "lifeline.h"
#include "tap.h"
#include "worker.h"

static char said[512];

static void note(const char *message)
{
	snprintf(said, sizeof(said), "%s", message);
}

static void allow_files(rlim_t count)
{
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = count;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/* What the keeper says when the meter has sent this. */
static void test(int descriptor, rlim_t files, const char *reason, const char *name)
{
	struct worker worker;

	*said = '\0';
	worker_open(&worker, -1, 32, EXPLAIN_PARTS);
	lifeline_tell(worker.end, descriptor);
	allow_files(files);
	worker_hear(&worker);
	allow_files(256);
	ok(worker.heard && !worker.over, "%s: the meter measures", name);
	ok(*reason ? strstr(said, reason) && strstr(said, "ulimit -n") : !*said, "and it is said: %s", said);
	ok(!worker.reader.ring.memory, "nothing is read");
	worker_forget(&worker);
}

int main(void)
{
	diag_redirect(note);
	test(-1, 256, "", "no ring");
	test(STDIN_FILENO, 0, "Too many open files", "no room for it");
	test(STDIN_FILENO, 256, "read what the kernel records: ", "what is no ring");
	return done();
}
