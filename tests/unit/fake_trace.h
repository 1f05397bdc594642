/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a kernel traces, made by hand: its description of the tracepoints, and its records. */
#ifndef FAKE_TRACE_H
#define FAKE_TRACE_H

#include "trace/record.h"

enum fake_kernel { FAKE_STOCK, FAKE_RT };	/* of PREEMPT_RT: each record begins with one field more */

/* A folder of its own with the formats of that kernel, to be removed again. */
void fake_tracefs(enum fake_kernel kernel);
void fake_tracefs_remove(void);

/* All of the tracepoints described there, numbered from 1 in the order below. */
enum fake_number {
	FAKE_SWITCH = 1, FAKE_WAKING, FAKE_IRQ, FAKE_SOFTIRQ, FAKE_TIMER, FAKE_EXPIRE, FAKE_QUEUED,
	FAKE_SWITCHES,			/* the kernel's own records of switches, not described there */
};
void fake_layout(struct trace_layout *layout, enum fake_kernel kernel, enum trace_detail detail);

/* trace_decode() into an array, which has room for all. */
unsigned fake_decode(const struct trace_layout *layout, const void *data, uint32_t used, struct trace_record *records,
		     unsigned room);

/* A record at data. Return its size. A task's prio and state are as the kernel has them. */
unsigned fake_switch(unsigned char *data, enum fake_kernel kernel, uint64_t at_ns, const struct trace_task *prev,
		     int64_t state, const struct trace_task *next);
unsigned fake_waking(unsigned char *data, enum fake_kernel kernel, uint64_t at_ns, const struct trace_task *task);
unsigned fake_irq(unsigned char *data, enum fake_kernel kernel, uint64_t at_ns, int irq, const char *name);
unsigned fake_softirq(unsigned char *data, enum fake_kernel kernel, uint64_t at_ns, int vector);
unsigned fake_queued(unsigned char *data, enum fake_kernel kernel, uint64_t at_ns, uint64_t work);

/* The kernel's own record of a switch, as prev leaves the CPU or as next has it. */
enum fake_moment { FAKE_LEAVES, FAKE_IS_PREEMPTED, FAKE_ENTERS };
unsigned fake_switch_record(unsigned char *data, uint64_t at_ns, enum fake_moment moment, int prev, int next);

/* One that has only a time, as of FAKE_EXPIRE with TRACE_TIME. */
unsigned fake_time(unsigned char *data, enum fake_number number, uint64_t at_ns);
unsigned fake_lost(unsigned char *data, uint64_t at_ns, uint64_t lost);
unsigned fake_lost_by_switch(unsigned char *data, uint64_t at_ns, uint64_t lost);	/* behind process and thread */

/* From now on records with fields have this stack, too; 0: none any more. */
void fake_stack(const uint64_t *frames, unsigned count);

#endif
