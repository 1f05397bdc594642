// SPDX-License-Identifier: GPL-2.0-or-later
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"
#include "host/privilege.h"
#include "host/process.h"
#include "source/registry.h"

static pid_t meter;		/* set in a child */

/*
 * Above all it closes the meter's lifeline, whose end of file must show the keeper that the meter has ended. The keeper
 * acts on signals to the whole process group, and the handler of SIGCONT is for the meter alone. Privileges
 * are dropped before the parent-death signal is requested: the kernel sends none to a child with more rights than the
 * meter has, and forgets the request when a process changes its user.
 */
static void become_child(const struct source *source, const int *kept, unsigned count)
{
	struct dirent *entry;
	sigset_t blocked;
	DIR *all;

	sigemptyset(&blocked);
	sigaddset(&blocked, SIGTERM);
	sigaddset(&blocked, SIGALRM);
	sigaddset(&blocked, SIGCHLD);
	sigprocmask(SIG_BLOCK, &blocked, NULL);
	signal(SIGCONT, SIG_DFL);
	all = opendir("/proc/self/fd");
	while (all && (entry = readdir(all))) {
		int descriptor = atoi(entry->d_name);
		unsigned i = 0;

		while (i < count && kept[i] != descriptor)
			i++;
		if (i == count && descriptor > STDERR_FILENO && descriptor != dirfd(all))
			close(descriptor);
	}
	if (all)
		closedir(all);
	if (!source->unlocked)
		mlockall(MCL_CURRENT | MCL_FUTURE);
	privilege_drop(source->caller, 0, false);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!source_child_is_wanted())
		_exit(EXIT_NOT_MEASURED);
}

pid_t source_fork(const struct source *source, const int *kept, unsigned count)
{
	pid_t parent = getpid(), child = fork();

	if (child == 0) {
		meter = parent;
		become_child(source, kept, count);
	} else if (child > 0) {
		source->children->pid[source->children->count++] = child;
		if (!source->unlocked)
			mlockall(MCL_CURRENT | MCL_FUTURE);	/* the fork shares pages: writing to one would fault */
	} else {
		warn("--source=%s: start a process: %m; end some others", source->ops->name);
	}
	return child;
}

bool source_child_is_wanted(void)
{
	return getppid() == meter;
}

void source_end_children(struct source *source)
{
	const struct children *children = source->children;

	for (unsigned i = 0; i < children->count; i++)
		kill(children->pid[i], SIGKILL);
	for (unsigned i = 0; i < children->count; i++)
		while (waitpid(children->pid[i], NULL, 0) < 0 && errno == EINTR)
			;
}
