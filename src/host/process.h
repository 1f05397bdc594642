/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A process, its scheduling, the processes that it has forked, its signals, and the memory that they share. */
#ifndef HOST_PROCESS_H
#define HOST_PROCESS_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* In a PID namespace, where process numbers differ from the kernel's own? 1 or 0; -1: unknown. */
int process_is_renumbered(void);

/* The state as proc(5) has it, via a descriptor (or -1), because /proc may hide it later. 'T': stopped by a signal. */
int process_open(pid_t pid);
char process_state(int fd);

/* Hold a process (-1: the kernel cannot), and signal it even if its number is reused (-1: whichever has it). */
int process_hold(pid_t pid);
void process_signal(int held, pid_t pid, int signal);

struct sched_state {
	int policy;		/* as sched(7) numbers them, without SCHED_RESET_ON_FORK */
	int priority;
	int cpus;		/* how many it may run on */
	int first_cpu;		/* the first of them */
	int64_t migrations;	/* so far, from one CPU to another; -1: unknown */
};

/* "fifo", "rr", "deadline", "other", "batch", "idle", else "unknown". */
const char *sched_state_policy_name(int policy);

/* Without the migrations, and with them. pid 0: of this process. A process that does not exist has 0 CPUs. */
void sched_state_look(pid_t pid, struct sched_state *sched_state);
void sched_state_read(pid_t pid, struct sched_state *sched_state);
bool sched_state_differs(const struct sched_state *one, const struct sched_state *other);

#define CHILDREN_MAX 255

/* The processes that a meter has forked. The meter and the processes that write its report watch them. */
struct children {
	pid_t pid[CHILDREN_MAX];
	unsigned count;
	struct sched_state began, ended;	/* by children_look(): when all had begun, and at the end */
	_Atomic uint32_t stopped_ms;		/* how long at least one of them was stopped by a signal */

	bool stopped[CHILDREN_MAX];
	unsigned stopped_count;			/* how many are stopped now */
	uint64_t stopped_since_ns;		/* CLOCK_MONOTONIC, when that became nonzero */
};

/* Write the scheduling of the first child that differs from began, or of the last one. Without children, cpus is 0. */
void children_look(const struct children *children, struct sched_state *now);

/* For the meter, on SIGCHLD: note which stopped or continued. Returns whether one ended. Safe in a signal handler. */
bool children_notice(struct children *children);

/* For the meter, at the end of the run: note their scheduling, and count the time that any are still stopped. */
void children_settle(struct children *children);

/* The signals that could end a process of ours are blocked, and the keeper reads them from a descriptor. */
struct signals {
	int fd;				/* to be polled */
	sigset_t former;		/* the old mask, for a program that is started */
};

/* What came since the last read. */
struct asked {
	bool end;			/* of the run */
	bool checkpoint;
};

/* Block the signals that could end us: 0, or -1 with errno. Reading does not wait. */
int signals_open(struct signals *signals);
struct asked signals_read(const struct signals *signals);

/* Memory that this process shares with those that it forks, all zero. Returns NULL with errno: no memory. */
void *shared_create(size_t size);

#endif
