/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The line on standard error that shows how far the run is. */
#ifndef STATUS_H
#define STATUS_H

#include <stdbool.h>
#include <stdint.h>

#include "ledger.h"

struct status {
	bool on;
	uint64_t samples;		/* that are wanted; 0: no limit */
	uint64_t duration_ns;		/* that is wanted; 0: no limit */
	uint64_t max_ns;		/* the greatest lateness that passes; 0: any */
	bool shared;			/* with a load, which may write to the terminal at any time */
};

/* Can there be one: is standard error a terminal? */
bool status_possible(void);

/* Never wider than the terminal: what matters least is left out. */
void status_show(const struct status *status, const struct totals *totals, uint64_t elapsed_ns);
void status_clear(const struct status *status);

#endif
