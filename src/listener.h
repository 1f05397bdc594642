/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the loop tells of its wake-ups, where they are to be explained. */
#ifndef LISTENER_H
#define LISTENER_H

#include <stdint.h>

#include "recording.h"
#include "wakelog.h"

struct listener {
	struct wakelog *log;		/* of each wake-up; NULL: nobody wants to know, and what follows is not used */
	int smis;			/* see smis_open() */

	/* Of one of the worst: keep what was recorded before it. recording may be NULL: there is no room. */
	void (*keep)(const struct listener *listener, struct recording *recording, uint64_t due_ns, uint64_t stamp_ns);
};

#endif
