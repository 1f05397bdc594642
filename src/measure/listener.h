/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the loop reports each wake-up if wake-ups are to be explained. */
#ifndef MEASURE_LISTENER_H
#define MEASURE_LISTENER_H

#include <stdint.h>

#include "measure/events.h"
#include "measure/recording.h"
#include "measure/wakelog.h"

struct listener {
	struct wakelog *log;		/* of all wake-ups; NULL: none are explained, and the rest is not used */

	/*
	 * Keep in this slot what the kernel recorded on its CPU before one of the
	 * worst wake-ups, from a little before it was due to its stamp. If
	 * recordings is NULL, nothing is kept.
	 */
	void (*keep)(const void *tap, struct recordings *recordings, unsigned slot, const struct event *wakeup);
	const void *tap;		/* for keep() */
};

#endif
