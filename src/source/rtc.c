// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The real-time clock's periodic interrupt. Since Linux 2.6.38 it is an hrtimer on CLOCK_MONOTONIC: it first expires
 * one period after RTC_PIE_ON, and then keeps to that grid (rtc_pie_update_irq() in drivers/rtc/interface.c).
 */
#include <errno.h>
#include <linux/rtc.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/diag.h"
#include "host/privilege.h"
#include "host/sysfile.h"
#include "measure/clock.h"
#include "source/registry.h"

#define USER_MAX_HZ 4095	/* the most that max_user_freq takes */

static unsigned long former_hz;	/* read by the keeper, restored by whichever process stops the RTC */

/* The rate is above max_user_freq, the limit without CAP_SYS_RESOURCE. */
static int refuse_user_rate(const struct source *source)
{
	const char *path = sysfile_of_rtc(source->device, "max_user_freq");
	char now[32] = "", raise[160] = "";
	long long limit;

	if (sysfile_number(path, &limit))
		snprintf(now, sizeof(now), " (now %lld)", limit);
	if (source->hz <= USER_MAX_HZ)
		snprintf(raise, sizeof(raise), ", or raise %s%s to %u", path, now, source->hz);
	return fail(EXIT_NOT_MEASURED, "set %u Hz on %s: %s; %s%s", source->hz, source->device, strerror(EACCES),
		    privilege_remedy("CAP_SYS_RESOURCE"), raise);
}

/*
 * udev makes the first name, the kernel itself the second. If the device cannot be opened, also report that its rate
 * would be refused.
 */
static int rtc_open(struct source *source)
{
	bool named = source->device;
	long long limit;
	int status;

	source->device = named ? source->device : "/dev/rtc";
	status = source_open_device(source, "");
	if (status == EXIT_NO_DEVICE && !named) {
		source->device = "/dev/rtc0";
		status = source_open_device(source, "");
	}
	if (status == EXIT_NOT_MEASURED && source_takes_rate(source) &&
	    sysfile_number(sysfile_of_rtc(source->device, "max_user_freq"), &limit) && source->hz > limit &&
	    !privilege_held(CAP_SYS_RESOURCE))
		refuse_user_rate(source);
	if (status)
		return status;
	if (ioctl(source->fd, RTC_IRQP_READ, &former_hz) < 0)
		return fail(EXIT_NOT_MEASURED, "%s is not an RTC with a periodic interrupt: %m; name one with --device",
			    source->device);
	if (!source_takes_rate(source))
		return EXIT_NOT_MEASURED;
	if (ioctl(source->fd, RTC_IRQP_SET, (unsigned long)source->hz) == 0)
		return EXIT_MEASURED;
	if (errno == EACCES)
		return refuse_user_rate(source);
	return fail(EXIT_NOT_MEASURED, "set %u Hz on %s: %m; try another --frequency, or --source=nanosleep",
		    source->hz, source->device);
}

/* Interrupts of an earlier user stay counted after RTC_PIE_OFF, and would make the first read return at once. */
static int rtc_start(struct source *source)
{
	struct pollfd pending = { .fd = source->fd, .events = POLLIN };
	unsigned long word;

	if (poll(&pending, 1, 0) > 0 && read(source->fd, &word, sizeof(word)) <= 0)
		return fail(EXIT_NOT_MEASURED, "read %s: %m; use --source=nanosleep", source->device);
	source->anchor_ns = monotonic_ns();
	if (ioctl(source->fd, RTC_PIE_ON, 0) < 0)
		return fail(EXIT_NOT_MEASURED, "switch on the periodic interrupt of %s: %m; use --source=nanosleep",
			    source->device);
	source->anchor_uncertainty_ns = monotonic_ns() - source->anchor_ns;
	return 0;
}

/* The word holds the kinds of interrupts since the last read in its low 8 bits, and above them their number: rtc(4). */
static int64_t rtc_wait(struct source *source, uint64_t due_ns)
{
	unsigned long word;

	(void)due_ns;
	if (read(source->fd, &word, sizeof(word)) < 0)
		return -errno;
	if ((word & 0xff) != (RTC_IRQF | RTC_PF))
		source->figures.other_interrupts++;
	return word >> 8;
}

/*
 * Switches the interrupt off and puts the rate back. On PREEMPT_RT, RTC_PIE_OFF spins until the timer's thread,
 * SCHED_FIFO 1, has finished; so does RTC_IRQP_SET while the interrupt is on (the loops around rtc_update_hrtimer() in
 * drivers/rtc/interface.c). A real-time process that calls them can wait for ever, and the machine with it.
 */
static void rtc_stop(struct source *source)
{
	ioctl(source->fd, RTC_PIE_OFF, 0);
	if (ioctl(source->fd, RTC_IRQP_SET, former_hz) < 0)
		warn("restore %s to %lu Hz: %m; set the rate in the program that needs it", source->device, former_hz);
	close(source->fd);
}

const struct source_ops source_rtc = {
	.name = "rtc",
	.handler = "rtc_pie_update_irq",
	.max_hz = 8192,
	.usual_hz = SOURCE_USUAL_HZ,
	.has_device = true,
	.exclusive = true,
	.needs = UINT64_C(1) << CAP_SYS_RESOURCE,	/* to put the rate back */
	.in_thread = true,
	.open = rtc_open,
	.start = rtc_start,
	.wait = rtc_wait,
	.stop = rtc_stop,
};
