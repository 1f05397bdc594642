/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a process can have the kernel put off some work, and which tracepoints
 * tell when it was queued and when executed. Nothing is left behind, however
 * the process that has it open ends.
 */
#ifndef SOURCE_DEFERRED_TRIGGER_H
#define SOURCE_DEFERRED_TRIGGER_H

#include <linux/aio_abi.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "source/deferred_sqpoll.h"

struct trigger_ops;

/* What it has open. */
struct trigger {
	const struct trigger_ops *ops;
	int cpu;			/* where the work is to be queued; -1: anywhere */
	uint64_t function[2];		/* the addresses of those of ops; 0: the kernel has none */
	int fd, peer;			/* descriptors; -1: none */
	bool awake;			/* the last request is not queued: who is to serve it is not asleep */
	uint64_t ended;			/* so many requests have ended for certain */
	union {
		aio_context_t aio;
		struct sqpoll sqpoll;
	};
};

/* By what the records of a tracepoint are told from those of others. */
enum trigger_subject {
	OUR_FUNCTION,			/* those that do the work */
	OUR_SOFTIRQ,			/* that runs tasklets */
	OUR_THREAD,
};

struct trigger_end {
	const char *tracepoint;
	const char *field;		/* that is to be the subject */
	enum trigger_subject subject;
};

struct trigger_ops {
	const char *source;		/* its name */
	const char *function[2];	/* in the kernel, either of them; NULL: none */
	const char *loads;		/* a file that when opened has the kernel load them, if they are in a module */
	const char *absent, *denied;	/* what helps where the machine has no such thing, and against other errors */
	struct trigger_end queued, executed;
	unsigned limit;			/* so many requests may be pending */
	bool merged;			/* a second one while one is pending is part of that, and not queued */
	bool anywhere;			/* it may be executed on another CPU than it was queued on */

	/* Returns NULL, or what is refused, with errno. */
	const char *(*open)(struct trigger *trigger);

	/* Make a request. Returns 0 or errno, EAGAIN: it takes none just now. Does not wait. */
	int (*ask)(struct trigger *trigger);

	/* Count those that have ended. NULL: it cannot tell. */
	void (*collect)(struct trigger *trigger);

	void (*close)(struct trigger *trigger);
};

/* Returns EXIT_MEASURED (0) or, after a warning, what to exit with. */
int trigger_open(struct trigger *trigger);

/* Of the source of that name. */
const struct trigger_ops *trigger_named(const char *source);

#endif
