/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A process and its scheduling, as the kernel reports them. */
#ifndef HOST_PROCESS_H
#define HOST_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* In a PID namespace, where processes have other numbers than for the kernel itself? 1 or 0; -1: unknown. */
int process_is_renumbered(void);

/* A descriptor of the process for process_state(), as /proc may hide it later; -1 if it does already. */
int process_open(pid_t pid);

/* 'S': asleep, neither stopped nor waiting for a CPU; 'T': stopped by a signal; and so on, as proc(5) has it. */
char process_state(int fd);

/* A descriptor that stands for the process, whoever gets its number later; -1 when the kernel gives none. */
int process_hold(pid_t pid);

/* Signal the process that is held or, where none is, the one that has the number now. */
void process_signal(int held, pid_t pid, int signal);

struct sched_state {
	int policy;		/* as sched(7) numbers them, without SCHED_RESET_ON_FORK */
	int priority;
	int cpus;		/* on how many it may run */
	int first_cpu;		/* the first of them */
	int64_t migrations;	/* so far, from one CPU to another; -1: unknown */
};

/* "fifo", "rr", "deadline", "other", "batch", "idle", else "unknown". */
const char *sched_state_policy_name(int policy);

/* The policy of that name; -1 when it is none of these. */
int sched_state_policy(const char *name);

/* Without the migrations. pid 0: of this process. One that does not exist may run on no CPU. */
void sched_state_look(pid_t pid, struct sched_state *sched_state);

/* With them. */
void sched_state_read(pid_t pid, struct sched_state *sched_state);

bool sched_state_differs(const struct sched_state *one, const struct sched_state *other);

/* The number of the process that traces it; 0: none is known to. */
pid_t process_tracer(pid_t pid);

/* Does this process ever sleep? A real-time one that does not keeps its CPU from all others. */
struct rest {
	uint64_t since_ns;	/* CLOCK_MONOTONIC */
	uint64_t used_ns;	/* CPU time used until then */
};

struct rest rest_begin(void);

/* Has it had the CPU for more than 98 % of a span? A span ends at the first call after two seconds. */
bool rest_is_lacking(struct rest *rest);

#endif
