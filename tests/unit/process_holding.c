// SPDX-License-Identifier: GPL-2.0-or-later
/* Who has a file open, and who has not. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/process.h"
#include "tap.h"

/* A process of that name, which has the file open and waits to be killed. Returns when it has. */
static pid_t hold(const char *path, const char *name)
{
	int ready[2];
	char byte;
	pid_t child;

	if (pipe(ready) < 0)
		return -1;
	child = fork();
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		prctl(PR_SET_NAME, name);
		if (open(path, O_RDONLY) >= 0 && write(ready[1], "", 1) == 1)
			pause();
		_exit(1);
	}
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1)
		child = -1;
	close(ready[0]);
	return child;
}

static void let_go(pid_t child)
{
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

static void test_file(const char *path, int fd)
{
	struct process holder;
	pid_t child;

	is(process_holding(path).pid, getpid(), "this process has it open");
	child = hold(path, "two words");
	holder = process_holding(path);
	is(holder.pid, child, "another process has it open, too");
	is_text(holder.name, "two words", "its name");
	close(fd);
	is(process_holding(path).pid, child, "this process has not any more");
	let_go(child);
	is(process_holding(path).pid, 0, "nobody has");
}

/*
 * A device that nobody has: a terminal of our own. Each container numbers its
 * own ones, so one of another may have the same number. Returns NULL where there are none.
 */
static const char *unused_device(void)
{
	const char *path;

	do {
		const int terminal = posix_openpt(O_RDWR | O_NOCTTY);

		path = terminal < 0 || grantpt(terminal) < 0 || unlockpt(terminal) < 0 ? NULL : ptsname(terminal);
	} while (path && process_holding(path).pid);
	return path && access(path, R_OK) == 0 ? path : NULL;
}

/* As /dev/rtc is another name of /dev/rtc0. */
static void test_device(const char *name)
{
	const char *device = unused_device();
	pid_t child;

	if (!device) {
		ok(true, "# SKIP there are no pseudo-terminals here");
		return;
	}
	if (symlink(device, name) < 0)
		exit(1);
	child = hold(device, "device");
	is(process_holding(name).pid, child, "a device by another name");
	let_go(child);
	unlink(name);
}

int main(void)
{
	char path[] = "/tmp/realfeel-holder-XXXXXX";
	int fd = mkstemp(path);

	if (fd < 0)
		return 1;
	test_file(path, fd);
	unlink(path);
	test_device(path);
	is(process_holding("/nowhere").pid, 0, "what does not exist is not open");
	return done();
}
