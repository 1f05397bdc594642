// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "diag.h"
#include "load.h"
#include "load_descendants.h"
#include "load_reaper.h"

#define SLACK_S 10	/* for a machine that the load keeps busy */
#define PATIENCE_MS ((REAPER_GRACE_S + REAPER_KILLING_S + SLACK_S) * 1000)

struct load *load_create(char **command)
{
	struct load *load = mmap(NULL, sizeof(*load), PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (load == MAP_FAILED)
		return NULL;
	load->command = command;
	load->line = -1;
	return load;
}

/* The line has one end for keeper and meter, so that the reaper hears when both are gone. */
static pid_t fork_reaper(struct reaper *reaper)
{
	int ends[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return -1;
	reaper->line = ends[1];
	reaper->load->line = ends[0];
	pid = fork();
	if (pid == 0)
		load_reaper_run(reaper);
	close(ends[1]);
	return pid;
}

int load_start(struct load *load, const struct caller *caller, const sigset_t *mask)
{
	struct reaper reaper = { .load = load, .caller = caller, .mask = mask };
	char word;

	if (!load->command)
		return 0;
	prctl(PR_SET_CHILD_SUBREAPER, 1);	/* the load is ours when the reaper is killed */
	load->reaper = fork_reaper(&reaper);
	if (load->reaper < 0) {
		warn("start a process for the load: %m; free some");
		return -1;
	}
	if (read(load->line, &word, 1) != 1) {
		warn("the process that starts the load was killed; start again");
		return -1;
	}
	if (!load->error)
		return 0;
	waitpid(load->reaper, NULL, 0);
	errno = load->error;
	warn("start %s: %m; name a program that can be run, after --", load->command[0]);
	return -1;
}

/* The reaper was killed, and with it the load, but not what the load has started: that is ours now. */
static void bury(struct load *load, pid_t meter)
{
	uint64_t patience_ns = monotonic_ns() + REAPER_KILLING_S * UINT64_C(1000000000);
	struct descendants left = { .spared = meter };

	waitpid(load->reaper, NULL, 0);
	load_descendants_kill(&left);
	while (left.count && monotonic_ns() < patience_ns) {
		poll(NULL, 0, left.pause_ms);
		load_descendants_kill(&left);
	}
	load->gone = !left.count;
	load_descendants_tell(&left, load->left, sizeof(load->left));
	if (load->end == LOAD_RUNNING) {
		load->ended_ns = monotonic_ns();
		load->end = LOAD_WITH_REAPER;
	}
}

bool load_listen(struct load *load, pid_t meter)
{
	char word;

	if (read(load->line, &word, 1) == 1)
		return load->end != LOAD_RUNNING;
	close(load->line);
	load->line = -1;
	bury(load, meter);
	return true;
}

/* Returns false when the reaper has neither ended nor been killed in time. A signal may come meanwhile. */
static bool await_reaper(const struct load *load)
{
	struct pollfd event = { .fd = load->line, .events = POLLIN };
	uint64_t patience_ns = monotonic_ns() + PATIENCE_MS * UINT64_C(1000000);
	char word;

	while (monotonic_ns() < patience_ns)
		if (poll(&event, 1, PATIENCE_MS) == 1 && read(load->line, &word, 1) != 1)
			return true;
	return false;
}

void load_finish(struct load *load, pid_t meter)
{
	load->over = true;
	if (load->line < 0)
		return;
	shutdown(load->line, SHUT_WR);
	kill(load->reaper, SIGCONT);	/* somebody may have stopped it */
	if (await_reaper(load) && !load->gone && !*load->left)
		bury(load, meter);
	close(load->line);
	load->line = -1;
	if (waitpid(load->reaper, NULL, WNOHANG) < 0)
		errno = 0;
}

void load_tell_exit(const struct load *load, char *text, size_t size)
{
	bool known = load->end == LOAD_ITSELF || load->end == LOAD_WITH_RUN;

	if (known && WIFEXITED(load->status))
		snprintf(text, size, "exit status %d", WEXITSTATUS(load->status));
	else if (known && WIFSIGNALED(load->status))
		snprintf(text, size, "signal %d", WTERMSIG(load->status));
	else
		snprintf(text, size, "unknown");
}

/* from_ns is 0 where there was no wake-up. */
static void tell_when(const struct load *load, uint64_t from_ns, uint64_t to_ns, char *text, size_t size)
{
	if (!from_ns || load->ended_ns < from_ns)
		snprintf(text, size, "before the first wake-up");
	else
		snprintf(text, size, "after %.3f s of %.3f s", (load->ended_ns - from_ns) / 1e9,
			 (to_ns - from_ns) / 1e9);
}

void load_doubt(const struct load *load, uint64_t from_ns, uint64_t to_ns, bool limited,
		char *text, size_t size)
{
	char exit[32], when[64];

	*text = '\0';
	if (!load->command)
		return;
	load_tell_exit(load, exit, sizeof(exit));
	tell_when(load, from_ns, to_ns, when, sizeof(when));
	if (load->over && !load->gone)
		snprintf(text, size, "%s has not ended with the run%s%s",
			 load->end == LOAD_RUNNING ? "the load" : "what the load started",
			 *load->left ? ": " : "", load->left);
	else if (load->end == LOAD_WITH_REAPER)
		snprintf(text, size, "the load was ended %s: its reaper was killed", when);
	else if (load->end == LOAD_ITSELF && load->status)
		snprintf(text, size, "the load failed %s: %s", when, exit);
	else if (load->end == LOAD_ITSELF && limited && load->ended_ns < to_ns)
		snprintf(text, size, "the load ended %s: %s", when, exit);
}
