/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel records of one thread on all CPUs, in the order of time: its
 * timers, when it is woken, when it gets a CPU and when it loses it. The thread
 * itself is not touched.
 */
#ifndef SOURCE_TASK_RECORDS_H
#define SOURCE_TASK_RECORDS_H

#include <stdint.h>
#include <sys/types.h>

#include "source/task_order.h"
#include "trace/perf_ring.h"

#define TASK_RECORDS 16384		/* that were read and not taken */

/* One CPU's records of timers and wakings. */
struct task_cpu {
	struct trace_layout layout;
	struct perf_ring ring;
};

struct task_records {
	struct task_cpu *cpu;
	unsigned cpus;
	struct trace_layout no_layout;	/* switches have no format */
	struct perf_ring switches;

	struct task_order order;
	struct task_place place[TASK_RECORDS];
	uint64_t read_ns;		/* all records before it were read */
};

/* For the keeper: find the functions of timers, which tell records apart. Where they are hidden, fewer are told. */
void task_records_find_functions(void);

/*
 * Record the thread from now on, in zeroed memory. Returns EXIT_MEASURED (0) or,
 * after a warning, what to exit with; close it in either case.
 */
int task_records_open(struct task_records *records, pid_t thread);

/* Read what was recorded since the last call. */
void task_records_read(struct task_records *records);

/* Take the next record in the order of time. Returns false when there is none of which no earlier one may follow. */
bool task_records_take(struct task_records *records, struct task_record *record);

void task_records_close(struct task_records *records);

#endif
