/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a process asked of the scheduler and of the memory, and what came of it. */
#ifndef HOST_RIGHTS_H
#define HOST_RIGHTS_H

#include "base/cpus.h"

struct rights {
	char granted[CPUS_TEXT_SIZE + 512];	/* lines "key: value" of realfeel(5), or "" */
	char refused[256];		/* what was asked and refused, as one clause, or "" */
};

#endif
