// SPDX-License-Identifier: GPL-2.0-or-later
/* Who has a file open, and who has not. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/holder.h"
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
	struct holder holder;
	pid_t child;

	ok(holder_find(path, &holder) && holder.pid == getpid(), "this process has it open");
	child = hold(path, "two words");
	if (ok(holder_find(path, &holder), "somebody has it open")) {
		is(holder.pid, child, "the process");
		is_text(holder.name, "two words", "and its name");
	}
	close(fd);
	is(holder_find(path, &holder) ? holder.pid : 0, child, "this process has not any more");
	let_go(child);
	ok(!holder_find(path, &holder), "nobody has");
}

/* As /dev/rtc is another name of /dev/rtc0. */
static void test_device(const char *name)
{
	struct holder holder;
	pid_t child;

	if (symlink("/dev/full", name) < 0)
		exit(1);
	child = hold("/dev/full", "full");
	ok(holder_find(name, &holder) && holder.pid == child, "a device by another name");
	let_go(child);
	unlink(name);
}

int main(void)
{
	char path[] = "/tmp/realfeel-holder-XXXXXX";
	int fd = mkstemp(path);
	struct holder holder;

	if (fd < 0)
		return 1;
	test_file(path, fd);
	unlink(path);
	test_device(path);
	ok(!holder_find("/nowhere", &holder), "what does not exist is not open");
	return done();
}
