// SPDX-License-Identifier: GPL-2.0-or-later
/* What the heir of a keeper makes of its workers. */
#include <stdlib.h>

#include "source/registry.h"
#include "tap.h"
#include "run/worker.h"

/* The threads of a command are not known when the processes are forked. */
static void test_names(void)
{
	static struct thread threads[2];
	const struct options options = { .cpus = { .count = 0 } };
	const struct source source = {
		.ops = source_find("task"), .hz = 1000, .fd = -1, .threads = threads, .thread_count = 2,
	};
	struct workers workers = { .count = 0 };
	struct report *reports;

	if (workers_open(&workers, &options, &source, NULL) < 0)
		exit(1);
	workers_listen(&workers);
	workers.first[0].channel->thread = (struct thread){ .id = 4711, .name = "loop" };
	workers_inherit(&workers);
	is_text(workers.first[0].name, "4711 loop", "the heir of a keeper names the threads that began");
	reports = workers_report(&workers, &(struct report){ .cpu = -1 });
	is(report_count_begun(reports), 1, "the heir of a keeper leaves out threads that did not begin");
	free(reports);
	free(workers.first);
}

int main(void)
{
	test_names();
	return done();
}
