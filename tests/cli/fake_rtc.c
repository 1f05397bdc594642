// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * An RTC for tests, which LD_PRELOAD puts between a program and the C library.
 * Behind it is a timerfd, so polling, blocking and what two processes share
 * after a fork are the kernel's own. The environment says how it behaves:
 *
 * FAKE_RTC_PATHS		names of the RTC, with ':' between; no other /dev/rtc or /dev/rtc0 exists
 * FAKE_RTC_SILENT_AFTER	reads until the interrupts stop
 * FAKE_RTC_RUSH_AFTER		reads until they return at once
 * FAKE_RTC_LOG			a file for lines "pid policy event value"
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/rtc.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static int timer = -1;		/* the RTC, when it is open */
static unsigned long rate = 1024;
static long reads;

static long setting(const char *name, long otherwise)
{
	const char *text = getenv(name);

	return text ? strtol(text, NULL, 0) : otherwise;
}

static int fail(int error)
{
	errno = error;
	return -1;
}

static void tell(const char *event, unsigned long value)
{
	bool is_ordinary = sched_getscheduler(0) == SCHED_OTHER;
	static FILE *out;

	if (!out && getenv("FAKE_RTC_LOG")) {
		out = fopen(getenv("FAKE_RTC_LOG"), "ae");
		setlinebuf(out);
	}
	if (out)
		fprintf(out, "%d %s %s %lu\n", getpid(), is_ordinary ? "other" : "real-time", event, value);
}

static bool is_ours(const char *path)
{
	const char *names = getenv("FAKE_RTC_PATHS");
	size_t length;

	for (; names && *names; names += length + (names[length] == ':')) {
		length = strcspn(names, ":");
		if (strlen(path) == length && !strncmp(path, names, length))
			return true;
	}
	return false;
}

static int set_timer(uint64_t first_ns, uint64_t period_ns)
{
	const struct itimerspec spec = {
		.it_value = { first_ns / 1000000000, first_ns % 1000000000 },
		.it_interval = { period_ns / 1000000000, period_ns % 1000000000 },
	};

	return timerfd_settime(timer, 0, &spec, NULL);
}

static int open_rtc(int flags)
{
	timer = timerfd_create(CLOCK_MONOTONIC, flags & (TFD_NONBLOCK | TFD_CLOEXEC));
	set_timer(0, 0);
	return timer;
}

int open(const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list args;

	if (is_ours(path))
		return open_rtc(flags);
	if (!strcmp(path, "/dev/rtc") || !strcmp(path, "/dev/rtc0"))
		return fail(ENOENT);
	va_start(args, flags);
	if (flags & O_CREAT)
		mode = va_arg(args, int);
	va_end(args);
	return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));

static int set_rate(unsigned long hz)
{
	if (hz < 1 || hz > 8192)
		return fail(EINVAL);
	rate = hz;
	tell("rate", hz);
	return 0;
}

/* Reporting may take long, so the timer that a schedule is anchored at does not wait for it. */
static int switch_interrupt(bool on)
{
	uint64_t period_ns = on ? 1000000000 / rate : 0;
	int result = set_timer(period_ns, period_ns);

	tell(on ? "on" : "off", rate);
	return result;
}

int ioctl(int fd, unsigned long request, ...)
{
	unsigned long *argument;
	va_list args;

	va_start(args, request);
	argument = va_arg(args, unsigned long *);
	va_end(args);
	if (fd != timer)
		return syscall(SYS_ioctl, fd, request, argument);
	switch (request) {
	case RTC_IRQP_READ:
		*argument = rate;
		return 0;
	case RTC_IRQP_SET:
		return set_rate((unsigned long)argument);
	case RTC_PIE_ON:
	case RTC_PIE_OFF:
		return switch_interrupt(request == RTC_PIE_ON);
	default:
		return fail(ENOTTY);
	}
}

/* The name that 32-bit programs with 64-bit time call. */
int __ioctl_time64(int fd, unsigned long request, ...) __THROW __attribute__((alias("ioctl")));

/* Sleep until a period has passed. Returns how many have, 0 with errno. */
static uint64_t count_interrupts(void)
{
	uint64_t passed;

	if (reads == setting("FAKE_RTC_SILENT_AFTER", -1))
		set_timer(0, 0);
	if (reads >= setting("FAKE_RTC_RUSH_AFTER", LONG_MAX))
		return 1;
	return syscall(SYS_read, timer, &passed, sizeof(passed)) > 0 ? passed : 0;
}

static ssize_t read_rtc(void *buffer, size_t size)
{
	uint64_t count;

	if (size != sizeof(uint32_t) && size != sizeof(long))
		return fail(EINVAL);
	count = count_interrupts();
	if (!count)
		return -1;
	reads++;
	tell("read", count);
	count = count << 8 | (RTC_IRQF | RTC_PF);
	if (size == sizeof(uint32_t))
		*(uint32_t *)buffer = count;
	else
		*(unsigned long *)buffer = count;
	return size;
}

ssize_t read(int fd, void *buffer, size_t size)
{
	return fd >= 0 && fd == timer ? read_rtc(buffer, size) : syscall(SYS_read, fd, buffer, size);
}

/* Whoever is the last to leave the device, by close() or by its end, switches the interrupt off. */
static void leave(int fd)
{
	if (fd < 0 || fd != timer)
		return;
	tell("leave", rate);
	timer = -1;
}

int close(int fd)
{
	leave(fd);
	return syscall(SYS_close, fd);
}

void _exit(int status)
{
	leave(timer);
	for (;;)
		syscall(SYS_exit_group, status);
}
