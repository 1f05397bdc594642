/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A thread of the kernel's that sleeps until it is given something to do: that of an io_uring which polls. */
#ifndef SOURCE_DEFERRED_SQPOLL_H
#define SOURCE_DEFERRED_SQPOLL_H

#include <linux/io_uring.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct sqpoll {
	int fd;				/* -1: not open */
	pid_t thread;			/* an ordinary one, of this process */
	struct io_uring_params params;
	unsigned char *rings;		/* of both queues */
	size_t rings_size;		/* bytes */
	struct io_uring_sqe *entries;
};

/* The thread is on that CPU; -1: on any. Returns 0, or -1 with errno. */
int sqpoll_open(struct sqpoll *sqpoll, int cpu);

/*
 * Have the thread do nothing, for which it is woken unless it is awake. If it
 * is, on the CPU of this process, it was preempted and does it when it has the
 * CPU again; elsewhere it may be at it already. Returns 0 or errno, EAGAIN: it
 * is awake elsewhere.
 */
int sqpoll_ask(struct sqpoll *sqpoll, bool *awake);

/* How many times it has done so since the last call. */
unsigned sqpoll_collect(struct sqpoll *sqpoll);

void sqpoll_close(struct sqpoll *sqpoll);

#endif
