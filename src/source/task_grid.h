/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether the instants at which a thread is to be woken lie on a grid: so many
 * of them follow each other by the same time. Pure, and of fixed size.
 */
#ifndef SOURCE_TASK_GRID_H
#define SOURCE_TASK_GRID_H

#include <stdint.h>

#define GRID_STEPS 16

struct task_grid {
	uint64_t period_ns;		/* the median of the last steps; 0: there is no grid */
	uint64_t missed;		/* instants of the grid at which nothing was due, though later something was */

	uint64_t last_ns;		/* the last instant; of the grid, if there is one; 0: none */
	uint64_t step_ns[GRID_STEPS];	/* from an instant to the next one of the grid */
	unsigned steps;			/* how many there have been, up to GRID_STEPS */
	unsigned next;			/* where the next one is put */
	unsigned doubt;			/* more for each instant outside of the grid, less for each in it */
};

/*
 * Add the next instant; all of it is 0 at first. unknown: how many wake-ups since
 * the last instant were due nobody knows when; they may have been at those that seem
 * missed. Returns how many were missed just before it.
 */
uint64_t task_grid_add(struct task_grid *grid, uint64_t due_ns, uint64_t unknown);

#endif
