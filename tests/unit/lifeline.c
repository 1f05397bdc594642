// SPDX-License-Identifier: GPL-2.0-or-later
/* What one process sends is received by another, with a descriptor, in order, and to its end. */
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/worker.h"
#include "tap.h"

/* In the child: a byte, one with a pipe that holds "x", and one more. */
static void tell(const int ends[2])
{
	int pipes[2];
	bool told;

	close(ends[0]);
	told = pipe(pipes) == 0 && write(pipes[1], "x", 1) == 1 && lifeline_send(ends[1], -1) &&
	       lifeline_send(ends[1], pipes[0]) && lifeline_send(ends[1], -1);
	_exit(!told);
}

static void start(int ends[2])
{
	lifeline_open(ends);
	if (fork() == 0)
		tell(ends);
	close(ends[1]);
	wait(NULL);
}

static void test_descriptor(void)
{
	int ends[2];
	int descriptor = 0;
	char byte = 0;

	start(ends);
	ok(lifeline_receive(ends[0], &descriptor), "a byte without a descriptor is received");
	is(descriptor, -1, "no descriptor came with the first byte");
	ok(lifeline_receive(ends[0], &descriptor) && descriptor >= 0, "a byte with a descriptor is received");
	is(fcntl(descriptor, F_GETFD), FD_CLOEXEC, "the descriptor is closed on exec");
	is(read(descriptor, &byte, 1), 1, "the descriptor can be read");
	is(byte, 'x', "the descriptor has what the other process wrote");
	close(descriptor);
	ok(lifeline_receive(ends[0], &descriptor) && descriptor == -1, "a byte after a descriptor is received");
	ok(!lifeline_receive(ends[0], &descriptor), "the end of the line is received");
	close(ends[0]);
}

static void test_open(void)
{
	int ends[2];

	lifeline_open(ends);
	ok(lifeline_is_open(ends[1]), "a line is open while its other end is");
	close(ends[0]);
	ok(!lifeline_is_open(ends[1]), "a line is not open once its other end is closed");
	close(ends[1]);
}

/* The byte is what counts. */
static void test_no_room(void)
{
	int ends[2];
	struct rlimit limit;
	int descriptor;

	start(ends);
	getrlimit(RLIMIT_NOFILE, &limit);
	setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 0, limit.rlim_max });
	lifeline_receive(ends[0], &descriptor);
	ok(lifeline_receive(ends[0], &descriptor), "a byte is received even if there is no room for its descriptor");
	is(descriptor, LIFELINE_NO_ROOM, "a descriptor without room is lost");
	ok(lifeline_receive(ends[0], &descriptor), "a byte is received after a descriptor was lost");
	setrlimit(RLIMIT_NOFILE, &limit);
	close(ends[0]);
}

static void test_nobody(void)
{
	int ends[2];

	lifeline_open(ends);
	close(ends[0]);
	ok(!lifeline_send(ends[1], -1), "a byte to a process that is dead fails, and kills nobody");
	close(ends[1]);
}

int main(void)
{
	test_descriptor();
	test_open();
	test_no_room();
	test_nobody();
	return done();
}
