// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdbool.h>
#include <string.h>

#include "diag.h"
#include "source.h"

/* What --source may name, besides auto, in the order in which auto tries them. */
static const struct source_ops *const registry[] = {
	&source_rtc, &source_nanosleep, &source_timerfd, NULL
};

static int open_as(struct source *source, const struct source_ops *ops,
		   const char *device, unsigned hz)
{
	*source = (struct source){
		.ops = ops, .fd = -1, .hz = hz, .period_ns = hz ? 1000000000 / hz : 0,
	};
	return ops->open(source, device);
}

int source_open(struct source *source, const char *name, const char *device, unsigned hz)
{
	bool any = !strcmp(name, "auto");
	int status;

	for (const struct source_ops *const *ops = registry; *ops; ops++) {
		if (!any && strcmp((*ops)->name, name))
			continue;
		status = open_as(source, *ops, device, hz);
		if (status != EXIT_NO_DEVICE)
			return status;
		if (!any || device) {
			warn("open %s: %m; use --source=nanosleep", source->device);
			return status;
		}
	}
	warn("--source=%s: unknown; one of auto, rtc, nanosleep, timerfd", name);
	return EXIT_NOT_MEASURED;
}

bool source_takes_rate(const struct source *source)
{
	const struct source_ops *ops = source->ops;
	bool other = source->hz > ops->max_hz && source->hz <= SOURCE_TIMER_MAX_HZ;

	if (source->hz >= 1 && source->hz <= ops->max_hz)
		return true;
	warn("--frequency=%u: --source=%s takes 1 to %u Hz%s", source->hz, ops->name, ops->max_hz,
	     other ? "; use --source=nanosleep for more" : "");
	return false;
}

int source_open_timer(struct source *source, const char *device)
{
	if (device) {
		warn("--device=%s: --source=%s has no device; leave one of the two out",
		     device, source->ops->name);
		return EXIT_NOT_MEASURED;
	}
	return source_takes_rate(source) ? EXIT_MEASURED : EXIT_NOT_MEASURED;
}

int source_start_timer(struct source *source)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	source->anchor_ns = source_ns(&now);
	source->anchor_uncertainty_ns = 0;
	return 0;
}
