// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A load that does what its words say, one after the other:
 *
 * sleep=SECONDS	sleep
 * ignore=N		ignore this signal
 * fork			from here on there are two, and both go on
 * daemon		its child goes on in its place
 * child=SECONDS	start a child that sleeps and ends
 * say=TEXT		write a line to standard error
 * cat=SECONDS		start a child that sleeps, opens the fifo "pipe" and prints what it reads there
 * session		become the leader of a session, if not yet of a process group
 * files=N		have at most so many files open
 * raise=N		send this signal to itself,
 * parent=N		to the parent,
 * grandparent=N	or to the parent's parent
 * exit=N		end with this status
 * again		from the first word
 * exec			become the program that the further words name
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void pause_for(double seconds)
{
	const struct timespec time = { seconds, (seconds - (time_t)seconds) * 1e9 };

	nanosleep(&time, NULL);
}

static void start_child(double seconds)
{
	if (fork())
		return;
	pause_for(seconds);
	_exit(0);
}

/* A reader that is opened without O_NONBLOCK waits for the other end. */
static void start_reader(double seconds)
{
	char bytes[4096];
	ssize_t size;
	int fd;

	if (fork())
		return;
	pause_for(seconds);
	fd = open("pipe", O_RDONLY | O_NONBLOCK);
	fcntl(fd, F_SETFL, 0);
	while ((size = read(fd, bytes, sizeof(bytes))) > 0)
		if (write(STDOUT_FILENO, bytes, size) != size)
			abort();
	_exit(0);
}

static pid_t parent_of(pid_t pid)
{
	char path[32], text[256] = "";
	int fd, parent = 0;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (pread(fd, text, sizeof(text) - 1, 0) < 0 || sscanf(text, "%*d (%*[^)]) %*c %d", &parent) != 1)
		abort();
	close(fd);
	return parent;
}

/* The word begins with the verb and '='. Sets what follows. */
static int is(const char *word, const char *verb, const char **value)
{
	size_t length = strlen(verb);

	*value = word + length + 1;
	return !strncmp(word, verb, length) && word[length] == '=';
}

static void end_and_go_on(void)
{
	if (fork())
		exit(0);
}

static void act(const char *word)
{
	const char *value;

	if (is(word, "sleep", &value))
		pause_for(atof(value));
	else if (is(word, "child", &value))
		start_child(atof(value));
	else if (is(word, "say", &value))
		fprintf(stderr, "%s\n", value);
	else if (is(word, "cat", &value))
		start_reader(atof(value));
	else if (is(word, "ignore", &value))
		signal(atoi(value), SIG_IGN);
	else if (is(word, "files", &value))
		setrlimit(RLIMIT_NOFILE, &(struct rlimit){ atoi(value), atoi(value) });
	else if (is(word, "raise", &value))
		raise(atoi(value));
	else if (is(word, "parent", &value))
		kill(getppid(), atoi(value));
	else if (is(word, "grandparent", &value))
		kill(parent_of(getppid()), atoi(value));
	else if (is(word, "exit", &value))
		exit(atoi(value));
	else if (!strcmp(word, "fork"))
		fork();
	else if (!strcmp(word, "daemon"))
		end_and_go_on();
	else if (!strcmp(word, "session"))
		setsid();
	else
		abort();
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
		if (!strcmp(argv[i], "exec"))
			execvp(argv[i + 1], argv + i + 1);
		if (strcmp(argv[i], "again"))
			act(argv[i]);
		else
			i = 0;
	}
	return 0;
}
