// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A tasklet: the one that sets the keyboard's lights. They are set to the state
 * that they are in, so nothing changes, but the kernel schedules the tasklet.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/kd.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "source/deferred.h"

#define TASKLET_SOFTIRQ 6		/* the kernel's enum in linux/interrupt.h */

static int console;

static int set_lights(void)
{
	unsigned char flags;

	if (ioctl(console, KDGKBLED, &flags) < 0 || ioctl(console, KDSKBLED, (unsigned long)flags) < 0)
		return errno;
	return 0;
}

static const char *open_console(void)
{
	console = open("/dev/tty0", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	return console < 0 || set_lights() ? "the keyboard lights of /dev/tty0" : NULL;
}

static void close_console(void)
{
	close(console);
}

const struct trigger_ops trigger_tasklet = {
	.function = { "kbd_bh" },
	.absent = "use a kernel that has CONFIG_VT, outside containers",
	.denied = "run as root",
	.queued = { "irq/softirq_raise", "vec", TASKLET_SOFTIRQ },
	.executed = { "irq/tasklet_entry", "func", 0 },
	.fallback = { "irq/softirq_entry", "vec", TASKLET_SOFTIRQ },	/* the next best: all tasklets */
	.limit = 1,
	.merged = true,
	.open = open_console,
	.ask = set_lights,
	.close = close_console,
};
