/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Puts the records of several rings in the order of time. Pure; the memory is the caller's. */
#ifndef SOURCE_TASK_ORDER_H
#define SOURCE_TASK_ORDER_H

#include "source/task_timers.h"

struct task_order {
	struct task_place {
		struct task_record record;
		uint64_t number;	/* in the order of task_order_put() */
	} *place;			/* a heap, the earliest at its top */
	unsigned room, count;
	uint64_t put;
	uint64_t taken_ns;		/* up to here all was taken */
	uint64_t lost_ns;		/* behind all records that found no room or came too late; 0: none did */
};

/* Room for so many records, at least 1. */
void task_order_init(struct task_order *order, struct task_place *place, unsigned room);

/*
 * Put a record in its place. Records of one ring are to be put in their order. A
 * record that is earlier than what was taken, or that finds no room, is lost.
 */
void task_order_put(struct task_order *order, const struct task_record *record);

/*
 * Take the earliest record, if it is before until_ns. At the same time, a timer's
 * expiry comes before other records, and the return of its function behind them.
 * When records were lost, the next one is TASK_LOST.
 */
bool task_order_take(struct task_order *order, uint64_t until_ns, struct task_record *record);

#endif
