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
};

/* It is on when standard error is a terminal and the user did not ask for quiet. */
struct status status_line(bool quiet, uint64_t samples, uint64_t duration_ns);

void status_show(const struct status *status, const struct totals *totals, uint64_t elapsed_ns);
void status_clear(const struct status *status);

#endif
