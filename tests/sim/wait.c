// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Calls that wait. The kernel says whether there is anything to wait for; the wait
 * itself is the world's.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim.h"

/* What a process awaits that waits for the file. */
static uint64_t awaited_of(int fd)
{
	struct stat file;

	if (NEXT(fstat, fd, &file) < 0)
		return FOR_OTHERS;
	if (S_ISFIFO(file.st_mode))
		return file.st_ino;
	return file.st_mode & S_IFMT ? FOR_OTHERS : FOR_EVENTFD;
}

static int look(struct pollfd *events, nfds_t count)
{
	const struct timespec at_once = { 0 };
	int ready = raw(SYS_ppoll, events, count, &at_once, NULL, 0L, UNTRAPPED);

	for (nfds_t i = 0; i < count; i++) {
		const struct descriptor descriptor = descriptor_get(events[i].fd);

		if ((descriptor.kind != RTC && descriptor.kind != GROUP) || ready < 0)
			continue;
		ready -= events[i].revents != 0;
		if (descriptor.kind == RTC)
			events[i].revents = rtc_is_readable() ? POLLIN & events[i].events : 0;
		else if (descriptor.seen != world->group_events)
			events[i].revents |= POLLPRI & events[i].events;
		ready += events[i].revents != 0;
	}
	return ready;
}

/* Only what writes to a terminal or a pipe polls that. */
static uint64_t awaited_of_all(const struct pollfd *events, nfds_t count)
{
	for (nfds_t i = 0; i < count; i++)
		if (events[i].fd >= 0 && awaited_of(events[i].fd) > FOR_EVENTFD)
			return FOR_ANYTHING;
	return count ? FOR_OTHERS : FOR_TIME;
}

int poll(struct pollfd *events, nfds_t count, int ms)
{
	uint64_t until_ns;
	int ready;

	if (!self)
		return raw(SYS_poll, events, count, ms, 0L, 0L, UNTRAPPED);
	if (script_fails("poll"))
		return -1;
	until_ns = ms < 0 ? NEVER : world->now_ns + ms * UINT64_C(1000000);
	while (!(ready = look(events, count)) && world->now_ns < until_ns) {
		if (turn_wait(until_ns, awaited_of_all(events, count))) {
			errno = EINTR;
			return -1;
		}
	}
	return ready;
}

int __poll_chk(struct pollfd *events, nfds_t count, int ms, size_t size)
{
	(void)size;
	return poll(events, count, ms);
}

enum wait { INTERRUPTED = -1, NOT_NEEDED, WAITED, NONBLOCKING };

/* Until a read or a write of the file would not block. INTERRUPTED: errno is set. */
static enum wait await(int fd, short what)
{
	struct pollfd event = { .fd = fd, .events = what };
	enum wait wait = NOT_NEEDED;

	if (NEXT(fcntl, fd, F_GETFL) & O_NONBLOCK)
		return NONBLOCKING;
	while (!look(&event, 1)) {
		wait = WAITED;
		if (turn_wait(NEVER, awaited_of(fd))) {
			errno = EINTR;
			return INTERRUPTED;
		}
	}
	return wait;
}

/* A hop over a pipe takes its time, and what an eventfd wakes is as late as what a timer does. */
static void take_time(int fd, enum wait wait)
{
	uint64_t awaited = wait == NONBLOCKING ? FOR_OTHERS : awaited_of(fd);

	if (awaited == FOR_EVENTFD)
		while (time_wake(world->now_ns + (wait == WAITED)))
			;
	else if (awaited != FOR_OTHERS)
		while (time_sleep(world->now_ns + world->hop_ns + 100 * draw(&self->draws, 10)))
			;
}

ssize_t read(int fd, void *buffer, size_t size)
{
	enum wait wait;

	if (!self)
		return raw(SYS_read, fd, buffer, size);
	if (script_fails("read"))
		return -1;
	if (descriptor_get(fd).kind == TIMER)
		return timer_read(buffer);
	if (descriptor_get(fd).kind == CLOCK)
		return clock_read();
	if (descriptor_get(fd).kind == RTC)
		return rtc_read(buffer, size);
	wait = await(fd, POLLIN);
	if (wait == INTERRUPTED)
		return -1;
	take_time(fd, wait);
	return raw(SYS_read, fd, buffer, size);
}

ssize_t write(int fd, const void *buffer, size_t size)
{
	ssize_t written;

	if (!self)
		return raw(SYS_write, fd, buffer, size);
	if (script_fails("write") || await(fd, POLLOUT) < 0)
		return -1;
	written = raw(SYS_write, fd, buffer, size);
	turn_rouse(awaited_of(fd));
	return written;
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
	ssize_t sent;

	if (script_fails("sendmsg"))
		return -1;
	sent = raw(SYS_sendmsg, fd, message, flags);
	turn_rouse(FOR_OTHERS);
	return sent;
}

ssize_t recvmsg(int fd, struct msghdr *message, int flags)
{
	if (script_fails("recvmsg") || (self && await(fd, POLLIN) < 0))
		return -1;
	return raw(SYS_recvmsg, fd, message, flags, 0L, 0L, UNTRAPPED);
}

int close(int fd)
{
	int result;

	if (script_fails("close"))
		return -1;
	rtc_close(fd);
	descriptor_set(fd, PLAIN, 0);
	result = raw(SYS_close, fd);
	if (self)
		turn_rouse(FOR_ANYTHING);
	return result;
}

static void forget(pid_t dead)
{
	struct process *process = process_of(dead);

	if (process && process->dead)
		process->pid = 0;
}

pid_t waitpid(pid_t pid, int *status, int flags)
{
	pid_t dead;

	if (script_fails("waitpid"))
		return -1;
	for (;;) {
		dead = raw(SYS_wait4, pid, status, self ? flags | WNOHANG : flags, NULL, 0L, UNTRAPPED);
		if (dead > 0 && self)
			forget(dead);
		if (dead || !self || flags & WNOHANG)
			return dead;
		if (turn_wait(NEVER, FOR_OTHERS)) {
			errno = EINTR;
			return -1;
		}
	}
}

int waitid(idtype_t type, id_t id, siginfo_t *info, int flags)
{
	if (script_fails("waitid"))
		return -1;
	for (;;) {
		long result;

		info->si_pid = 0;
		result = raw(SYS_waitid, type, id, info, self ? flags | WNOHANG : flags, NULL, UNTRAPPED);
		if (result || info->si_pid || !self || flags & WNOHANG)
			return result;
		if (turn_wait(NEVER, FOR_OTHERS)) {
			errno = EINTR;
			return -1;
		}
	}
}
