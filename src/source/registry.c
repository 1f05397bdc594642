// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdbool.h>
#include <string.h>

#include "base/diag.h"
#include "measure/clock.h"
#include "source/registry.h"

/* What --source may name, besides auto, in the order in which auto tries them. */
static const struct source_ops *const registry[] = {
	&source_rtc, &source_nanosleep, &source_timerfd, &source_alsa, &source_thread, &source_ring,
	&source_workqueue_global, &source_workqueue_unbound, &source_workqueue_private,
	&source_tasklet, &source_kthread, NULL
};

/* Where there are several of a kind, as in "workqueue:global", the first of them goes by that of the kind, too. */
static bool is_named(const struct source_ops *ops, const char *name)
{
	size_t length = strlen(name);

	return !strncmp(ops->name, name, length) && (!ops->name[length] || ops->name[length] == ':');
}

static int open_as(struct source *source, const struct source_ops *ops,
		   const char *device, unsigned hz)
{
	*source = (struct source){
		.ops = ops, .fd = -1, .hz = hz, .period_ns = hz ? 1000000000 / hz : 0,
	};
	return ops->open(source, device);
}

static int refuse_several(const struct source_ops *ops, int cpus)
{
	warn("--source=%s: only one process may have it, and %d CPUs need one each; use --source=nanosleep, "
	     "or name one CPU", ops->name, cpus);
	return EXIT_NOT_MEASURED;
}

const struct source_ops *source_find(const char *name)
{
	for (const struct source_ops *const *ops = registry; *ops; ops++)
		if (is_named(*ops, name))
			return *ops;
	return NULL;
}

int source_open(struct source *source, const char *name, const char *device, unsigned hz, int cpus)
{
	bool any = !strcmp(name, "auto"), passed_over = false;
	int status;

	for (const struct source_ops *const *ops = registry; *ops; ops++) {
		if (!any && !is_named(*ops, name))
			continue;
		if ((*ops)->exclusive && cpus > 1) {
			if (!any || device)
				return refuse_several(*ops, cpus);
			passed_over = true;
			continue;
		}
		status = open_as(source, *ops, device, hz);
		source->passed_over = passed_over;
		if (status != EXIT_NO_DEVICE)
			return status;
		if (!any || device) {
			if (source->device)
				warn("open %s: %m; use --source=nanosleep", source->device);
			return status;
		}
	}
	warn("--source=%s: unknown; one of " SOURCE_NAMES, name);
	return EXIT_NOT_MEASURED;
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

int source_open_no_device(struct source *source, const char *device)
{
	if (device) {
		warn("--device=%s: --source=%s has no device; leave one of the two out",
		     device, source->ops->name);
		return EXIT_NOT_MEASURED;
	}
	return source_takes_rate(source) ? EXIT_MEASURED : EXIT_NOT_MEASURED;
}

void source_stop_nothing(struct source *source)
{
	(void)source;
}

/* The last instant of the grid that is not after now; before the grid begins, its first. */
static uint64_t anchor_on_grid(const struct source *source, uint64_t now_ns)
{
	uint64_t first_ns = source->origin_ns + source->phase_ns;

	return now_ns < first_ns ? first_ns : now_ns - (now_ns - first_ns) % source->period_ns;
}

int source_start_timer(struct source *source)
{
	source->anchor_ns = monotonic_ns();
	if (source->origin_ns)
		source->anchor_ns = anchor_on_grid(source, source->anchor_ns);
	source->anchor_uncertainty_ns = 0;
	return 0;
}
