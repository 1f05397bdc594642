/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A process, and how it stands with the scheduler, in the kernel's own word. */
#ifndef HOST_PROCESS_H
#define HOST_PROCESS_H

#include <stdint.h>
#include <sys/types.h>

struct process {
	pid_t pid, parent;	/* parent 0: it is dead */
	char state;		/* as proc(5) has it */
	unsigned long long started;	/* in ticks of the kernel */
	char name[32];		/* plain, without ';' */
};

/* In a PID namespace, where processes have other numbers than for the kernel itself? 1 or 0; -1: unknown. */
int process_is_renumbered(void);

/* The process of that number, as it is now. */
struct process process_read(pid_t pid);

/* A descriptor of the process, for later /proc may hide it from us; -1 when it does already. */
int process_open(pid_t pid);

/* 'S': asleep, and neither stopped nor waiting for a CPU; 'T': stopped by a signal; and so on, as proc(5) has it. */
char process_state(int fd);

/* What stands for a process, whoever has its number later; -1: there is no such process, or no such thing here. */
int process_hold(pid_t pid);

/* Signal what is held or, where nothing is, the process that has the number now. */
void process_signal(int held, pid_t pid, int signal);

struct sched_state {
	int policy;		/* as sched(7) numbers them */
	int priority;
	int cpus;		/* on how many it may run */
	int first_cpu;		/* the first of them */
	int64_t migrations;	/* so far, from one CPU to another; -1: unknown */
};

/* "fifo", "rr", "other", else "unknown". */
const char *sched_state_policy_name(int policy);

/* The policy of that name; -1 when it is none of these. */
int sched_state_policy(const char *name);

/* pid 0: of this process. One that is not there may run on no CPU. */
void sched_state_read(pid_t pid, struct sched_state *sched_state);

#endif
