/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Deferred work: what a process requests of the kernel, and which tracepoints
 * record that it was queued and that it is executed. deferred.c is the source;
 * each deferred_*.c with a table of operations is one way to request work.
 */
#ifndef SOURCE_DEFERRED_H
#define SOURCE_DEFERRED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/source.h"

struct trigger_ops;

/* The means by which one process requests work. None of them outlives the process. */
struct trigger {
	const char *name;		/* of the source */
	const struct trigger_ops *ops;
	int cpu;			/* where this process runs; -1: on any CPU */
	uint64_t subject[2];		/* what our records name: addresses of functions, or a thread's number */
	uint64_t ended;			/* requests that have ended, as collect() counts them */
	bool unqueued;			/* the last request: its thread was awake, so the kernel queued nothing */
	void *own;			/* own_size bytes, known to the file of ops alone */
};

/* A tracepoint ("irq/softirq_raise"), and which of its records are ours. */
struct trigger_end {
	const char *tracepoint;
	const char *field;
	uint64_t number;		/* that the field holds; 0: one of trigger.subject */
};

struct trigger_ops {
	const char *function[2];	/* the kernel's, which do the work; a kernel has one or both; NULL: none */
	const char *loads;		/* a file whose opening loads the module that has them; NULL: none */
	const char *absent, *denied;	/* remedies: where the machine has no such work; for all other errors */
	struct trigger_end queued, executed;
	struct trigger_end fallback;	/* for executed, on kernels that lack that tracepoint */
	unsigned limit;			/* requests that may be pending, 1 to PAIRS_MAX */
	bool merged;			/* a request made while one is pending becomes part of it */
	bool switched;			/* executed is the switch to the thread in trigger.subject */
	bool anywhere;			/* the work may be executed on a CPU other than that where it was queued */
	size_t own_size;

	/* Returns NULL, or what was refused, with errno. close() follows in either case. */
	const char *(*open)(struct trigger *trigger);

	/* Make one request, without waiting. Returns 0 or an errno; EAGAIN: the kernel takes none now. */
	int (*ask)(struct trigger *trigger);

	/* Count in trigger->ended the requests that have ended. NULL: that cannot be known. */
	void (*collect)(struct trigger *trigger);

	void (*close)(struct trigger *trigger);
};

/* The operations of each such source; its trigger is in source_ops.trigger. */
int deferred_open(struct source *source, const char *device);
int deferred_start(struct source *source);
int64_t deferred_serve(struct source *source, struct wakeup *wakeup);
uint64_t deferred_asked(struct source *source);
void deferred_finish(struct source *source);
void deferred_stop(struct source *source);

#define DEFERRED \
	.measures = SINCE_ASKED, .matched = true, .max_hz = 1000, .usual_hz = 100, .open = deferred_open, \
	.start = deferred_start, .serve = deferred_serve, .asked = deferred_asked, .finish = deferred_finish, \
	.stop = deferred_stop

#endif
