/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel records of some threads on all CPUs, in the order of time: their
 * timers, when they are woken, when they get a CPU and when they lose it. The
 * threads themselves are not touched.
 */
#ifndef SOURCE_TASK_RECORDS_H
#define SOURCE_TASK_RECORDS_H

#include <stdint.h>
#include <sys/types.h>

#include "measure/source.h"
#include "source/task_order.h"
#include "trace/perf_ring.h"

#define TASK_FEW TRACE_FILTERED		/* of so many threads alone records are made; else of all in the machine */

/* One CPU's records of timers and wakings and, of many threads, of switches. */
struct task_cpu {
	struct trace_layout layout;
	struct perf_ring ring;
};

struct task_records {
	const struct thread *thread;	/* of few threads, these */
	unsigned threads;
	const struct cpus *by_programs;	/* as in struct source */
	bool all;			/* records are made of all threads in the machine, */
	bool command;			/* of which are measured that a command begins */
	struct task_cpu *cpu;
	unsigned cpus;
	struct trace_layout no_layout;	/* switches have no format */
	struct perf_ring switches[TASK_FEW];	/* of each thread, if they are few */

	struct task_order order;
	struct task_place *place;
	uint64_t read_ns;		/* all records before it were read */
};

/*
 * Record the source's threads from now on: all threads of the machine if they are
 * many or a command's, which are not known yet. Returns EXIT_MEASURED (0) or,
 * after a warning, what to exit with; close it in either case.
 */
int task_records_open(struct task_records *records, const struct source *source);

/*
 * How far the clocks that timers may be due by are ahead of CLOCK_MONOTONIC; they may
 * be set at any time. What was read before is kept unless it is wrong now, for this
 * may be interrupted.
 */
void task_records_clocks(int64_t offset_ns[TASK_CLOCKS]);

/* Read what was recorded since the last call. */
void task_records_read(struct task_records *records);

/* Take the next record in the order of time. Returns false when there is none of which no earlier one may follow. */
bool task_records_take(struct task_records *records, struct task_record *record);

void task_records_close(struct task_records *records);

#endif
