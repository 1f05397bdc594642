// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs programs for Launcher.pm: to fork a process as large as a test in Perl
 * takes longer than most of them run. A request on standard input is its size, and
 * as many bytes of strings, each with a NUL behind it: the folder to run in, where
 * standard output and standard error go, the number of arguments, these, and the
 * environment. The answer is the status that waitpid() has, once the program and
 * all that it started have ended.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define COUNT 3				/* the number of arguments is this string of the request */
#define STRINGS 1000
#define BYTES (1 << 20)
#define NOT_FOUND (127 << 8)

static void give_up(const char *what)
{
	fprintf(stderr, "launcher: %s\n", what);
	abort();
}

static bool get(void *bytes, size_t size)
{
	ssize_t got;

	for (; size; bytes = (char *)bytes + got, size -= got) {
		got = read(STDIN_FILENO, bytes, size);
		if (got <= 0)
			return false;
	}
	return true;
}

/* The arguments end with NULL, and so does the environment. */
static char **split(char *at, const char *end, char *string[STRINGS])
{
	char **next = string, **arguments_end = string + STRINGS;

	for (; at < end; at += strlen(at) + 1) {
		if (next >= string + STRINGS - 2)
			give_up("a command and its environment have more strings than STRINGS");
		if (next == arguments_end)
			*next++ = NULL;
		if (next == string + COUNT)
			arguments_end = next + 1 + atoi(at);
		*next++ = at;
	}
	*next = NULL;
	return arguments_end + 1;
}

/* In a process group of its own. The last process to end closes the descriptor. Returns -1 if there is no such program. */
static pid_t start(char **string, char **environment, int alive)
{
	static const int usual[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };
	char **arguments = string + COUNT + 1;
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t signals;
	pid_t pid;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addchdir_np(&actions, string[0]);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
		posix_spawn_file_actions_addopen(&actions, fd, string[fd], O_WRONLY | O_CREAT | O_TRUNC, 0666);
	posix_spawn_file_actions_adddup2(&actions, alive, alive);
	sigemptyset(&signals);
	for (size_t i = 0; i < sizeof(usual) / sizeof(*usual); i++)
		sigaddset(&signals, usual[i]);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigdefault(&attributes, &signals);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
	if (posix_spawnp(&pid, *arguments, &actions, &attributes, arguments, environment))
		pid = -1;
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return pid;
}

/* If the test ends before, so does what runs. */
static void wait_for_all(pid_t pid, int ended)
{
	struct pollfd ends[] = { { .fd = STDIN_FILENO }, { .fd = ended } };

	while (!ends[1].revents && poll(ends, 2, -1) > 0)
		if (ends[0].revents) {
			kill(-pid, SIGKILL);
			exit(EXIT_FAILURE);
		}
}

static int run(char **string, char **environment)
{
	int ends[2], status = NOT_FOUND;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		give_up("no pipe");
	pid = start(string, environment, ends[1]);
	close(ends[1]);
	if (pid > 0) {
		wait_for_all(pid, ends[0]);
		waitpid(pid, &status, 0);
	}
	close(ends[0]);
	return status;
}

int main(void)
{
	static char bytes[BYTES], *string[STRINGS];
	uint32_t size;

	while (get(&size, sizeof(size))) {
		int status;

		if (size >= BYTES)
			give_up("a command and its environment are larger than BYTES");
		if (!get(bytes, size))
			break;
		status = run(string, split(bytes, bytes + size, string));
		if (write(STDOUT_FILENO, &status, sizeof(status)) != sizeof(status))
			give_up("no answer can be written");
	}
	return 0;
}
