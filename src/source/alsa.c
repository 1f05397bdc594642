// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The high-resolution timer of the kernel's sound system (snd-hrtimer), which stamps each expiry before it wakes the
 * reader; no sound card is needed. The machine has one such timer. A second user would start at an expiry of the first,
 * not at its own START, so the timer is taken exclusively.
 */
#include <errno.h>
#include <glob.h>
#include <sound/asound.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/diag.h"
#include "host/sysfile.h"
#include "measure/clock.h"
#include "source/registry.h"

#define DEVICE "/dev/snd/timer"
#define WALL_CLOCK "/sys/module/snd_timer/parameters/timer_tstamp_monotonic"

/* What the last wait served. One is enough: a process is one meter, and the timer has one reader. */
static struct {
	uint64_t stamp_ns;		/* of the last expiry */
	uint64_t left;			/* periods whose stamp asked() has not returned yet */
	uint64_t together;		/* the most recent periods, which all expired at stamp_ns */
} served;

/* The device does not exist, or it has no high-resolution timer. In a container its module may not be visible. */
static int refuse_missing(struct source *source, int error)
{
	const char *device = source->device;
	struct utsname kernel;
	glob_t found;
	bool may_be_loaded;

	uname(&kernel);
	may_be_loaded = !glob(sysfile_path("/lib/modules/%.64s/kernel/sound/core/snd-hrtimer.ko*", kernel.release), 0,
			      NULL, &found);
	globfree(&found);
	source->device = NULL;
	if (may_be_loaded)
		return fail(EXIT_NOT_MEASURED, "open %s: %s: its module is not loaded; modprobe snd-hrtimer", device,
			    strerror(error));
	return fail(EXIT_NO_DEVICE, "open %s: %s: this kernel has no snd-hrtimer module; use a kernel that is not "
		    "built for the cloud, or use --source=nanosleep", device, strerror(error));
}

/* Take the timer, unless another program has it, and set its rate. */
static int alsa_open(struct source *source)
{
	static const char shared[] = "another program uses this timer; end it (/proc/asound/timers names it)";
	struct snd_timer_ginfo info = { .tid = {
		.dev_class = SNDRV_TIMER_CLASS_GLOBAL, .dev_sclass = SNDRV_TIMER_SCLASS_NONE, .card = -1,
		.device = SNDRV_TIMER_GLOBAL_HRTIMER,
	} };
	struct snd_timer_select timer = { .id = info.tid };
	struct snd_timer_params params = {
		.flags = SNDRV_TIMER_PSFLG_AUTO | SNDRV_TIMER_PSFLG_EXCLUSIVE, .ticks = source->period_ns,
		.filter = 1 << SNDRV_TIMER_EVENT_TICK,
	};
	const char *refused = NULL;
	long long is_monotonic;
	int with_stamps = 1, status;

	source->device = source->device ? source->device : DEVICE;
	status = source_takes_rate(source) ? source_open_device(source, ", usually audio") : EXIT_NOT_MEASURED;
	if (status == EXIT_NO_DEVICE && !strcmp(source->device, DEVICE))
		return refuse_missing(source, errno);
	if (status)
		return status;
	if (ioctl(source->fd, SNDRV_TIMER_IOCTL_TREAD, &with_stamps) < 0) {
		refused = "it is not a timer of the sound system; use --source=nanosleep";
	} else if (ioctl(source->fd, SNDRV_TIMER_IOCTL_SELECT, &timer) < 0) {
		if (errno != EBUSY)
			return refuse_missing(source, errno);
		refused = shared;
	} else if (ioctl(source->fd, SNDRV_TIMER_IOCTL_GINFO, &info) < 0 || info.resolution != 1) {
		refused = "it does not count ns: it was loaded without high-resolution timers; use --source=nanosleep";
	} else if (info.clients != 1) {
		refused = shared;
	} else if (sysfile_number(WALL_CLOCK, &is_monotonic) && !is_monotonic) {
		refused = "it stamps with the wall clock; load snd-timer without timer_tstamp_monotonic=0";
	} else if (ioctl(source->fd, SNDRV_TIMER_IOCTL_PARAMS, &params) == 0) {
		return EXIT_MEASURED;
	}
	if (refused)
		return fail(EXIT_NOT_MEASURED, "%s: %s", source->device, refused);
	return fail(EXIT_NOT_MEASURED, "set %u Hz on %s: %m; try another --frequency, or --source=nanosleep",
		    source->hz, source->device);
}

/* The first expiry is one period later, on this process's CPU. */
static int alsa_start(struct source *source)
{
	source->anchor_ns = monotonic_ns();
	if (ioctl(source->fd, SNDRV_TIMER_IOCTL_START) < 0)
		return fail(EXIT_NOT_MEASURED, "start the timer of %s: %m; use --source=nanosleep", source->device);
	source->anchor_uncertainty_ns = monotonic_ns() - source->anchor_ns;
	return 0;
}

/*
 * The ticks of a record are nanoseconds modulo 2^32. They may be more than have passed: an expiry that is late by n
 * periods adds n ticks, which after a long stall can amount to a period. So this never returns more periods than were
 * due at the last stamp, and exactly these if they are more than 2^31 ticks.
 */
static uint64_t periods_of_ticks(const struct source *source, uint64_t due_ns, uint32_t ticks)
{
	uint64_t counted = ticks / source->period_ns, due = 0;

	if (served.stamp_ns >= due_ns)
		due = 1 + (served.stamp_ns - due_ns) / source->period_ns;
	return counted < due && due <= INT32_MAX / source->period_ns ? counted : due;
}

/*
 * The kernel makes one record of all expiries since the last read, with the stamp of the last expiry. A timer that is
 * late by n periods makes up for them at once, one by one: the first of these expiries adds n ticks, the next n - 1,
 * the last none.
 */
static int64_t alsa_wait(struct source *source, uint64_t due_ns)
{
	struct snd_timer_tread record;
	uint64_t periods = 0;
	uint32_t surplus;

	while (!periods) {
		if (read(source->fd, &record, sizeof(record)) < 0)
			return -errno;
		served.stamp_ns = record.tstamp.tv_sec * UINT64_C(1000000000) + record.tstamp.tv_nsec;
		periods = periods_of_ticks(source, due_ns, record.val);
	}
	served.left = periods;
	surplus = record.val - (uint32_t)(periods * source->period_ns);
	for (served.together = 1; served.together < periods && surplus >= served.together; served.together++)
		surplus -= served.together;
	return periods;
}

/*
 * Only the last stamp is known, and how many periods have it. Before these the
 * timer was on time, so each stamp was about a period before the next.
 */
static uint64_t alsa_asked(struct source *source)
{
	uint64_t younger = --served.left;

	return younger < served.together ? served.stamp_ns : served.stamp_ns - younger * source->period_ns;
}

/*
 * A real-time process must not call this: on PREEMPT_RT, closing the last descriptor (exit does that, too) spins until
 * the timer's thread, SCHED_FIFO 1, has finished.
 */
static void alsa_stop(struct source *source)
{
	ioctl(source->fd, SNDRV_TIMER_IOCTL_STOP);
	close(source->fd);
}

const struct source_ops source_alsa = {
	.name = "alsa",
	.measures = SINCE_DUE_AND_STAMP,
	.handler = "snd_hrtimer_callback",
	.max_hz = 1000,			/* the kernel refuses periods below 1 ms */
	.usual_hz = 1000,
	.has_device = true,
	.exclusive = true,
	.in_thread = true,
	.open = alsa_open,
	.start = alsa_start,
	.wait = alsa_wait,
	.asked = alsa_asked,
	.stop = alsa_stop,
};
