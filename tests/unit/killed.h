/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Totals whose process is killed while it adds to them. */
#ifndef KILLED_H
#define KILLED_H

#include "measure/totals.h"

struct killed {
	void (*add)(struct totals *totals, struct counters *live, uint64_t number);	/* one buffer more */
	bool (*is_wrong)(struct totals *totals, struct counters *live);		/* what who goes on finds */
};

/* A hundred times, each a bit later: how often it is wrong. */
unsigned killed_wrong(const struct killed *killed, struct counters *live);

#endif
