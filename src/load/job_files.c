// SPDX-License-Identifier: GPL-2.0-or-later
/* Loads by name, and whether they can be run. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"
#include "host/sysfile.h"
#include "load/load.h"

#define ENDING ".job"
#define WORDS_MAX 16

static int look_at(const char *file)
{
	struct stat found;
	bool is_there = access(file, X_OK) == 0 && stat(file, &found) == 0;

	return !is_there ? errno : S_ISREG(found.st_mode) ? 0 : EACCES;
}

int load_find(const char *name)
{
	const char *path = getenv("PATH");
	char *folders, *rest, *folder, file[PATH_MAX];
	int error = ENOENT;

	if (!*name || strchr(name, '/'))
		return look_at(name);
	rest = folders = strdup(path ? path : "/bin:/usr/bin");
	while (error && (folder = strsep(&rest, ":"))) {
		int found;

		snprintf(file, sizeof(file), "%s%s%s", folder, *folder ? "/" : "", name);
		found = look_at(file);
		if (!found || found == EACCES)
			error = found;
	}
	free(folders);
	return error;
}

static const char *find_folder(void)
{
	static char folder[PATH_MAX];
	char own[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", own, sizeof(own) - 1);

	own[length < 0 ? 0 : length] = '\0';
	snprintf(folder, sizeof(folder), "%s/packaging", dirname(own));
	if (access(folder, F_OK) < 0)
		snprintf(folder, sizeof(folder), "%s/share/realfeel", dirname(own));
	return folder;
}

int job_list(void)
{
	const char *folder = find_folder();
	struct dirent **entries;
	int count = scandir(folder, &entries, NULL, alphasort);

	if (count < 0) {
		warn("no loads are installed: %s: %m; give --load a stress-ng job file", folder);
		return -1;
	}
	for (int i = 0; i < count; free(entries[i++])) {
		const char *file = entries[i]->d_name;
		char line[128];

		if (fnmatch("?*" ENDING, file, 0))
			continue;
		sysfile_value(sysfile_path("%s/%s", folder, file), "# Load", line, sizeof(line));
		printf("%-8.*s%s\n", (int)(strlen(file) - strlen(ENDING)), file, line);
	}
	free(entries);
	return 0;
}

/* Without a timeout stress-ng ends after a day. It checks its usual folder first, even if the job names another. */
char **job_command(const char *text, const char **job, const char **name)
{
	static char file[PATH_MAX];
	static char *given[] = { "stress-ng", "--quiet", "--timeout", "0", "--job", file, NULL };
	static char *shipped[] = {
		"stress-ng", "--quiet", "--timeout", "0", "--temp-path", "/dev/shm", "--job", file, NULL
	};

	*job = file;
	snprintf(file, sizeof(file), "%s/%s" ENDING, find_folder(), text);
	*name = !strchr(text, '/') && access(file, F_OK) == 0 ? text : NULL;
	if (!*name)
		snprintf(file, sizeof(file), "%s", text);
	return *name ? shipped : access(file, F_OK) == 0 ? given : NULL;
}

bool job_is_realtime(const char *file)
{
	char policy[32];

	sysfile_value(file, "sched ", policy, sizeof(policy));
	return !strncmp(policy, "rr", 2) || !strncmp(policy, "fifo", 4);
}

/* In the child: the command is executed as a trial, which is not silent. */
__attribute__((noreturn))
static void try_command(char **command, int output)
{
	char *trial[WORDS_MAX] = { command[0], "--dry-run" };

	dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
	dup2(output, STDOUT_FILENO);
	dup2(output, STDERR_FILENO);
	for (int i = 2; command[i]; i++)
		trial[i] = command[i];
	execvp(trial[0], trial);
	_exit(127);
}

bool job_is_accepted(char **command, char *reason, size_t size)
{
	char line[256];
	int ends[2], status = -1;
	FILE *lines;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0 || (pid = fork()) < 0) {
		snprintf(reason, size, "it cannot be tried: %m");
		return false;
	}
	if (pid == 0)
		try_command(command, ends[1]);
	close(ends[1]);
	snprintf(reason, size, "it fails and says nothing");
	lines = fdopen(ends[0], "r");
	while (lines && fgets(line, sizeof(line), lines)) {
		/* The words of a line follow the program, the kind of the line and the process. */
		const char *words = strncmp(line, "stress-ng: ", 11) ? NULL : strstr(line, "] ");

		line[strcspn(line, "\n")] = '\0';
		snprintf(reason, size, "%s", words ? words + 2 : line);
	}
	if (lines)
		fclose(lines);
	return waitpid(pid, &status, 0) == pid && status == 0;
}
