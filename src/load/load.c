// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "load/load.h"

static int look_at(const char *file)
{
	struct stat found;

	if (access(file, X_OK) < 0 || stat(file, &found) < 0)
		return errno;
	return S_ISREG(found.st_mode) ? 0 : EACCES;
}

int load_find(const char *name)
{
	const char *folder = getenv("PATH");
	char file[PATH_MAX];
	int error = ENOENT;

	if (!*name || strchr(name, '/'))
		return look_at(name);
	for (folder = folder ? folder : "/bin:/usr/bin"; ; folder++) {
		int length = strcspn(folder, ":"), found;

		snprintf(file, sizeof(file), "%.*s%s%s", length, folder, length ? "/" : "", name);
		found = look_at(file);
		if (found == EACCES)
			error = EACCES;
		folder += length;
		if (!found || !*folder)
			return found ? error : 0;
	}
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

/* from_ns is 0 if there was no wake-up. What is measured ends as it likes. */
static void tell_when(const struct load *load, uint64_t from_ns, uint64_t to_ns, char *text, size_t size)
{
	*text = '\0';
	if (load->measured)
		return;
	if (!from_ns || load->ended_ns < from_ns)
		snprintf(text, size, " before the first wake-up");
	else if (load->ended_ns > to_ns)
		snprintf(text, size, " after the last wake-up");
	else
		snprintf(text, size, " after %.3f s of %.3f s", (load->ended_ns - from_ns) / 1e9,
			 (to_ns - from_ns) / 1e9);
}

void load_doubt(const struct load *load, uint64_t from_ns, uint64_t to_ns, bool limited,
		char *text, size_t size)
{
	const char *what;
	char exit[32], when[64];

	*text = '\0';
	if (!load->command)
		return;
	what = load->measured ? load->command[0] : "the load";
	load_tell_exit(load, exit, sizeof(exit));
	tell_when(load, from_ns, to_ns, when, sizeof(when));
	if (load->over && !load->gone)
		snprintf(text, size, "%s%s has not ended with the run%s%s",
			 load->end == LOAD_RUNNING ? "" : "a process of ", what, *load->left ? ": " : "", load->left);
	else if (load->end == LOAD_WITH_STANDBY)
		snprintf(text, size, "%s was ended%s: the standby was killed", what, when);
	else if (load->end == LOAD_ITSELF && load->status)
		snprintf(text, size, "%s failed%s: %s", what, when, exit);
	else if (load->end == LOAD_ITSELF && limited && !load->measured && load->ended_ns < to_ns)
		snprintf(text, size, "%s ended%s: %s", what, when, exit);
}
