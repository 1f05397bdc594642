/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the loop tells of its wake-ups, where they are to be explained. */
#ifndef MEASURE_LISTENER_H
#define MEASURE_LISTENER_H

#include <stdint.h>

#include "measure/recording.h"
#include "measure/wakelog.h"

struct listener {
	struct wakelog *log;		/* of each wake-up; NULL: nobody wants to know, and what follows is not used */
	int smis;			/* see smis_open() */

	/* Of one of the worst, in this slot: keep what was recorded before it. recordings may be NULL: none are. */
	void (*keep)(const struct listener *listener, struct recordings *recordings, unsigned slot, uint64_t due_ns,
		     uint64_t stamp_ns);
};

#endif
