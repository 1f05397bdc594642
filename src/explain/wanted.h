/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which of the kernel's records explain wake-ups. */
#ifndef EXPLAIN_WANTED_H
#define EXPLAIN_WANTED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/options.h"
#include "measure/source.h"
#include "trace/perf_ring.h"
#include "trace/refusal.h"

/* What to record on a CPU. */
struct tap_plan {
	enum explain_level level;
	int cpu;
	unsigned hz;			/* 0: no rate */
	const struct thread *threads;	/* whose wake-ups are explained; NULL: those of the calling process */
	unsigned thread_count;
	bool asked;			/* another process wakes it, not its own timer */
	bool by_programs;		/* programs write what the tracepoints record: see struct trial */
	bool rehearsal;			/* without the optional tracepoints, each of which takes 40 ms to close */
	uint64_t handler;		/* the address of the function that its timer calls; 0: unknown */
	struct trace_layout *layout;	/* all 0 at first; in shared memory */
};

/* What the records are for. */
enum purpose {
	FOR_PARTS,			/* the wake-ups of one thread, and the timer behind them */
	FOR_BLAME,			/* all that may hold the CPU */
};

/* Add them to the ring. Returns 0, or -1 with the refusal and errno: ENODEV when the CPU is offline. */
int wanted_add(struct perf_ring *ring, enum purpose purpose, const struct tap_plan *plan,
	       const struct tracefs *tracefs, struct refusal *refusal);

#endif
