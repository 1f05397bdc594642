// SPDX-License-Identifier: GPL-2.0-or-later
/* The keeper was killed, and there is no memory to report what was measured: the sources are stopped all the same. */
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

static void note(const char *message)
{
	strncat(said, message, sizeof(said) - strlen(said) - 1);
}

/* A compiler would replace malloc() and memset() by calloc(), which is ours. */
static void *(*volatile allocate)(size_t) = malloc;

/* In place of the C library's. */
void *calloc(size_t count, size_t size)
{
	void *memory = size == sizeof(struct report) ? NULL : allocate(count * size);

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

int main(void)
{
	const struct options options = { .cpus = { .count = 2, .number = { 4, 5 } } };
	const struct source_ops ops = { .name = "fake", .stop = stop };
	struct source source = { .ops = &ops, .hz = 1000, .period_ns = 1000000, .fd = -1 };
	struct caller caller = { .uid = getuid() };
	struct load load = { .command = NULL };
	struct report_file file = { .base = "", .reserve = -1, .folder = -1 };
	const struct run run = { .options = &options, .load = &load, .caller = &caller };
	struct keeper keeper = { .run = &run, .file = &file, .source = &source, .standby = { .load = &load, .caller = &caller } };

	diag_redirect(note);
	signal(SIGPIPE, SIG_IGN);
	if (workers_open(&keeper.workers, &options, &source, NULL) < 0)
		exit(1);
	keeper.standby.line = line_to_the_dead();
	keeper.workers.first->channel->measuring = true;
	is(stand_by(&keeper), EXIT_NOT_MEASURED, "a takeover without memory reports nothing");
	ok(strstr(said, "allocate memory"), "a takeover without memory says so: %s", said);
	is(stopped, 2, "each source is stopped if memory is missing");
	free(keeper.workers.first);
	return done();
}
