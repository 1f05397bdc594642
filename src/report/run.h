/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The plan of the run, made before the measurement. What it points to is constant afterwards, but for the load. */
#ifndef REPORT_RUN_H
#define REPORT_RUN_H

#include "base/options.h"
#include "explain/tap.h"
#include "host/privilege.h"
#include "host/sysinfo.h"
#include "load/load.h"
#include "measure/clock.h"
#include "trace/symbols.h"

struct run {
	const struct options *options;
	const struct machine *machine;	/* before the run */
	const struct caller *caller;
	struct clock *clock;		/* as calibrated; a meter uses a copy */
	struct load *load;
	struct symbols *symbols;	/* of the kernel, with --explain=stacks; a meter forgets them */
	char *unexplained;		/* REFUSAL_CLAUSE bytes: why --best-effort does without --explain, or "" */
	struct flights *flights;	/* what has each CPU, with --explain of another program */
	char *preflight;		/* flaws of the machine, as findings_look() wrote them */
};

#endif
