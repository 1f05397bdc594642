// SPDX-License-Identifier: GPL-2.0-or-later
/* What one process says is heard by another, with a descriptor, in order, and to its end. */
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/lifeline.h"
#include "tap.h"

/* In the child: a byte, one with a pipe that holds "x", and one more. */
static void tell(const struct lifeline *lifeline)
{
	int ends[2];
	bool told;

	close(lifeline->hears);
	told = pipe(ends) == 0 && write(ends[1], "x", 1) == 1 && lifeline_tell(lifeline->tells, -1) &&
	       lifeline_tell(lifeline->tells, ends[0]) && lifeline_tell(lifeline->tells, -1);
	_exit(!told);
}

static void start(struct lifeline *lifeline)
{
	lifeline_open(lifeline);
	if (fork() == 0)
		tell(lifeline);
	close(lifeline->tells);
	wait(NULL);
}

static void test_descriptor(void)
{
	struct lifeline lifeline;
	int descriptor = 0;
	char byte = 0;

	start(&lifeline);
	ok(lifeline_hear(lifeline.hears, &descriptor), "a byte without a descriptor is heard");
	is(descriptor, -1, "no descriptor came with the first byte");
	ok(lifeline_hear(lifeline.hears, &descriptor) && descriptor >= 0, "a byte with a descriptor is heard");
	is(fcntl(descriptor, F_GETFD), FD_CLOEXEC, "the descriptor is closed on exec");
	is(read(descriptor, &byte, 1), 1, "the descriptor can be read");
	is(byte, 'x', "the descriptor has what the other process wrote");
	close(descriptor);
	ok(lifeline_hear(lifeline.hears, &descriptor) && descriptor == -1, "a byte after a descriptor is heard");
	ok(!lifeline_hear(lifeline.hears, &descriptor), "the end of the line is heard");
	close(lifeline.hears);
}

static void test_heard(void)
{
	struct lifeline lifeline;

	lifeline_open(&lifeline);
	ok(lifeline_is_heard(lifeline.tells), "the line is heard while the other end is open");
	close(lifeline.hears);
	ok(!lifeline_is_heard(lifeline.tells), "the line is not heard once the other end is closed");
	close(lifeline.tells);
}

/* The byte is what counts. */
static void test_no_room(void)
{
	struct lifeline lifeline;
	struct rlimit limit;
	int descriptor;

	start(&lifeline);
	getrlimit(RLIMIT_NOFILE, &limit);
	setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 0, limit.rlim_max });
	lifeline_hear(lifeline.hears, &descriptor);
	ok(lifeline_hear(lifeline.hears, &descriptor), "a byte is heard even if there is no room for its descriptor");
	is(descriptor, LIFELINE_NO_ROOM, "a descriptor without room is lost");
	ok(lifeline_hear(lifeline.hears, &descriptor), "a byte is heard after a descriptor was lost");
	setrlimit(RLIMIT_NOFILE, &limit);
	close(lifeline.hears);
}

static void test_nobody(void)
{
	struct lifeline lifeline;

	lifeline_open(&lifeline);
	close(lifeline.hears);
	ok(!lifeline_tell(lifeline.tells, -1), "a byte that nobody can hear fails, and kills nobody");
	close(lifeline.tells);
}

int main(void)
{
	test_descriptor();
	test_heard();
	test_no_room();
	test_nobody();
	return done();
}
