// SPDX-License-Identifier: GPL-2.0-or-later
/* The wall clock is set, and set back before the next look: only the kernel tells that. */
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "host/monitor.h"
#include "tap.h"

static struct monitor monitor;
static bool set;

/* In place of the C library's: the timer is cancelled once when the clock was set. */
ssize_t read(int fd, void *data, size_t size)
{
	if (fd != monitor.clock || !set)
		return syscall(SYS_read, fd, data, size);
	set = false;
	errno = ECANCELED;
	return -1;
}

int main(void)
{
	struct disturbances disturbances;

	monitor_begin(&monitor, false, NULL);
	ok(monitor.clock >= 0, "the monitor has a timer of the wall clock");
	monitor_look(&monitor);
	is(monitor.seen.clock_sets, 0, "no clock is set at first");
	for (int i = 1; i <= 2; i++) {
		set = true;
		monitor_look(&monitor);
		monitor_look(&monitor);
		is(monitor.seen.clock_sets, i, "the clock is set, time %d", i);
	}
	is(monitor.seen.clock_step_ns, 0, "a clock that is set back has no step in the end");
	monitor_end(&monitor, &disturbances);
	is(disturbances.clock_sets, 2, "two sets of the clock are known at the end");
	return done();
}
