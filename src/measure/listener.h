/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the loop reports each wake-up if wake-ups are to be explained. */
#ifndef MEASURE_LISTENER_H
#define MEASURE_LISTENER_H

#include <stdint.h>

#include "measure/recording.h"
#include "measure/wakelog.h"

struct listener {
	struct wakelog *log;		/* of all wake-ups; NULL: none are explained, and the rest is not used */

	/*
	 * Keep in this slot what the kernel recorded before one of the worst
	 * wake-ups, from a little before due_ns to stamp_ns. If recordings is
	 * NULL, nothing is kept.
	 */
	void (*keep)(const struct listener *listener, struct recordings *recordings, unsigned slot, uint64_t due_ns,
		     uint64_t stamp_ns);
};

#endif
