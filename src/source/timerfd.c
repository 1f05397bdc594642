// SPDX-License-Identifier: GPL-2.0-or-later
/* A periodic timer read from a file descriptor: each read returns how many periods have passed since the last. */
#include <errno.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/instant.h"
#include "source/registry.h"

/* The keeper only checks that the kernel has timerfd: each meter creates its own. */
static int timerfd_open(struct source *source)
{
	source->fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	return source->fd < 0 ? fail(EXIT_NOT_MEASURED, "timerfd_create: %m; use --source=nanosleep") : EXIT_MEASURED;
}

static int timerfd_start(struct source *source)
{
	struct itimerspec timer = { .it_interval = timespec_from(source->period_ns) };

	source_start_timer(source);
	timer.it_value = timespec_from(source->anchor_ns + source->period_ns);
	close(source->fd);
	if (timerfd_open(source))
		return EXIT_NOT_MEASURED;
	if (timerfd_settime(source->fd, TFD_TIMER_ABSTIME, &timer, NULL) < 0)
		return fail(EXIT_NOT_MEASURED, "timerfd_settime: %m; use --source=nanosleep");
	return EXIT_MEASURED;
}

static int64_t timerfd_wait(struct source *source, uint64_t due_ns)
{
	uint64_t periods;

	(void)due_ns;
	return read(source->fd, &periods, sizeof(periods)) < 0 ? -errno : (int64_t)periods;
}

const struct source_ops source_timerfd = {
	.name = "timerfd",
	.handler = "timerfd_tmrproc",
	.max_hz = SOURCE_TIMER_MAX_HZ,
	.usual_hz = SOURCE_USUAL_HZ,
	.in_thread = true,
	.open = timerfd_open,
	.start = timerfd_start,
	.wait = timerfd_wait,
};
