/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does this process ever sleep? A real-time one that does not keeps its CPU from all others. */
#ifndef HOST_REST_H
#define HOST_REST_H

#include <stdbool.h>
#include <stdint.h>

struct rest {
	uint64_t since_ns;		/* CLOCK_MONOTONIC */
	uint64_t used_ns;		/* of the CPU's time, up to then */
};

struct rest rest_begin(void);

/* Has it had the CPU for all of the last two seconds, or longer? Then, and when it has not, the next ones begin. */
bool rest_is_lacking(struct rest *rest);

#endif
