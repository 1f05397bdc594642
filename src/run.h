/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The plan of the run: made before anything is measured, and changed by nobody after that. */
#ifndef RUN_H
#define RUN_H

#include "clock.h"
#include "load.h"
#include "options.h"
#include "privilege.h"
#include "symbols.h"
#include "sysinfo.h"

struct run {
	const struct options *options;
	const struct machine *machine;	/* as it was before the run */
	const struct caller *caller;
	const struct clock *clock;	/* as it was calibrated; a meter goes on with a copy */
	const struct load *load;
	struct symbols *symbols;	/* of the kernel, with --explain; a meter forgets them */
	const char *unexplained;	/* why --best-effort does without --explain, or "" */
	const char *preflight;		/* as preflight_run() wrote it */
};

#endif
