/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program that runs beside the measurement. The standby starts it, and ends it with all of its descendants, even if
 * the keeper and the meters are dead. If the standby is killed, the keeper kills them.
 */
#ifndef LOAD_LOAD_H
#define LOAD_LOAD_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/cpus.h"
#include "host/privilege.h"

#define LOAD_GRACE_S 5		/* from SIGTERM to the first SIGKILL */
#define LOAD_KILLING_S 10	/* from there until it gives up */

enum load_end {
	LOAD_RUNNING,
	LOAD_ITSELF,			/* it exited or was killed before the run was over */
	LOAD_WITH_RUN,			/* it was ended because the run was over */
	LOAD_WITH_STANDBY,		/* it was killed because the standby was */
};

/* It is in memory that keeper and standby share. */
struct load {
	char **command;			/* NULL: there is no load */
	char cpus[CPUS_TEXT_SIZE];	/* the list of CPUs that it may run on */

	/* set by the standby or, if that is dead, by the keeper */
	pid_t pid;
	int error;			/* errno if it could not be started */
	_Atomic enum load_end end;
	int status;			/* as waitpid() returns it; only with LOAD_ITSELF and LOAD_WITH_RUN */
	uint64_t ended_ns;		/* CLOCK_MONOTONIC */
	_Atomic bool gone;		/* it and all of its descendants have ended */
	char left[96];			/* if not: the processes that cannot be killed; "" until they are known */

	bool over;			/* the run is over, so the load must be gone */
};

/* Look for a program as execvp() does, among those that this user may run. Returns 0 or errno. */
int load_find(const char *name);

/* "exit status 0", "signal 9", "unknown". */
void load_tell_exit(const struct load *load, char *text, size_t size);

/*
 * Write why the load makes the run suspect, or "": it failed, it still exists when the run is over, or it ended
 * before a run that has a limit of its own (limited). from_ns (0: none) and to_ns are the first and the last wake-up.
 */
void load_doubt(const struct load *load, uint64_t from_ns, uint64_t to_ns, bool limited, char *text, size_t size);

/*
 * Loads by name: job files of stress-ng. Those that ship are NAME.job in packaging beside the program or, without
 * that, in share/realfeel below its prefix.
 */

/* Print the names of the loads that ship, each with a description. Returns 0, or -1 after a warning. */
int job_list(void);

/*
 * The command that runs a load silently until it is ended: the shipped load of that name, else the file. Sets *job to
 * the file, and *name to a shipped load's name, or NULL. Valid until the next call; NULL: no such file.
 */
char **job_command(const char *text, const char **job, const char **name);

bool job_is_realtime(const char *file);

/* Would stress-ng run the command's job for this user? Returns false with the last line that it prints. */
bool job_is_accepted(char **command, char *reason, size_t size);

/*
 * For the standby, a subreaper without other children: start the load as the caller (0, or -1 with errno); reap what
 * has ended (true: also the load's first process, with the reason noted); and end it all, which sets load->gone, or
 * names in load->left the processes that cannot be killed.
 */
int load_start(struct load *load, const struct caller *caller, const sigset_t *mask);
bool load_reap(struct load *load, enum load_end why);
void load_finish(struct load *load);

/*
 * For the keeper, a subreaper, when the standby is dead and not yet reaped: kill what is left of the load, but not what
 * was started before the standby or is in the keeper's process group. Sets the same members.
 */
void load_kill_orphans(struct load *load, pid_t standby);

#endif
