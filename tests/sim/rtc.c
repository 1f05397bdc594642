// SPDX-License-Identifier: GPL-2.0-or-later
/* An RTC with a periodic interrupt, which first comes one period after it was switched on. */
#include <errno.h>
#include <fcntl.h>
#include <linux/rtc.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sim.h"

#define ROWS 24				/* of the terminal */

static void note(const char *what, unsigned long value)
{
	world_log("%s rtc %s %lu, %s", self->name, what, value, self->policy ? "real-time" : "ordinary");
}

/* A file that nothing is read from stands for the device. */
int rtc_open(void)
{
	if (script_fails("rtc_open"))
		return -1;
	return descriptor_set(raw(SYS_openat, AT_FDCWD, "/dev/null", O_RDONLY | O_CLOEXEC), RTC, 0);
}

void rtc_close(int fd)
{
	if (self && descriptor_get(fd).kind == RTC)
		note("leave", world->rtc.hz);
}

void rtc_leave(void)
{
	for (int fd = 0; fd < DESCRIPTORS; fd++)
		rtc_close(fd);
}

bool rtc_names(const char *path)
{
	size_t length;

	for (const char *names = world->rtc.paths; *names; names += length + (names[length] == ':')) {
		length = strcspn(names, ":");
		if (strlen(path) == length && !strncmp(path, names, length))
			return true;
	}
	return false;
}

static uint64_t period_ns(void)
{
	return SECOND / world->rtc.hz;
}

bool rtc_is_readable(void)
{
	return world->rtc.stale || (world->rtc.on && !world->rtc.silent && world->rtc.due_ns <= world->now_ns);
}

/* How many interrupts have come. Returns 0 with errno when a signal came first. */
static unsigned long await_interrupt(void)
{
	unsigned long count = world->rtc.stale;

	world->rtc.stale = 0;
	if (count)
		return count;
	if (world->rtc.rushes)
		return ++self->wakeups > 0;
	errno = world->rtc.silent ? time_sleep(NEVER) : time_wake(world->rtc.due_ns);
	if (errno)
		return 0;
	count = 1 + (world->now_ns - world->rtc.due_ns) / period_ns();
	world->rtc.due_ns += count * period_ns();
	return count;
}

ssize_t rtc_read(void *buffer, size_t size)
{
	unsigned long count = await_interrupt();

	if (!count)
		return -1;
	*(unsigned long *)buffer = count << 8 | world->rtc.low_byte;
	return size;
}

static int set_rate(unsigned long hz)
{
	if (hz < 1 || hz > 8192) {
		errno = EINVAL;
		return -1;
	}
	world->rtc.hz = hz;
	note("rate", hz);
	return 0;
}

static int switch_interrupt(bool on)
{
	world->rtc.on = on;
	world->rtc.due_ns = world->now_ns + period_ns();
	note(on ? "on" : "off", world->rtc.hz);
	return 0;
}

int ioctl(int fd, unsigned long request, ...)
{
	unsigned long *argument;
	va_list args;

	va_start(args, request);
	argument = va_arg(args, unsigned long *);
	va_end(args);
	if (self && request == TIOCGWINSZ && world->columns) {
		*(struct winsize *)argument = (struct winsize){ .ws_row = ROWS, .ws_col = world->columns };
		return 0;
	}
	if (!self || descriptor_get(fd).kind != RTC)
		return raw(SYS_ioctl, fd, request, argument);
	if (script_fails("ioctl"))
		return -1;
	switch (request) {
	case RTC_IRQP_READ: *argument = world->rtc.hz; return 0;
	case RTC_IRQP_SET: return set_rate((unsigned long)argument);
	case RTC_PIE_ON: return switch_interrupt(true);
	case RTC_PIE_OFF: return switch_interrupt(false);
	default: errno = ENOTTY; return -1;
	}
}
