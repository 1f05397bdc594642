// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/diag.h"
#include "measure/clock.h"
#include "source/registry.h"

/* What --source may name, besides auto. */
static const struct source_ops *const registry[] = {
	&source_rtc, &source_nanosleep, &source_timerfd, &source_alsa, &source_thread, &source_ring,
	&source_workqueue_global, &source_workqueue_unbound, &source_workqueue_private,
	&source_tasklet, &source_kthread, &source_task, NULL
};

/* "workqueue" names all of its kind; the first is taken. "task:1" is "task" with a target. */
const struct source_ops *source_find(const char *name)
{
	for (const struct source_ops *const *each = registry; *each; each++) {
		const struct source_ops *ops = *each;
		size_t length = ops->takes_target ? strcspn(name, ":") : strlen(name);

		if (!strncmp(ops->name, name, length) && (!ops->name[length] || ops->name[length] == ':'))
			return ops;
	}
	return NULL;
}

static int open_as(struct source *source, const struct source_ops *ops, const char *name, const char *device,
		   const char *threads, unsigned hz, int cpus)
{
	const char *target = ops->takes_target ? strchr(name, ':') : NULL;

	if (ops->exclusive && cpus > 1)
		return fail(EXIT_NOT_MEASURED, "--source=%s: only one process can open it, but %d CPUs need a process "
			    "each; use --source=nanosleep, or name one CPU", ops->name, cpus);
	*source = (struct source){
		.ops = ops, .target = target ? target + 1 : NULL, .wanted = threads, .fd = -1, .hz = hz,
		.period_ns = hz ? 1000000000 / hz : 0, .device = ops->has_device ? device : NULL,
	};
	if (device && !ops->has_device)
		return fail(EXIT_NOT_MEASURED, "--device=%s: --source=%s has no device; leave one of the two out",
			    device, ops->name);
	if (!ops->has_device && !source_takes_rate(source))
		return EXIT_NOT_MEASURED;
	return ops->open ? ops->open(source) : EXIT_MEASURED;
}

/* Several CPUs cannot share an RTC, but a device that the user names must be one. */
int source_open(struct source *source, const char *name, const char *device, const char *threads, unsigned hz, int cpus)
{
	bool any = !strcmp(name, "auto");
	const struct source_ops *ops = any ? &source_rtc : source_find(name);
	int status = EXIT_NO_DEVICE;

	if (!ops)
		return fail(EXIT_NOT_MEASURED, "--source=%s: unknown; use one of " SOURCE_NAMES, name);
	if (!any || cpus <= 1 || device)
		status = open_as(source, ops, name, device, threads, hz, cpus);
	if (any && status == EXIT_NO_DEVICE && !device)
		status = open_as(source, &source_nanosleep, name, device, threads, hz, cpus);
	if (status == EXIT_NO_DEVICE && source->device)
		warn("open %s: %m; use --source=nanosleep", source->device);
	return status;
}

bool source_takes_rate(const struct source *source)
{
	const struct source_ops *ops = source->ops;
	bool other = source->hz > ops->max_hz && source->hz <= SOURCE_TIMER_MAX_HZ;

	if (!ops->max_hz || (source->hz >= 1 && source->hz <= ops->max_hz))
		return true;
	warn("--frequency=%u: --source=%s takes 1 to %u Hz%s", source->hz, ops->name, ops->max_hz,
	     other ? "; use --source=nanosleep for more" : "");
	return false;
}

int source_refuse(const struct source *source, const struct refusal *refusal)
{
	char line[REFUSAL_LINE];

	return fail(refusal->absent ? EXIT_NO_DEVICE : EXIT_NOT_MEASURED, "--source=%s: %s", source->ops->name,
		    refusal_line(refusal, line));
}

int source_refuse_memory(const struct source *source)
{
	return fail(EXIT_NOT_MEASURED, "--source=%s: allocate memory: %m; free some", source->ops->name);
}

bool source_is_absent(int error)
{
	return error == ENOENT || error == ENXIO || error == ENODEV || error == ENOSYS;
}

/* Without O_NONBLOCK, opening a FIFO of that name might never return. */
int source_open_device(struct source *source, const char *group)
{
	source->fd = open(source->device, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (source->fd >= 0) {
		fcntl(source->fd, F_SETFL, 0);
		return EXIT_MEASURED;
	}
	if (source_is_absent(errno))
		return EXIT_NO_DEVICE;
	if (errno == EACCES || errno == EPERM)
		return fail(EXIT_NOT_MEASURED, "open %s: %m; run as root or as a member of the file's group%s",
			    source->device, group);
	if (errno == EBUSY)
		return fail(EXIT_NOT_MEASURED, "open %s: %m; end the program that has it open: fuser -v %s",
			    source->device, source->device);
	return fail(EXIT_NOT_MEASURED, "open %s: %m; name another with --device, or use --source=nanosleep",
		    source->device);
}

/* The anchor is the grid's last instant up to now or, before the grid begins, its first; without a grid, now. */
int source_start_timer(struct source *source)
{
	uint64_t now_ns = monotonic_ns(), first_ns = source->origin_ns + source->phase_ns;

	source->anchor_ns = now_ns;
	source->anchor_uncertainty_ns = 0;
	if (source->origin_ns)
		source->anchor_ns = now_ns < first_ns ? first_ns : now_ns - (now_ns - first_ns) % source->period_ns;
	return 0;
}
