/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What came of --explain for one meter: written by it before it measures, in memory that others read. */
#ifndef EXPLAINED_H
#define EXPLAINED_H

#include <stdint.h>

#include "explain_refusal.h"
#include "options.h"

struct explained {
	enum explain_level level;	/* that was granted */
	char refused[REFUSAL_SIZE];		/* why none was, though it was asked for */
	int64_t with_ns, without_ns;	/* the median lateness of trials, with events and without */
	uint32_t parts_size;		/* of the ring of the parts' events, in bytes */
	uint64_t switches, recorded;	/* of tasks during the trials, and how many of them were recorded */
};

#endif
