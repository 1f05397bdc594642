/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program that runs beside the measurement, for as long as it lasts. The
 * standby starts it and ends it with all that it started, whatever becomes of
 * keeper and meters; if the standby itself is killed, the keeper does.
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
	LOAD_ITSELF,			/* it ended by itself */
	LOAD_WITH_RUN,			/* it was ended, for the run was over */
	LOAD_WITH_STANDBY,		/* it was killed, for the standby was */
};

/* For all processes of ours: it lives in memory that they share. */
struct load {
	char **command;			/* NULL: there is no load */
	char cpus[CPUS_TEXT_SIZE];	/* that it may run on, as a list */

	/* by the standby */
	pid_t pid;
	int error;			/* errno why it could not be started */
	_Atomic enum load_end end;
	int status;			/* as waitpid() has it; of LOAD_ITSELF and LOAD_WITH_RUN */
	uint64_t ended_ns;		/* CLOCK_MONOTONIC */
	_Atomic bool gone;		/* it and all that it started */
	char left[96];			/* or what cannot be ended; "" while that is being tried */

	bool over;			/* the run, so it is to be gone */
};

/*
 * Look for a program as execvp() does, among those that this user may run.
 * Returns 0 or errno. To run a script, its interpreter must be there, too.
 */
int load_find(const char *name);

/* "exit status 0", "signal 9", "unknown". */
void load_tell_exit(const struct load *load, char *text, size_t size);

/*
 * Write why the load lets the run, up to to_ns, be doubted, "" when it does
 * not: it failed, it is not gone when the run is over, or it ended before the
 * run, which was to last longer (limited). from_ns: the first wake-up; 0: none.
 */
void load_doubt(const struct load *load, uint64_t from_ns, uint64_t to_ns, bool limited,
		char *text, size_t size);

#endif
