// SPDX-License-Identifier: GPL-2.0-or-later
/* The keeper was killed, and memory is too short to map what each of its meters measured: what can be had is not lost. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/diag.h"
#include "source/registry.h"
#include "tap.h"
#include "run/worker.h"

static char said[512];
static int fails_at;			/* the mapping that fails, counted down */

static void note(const char *message)
{
	strncat(said, message, sizeof(said) - strlen(said) - 1);
}

/* In place of the C library's. */
void *mremap(void *memory, size_t old_size, size_t new_size, int flags, ...)
{
	if (fails_at > 0 && --fails_at == 0) {
		errno = ENOMEM;
		return MAP_FAILED;
	}
	return (void *)syscall(SYS_mremap, memory, old_size, new_size, flags, NULL);
}

static void inherit(struct workers *workers, const struct source *source, const struct options *options, int failing)
{
	memset(workers, 0, sizeof(*workers));
	if (workers_open(workers, options, source, NULL) < 0)
		exit(1);
	workers_listen(workers);
	*said = '\0';
	fails_at = failing;
	workers_inherit(workers);
}

static void test(int failing, int first, int second)
{
	const struct options options = { .cpus = { .count = 3, .number = { 4, 5, 6 } } };
	const struct source source = { .ops = source_find("nanosleep"), .hz = 1000, .period_ns = 1000000, .fd = -1 };
	char expected[128];
	struct workers workers;

	inherit(&workers, &source, &options, failing);
	snprintf(expected, sizeof(expected), "map what the meter on CPU %d measured: %s; it is lost",
		 3 + failing, strerror(ENOMEM));
	is_text(said, expected, "a part that is lost is reported");
	is(workers.count, 2, "all other parts are there");
	is(workers.lost, 1, "one part is lost");
	ok(workers.first[0].cpu == first && workers.first[1].cpu == second, "all other parts are in their order");
	ok(totals_sums(workers.first[1].totals)->samples == 0, "all other parts have their totals");
	free(workers.first);
}

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
	const struct options options = { .cpus = { .count = 0 } };
	const struct source source = { .ops = source_find("nanosleep"), .hz = 1000, .period_ns = 1000000, .fd = -1 };
	struct workers workers;

	diag_redirect(note);
	test(1, 5, 6);
	test(2, 4, 6);
	test(3, 4, 5);
	inherit(&workers, &source, &options, 0);
	ok(workers.count == 1 && !workers.lost && !*said, "no part is lost if all can be mapped");
	free(workers.first);
	inherit(&workers, &source, &options, 1);
	ok(workers.count == 0 && !workers_have_measured(&workers), "the only part is lost if it cannot be mapped");
	free(workers.first);
	test_names();
	return done();
}
