/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The line on standard error that shows how far the run is. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "totals.h"

struct progress {
	bool on;
	uint64_t samples;		/* that are wanted; 0: no limit */
	uint64_t duration_ns;		/* that is wanted; 0: no limit */
	uint64_t max_ns;		/* the greatest lateness that passes; 0: any */
	bool shared;			/* with a load, which may write to the terminal at any time */
};

/* Can there be one: is standard error a terminal? */
bool progress_possible(void);

/* Never wider than the terminal: what matters least is left out. */
void progress_show(const struct progress *progress, const struct sums *sums, uint64_t elapsed_ns);
void progress_clear(const struct progress *progress);

#endif
