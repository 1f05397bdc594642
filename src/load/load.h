/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program that runs beside the measurement. The standby starts it, and ends it
 * with all of its descendants, even if the keeper and the meters are dead. If the
 * standby is killed, the keeper kills them.
 */
#ifndef LOAD_LOAD_H
#define LOAD_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/cpus.h"

enum load_end {
	LOAD_RUNNING,
	LOAD_ITSELF,			/* it exited or was killed before the run was over */
	LOAD_WITH_RUN,			/* it was ended because the run was over */
	LOAD_WITH_STANDBY,		/* it was killed because the standby was */
};

/* In memory that keeper, standby and meters share. */
struct load {
	char **command;			/* NULL: there is no load */
	char cpus[CPUS_TEXT_SIZE];	/* the list of CPUs that it may run on */

	bool measured;			/* it is what is measured, and no load */
	_Atomic bool held;		/* the command waits, before it is executed, until this is false */

	/* set by the standby or, if that is dead, by the keeper */
	pid_t pid;
	int error;			/* errno why it could not be started */
	_Atomic enum load_end end;
	int status;			/* as waitpid() returns it; only with LOAD_ITSELF and LOAD_WITH_RUN */
	uint64_t ended_ns;		/* CLOCK_MONOTONIC */
	_Atomic bool gone;		/* it and all of its descendants have ended */
	char left[96];			/* if not: the processes that cannot be killed; "" until they are known */

	bool over;			/* the run is over, so the load must be gone */
};

/*
 * Look for a program as execvp() does, among those that this user may run.
 * Returns 0 or errno. The interpreter of a script is not looked for.
 */
int load_find(const char *name);

/* "exit status 0", "signal 9", "unknown". */
void load_tell_exit(const struct load *load, char *text, size_t size);

/*
 * Write why the load makes the run doubtful, or "": it failed, it is left when
 * the run is over, or it ended before a run that has a limit of its own
 * (limited). from_ns and to_ns are the first and the last wake-up; from_ns 0: none.
 */
void load_doubt(const struct load *load, uint64_t from_ns, uint64_t to_ns, bool limited,
		char *text, size_t size);

#endif
