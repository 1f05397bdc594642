// SPDX-License-Identifier: GPL-2.0-or-later
/* What the standby does when the keeper was killed, with and without memory to report what was measured. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/diag.h"
#include "run/keeper.c"
#include "tap.h"

static char said[512];
static unsigned stopped;
static bool scarce;			/* there is no memory for a report */

static void note(const char *message)
{
	strncat(said, message, sizeof(said) - strlen(said) - 1);
}

/* A compiler would replace malloc() and memset() by calloc(), which is ours. */
static void *(*volatile allocate)(size_t) = malloc;

/* In place of the C library's. */
void *calloc(size_t count, size_t size)
{
	void *memory = scarce && size == sizeof(struct report) ? NULL : allocate(count * size);

	if (!memory)
		errno = ENOMEM;
	return memory ? memset(memory, 0, count * size) : NULL;
}

static void stop(struct source *source)
{
	(void)source;
	stopped++;
}

/* The other end of its line is closed, as that of a process that was killed. */
static int line_to_the_dead(void)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
		exit(1);
	close(ends[1]);
	return ends[0];
}

static const struct source_ops ops = { .name = "fake", .stop = stop };
static struct caller user;
static struct load load;
static struct report_file file = { .base = "", .reserve = -1, .folder = -1 };

/* A standby whose keeper was killed. */
static struct keeper take_place(const struct run *run, const struct source *source)
{
	struct keeper keeper = { .run = run, .file = &file, .source = *source };

	if (workers_open(&keeper.workers, run->options, source, NULL) < 0)
		exit(1);
	keeper.line = line_to_the_dead();
	return keeper;
}

static void test_no_memory(void)
{
	const struct options options = { .cpus = { .count = 2, .number = { 4, 5 } } };
	const struct source source = { .ops = &ops, .hz = 1000, .period_ns = 1000000, .fd = -1 };
	const struct run run = { .options = &options, .load = &load, .caller = &user };
	struct keeper keeper = take_place(&run, &source);

	keeper.workers.first->channel->measuring = true;
	scarce = true;
	is(stand_by(&keeper), EXIT_NOT_MEASURED, "a takeover without memory reports nothing");
	ok(strstr(said, "allocate memory"), "a takeover without memory says so: %s", said);
	is(stopped, 2, "each source is stopped if memory is missing");
	scarce = false;
	free(keeper.workers.first);
}

static void test_names(void)
{
	static struct thread threads[2] = { { .id = 4711, .name = "loop" }, { .id = 4712, .name = "ui" } };
	const struct options options = { .cpus = { .count = 0 } };
	const struct source source = { .ops = &ops, .hz = 1000, .fd = -1, .threads = threads, .thread_count = 2 };
	const struct run run = { .options = &options, .load = &load, .caller = &user };
	struct keeper keeper = take_place(&run, &source);

	stand_by(&keeper);
	is_text(keeper.workers.first->name, "4711 loop", "the heir of a keeper names the threads");
	ok(create_reports(&keeper), "the heir of a keeper has a report for each thread");
	is_text(keeper.reports[1].name, "4712 ui", "each report has the name of its thread");
	free(keeper.reports);
	free(keeper.workers.first);
}

int main(void)
{
	user.uid = getuid();
	diag_redirect(note);
	signal(SIGPIPE, SIG_IGN);
	test_no_memory();
	test_names();
	return done();
}
