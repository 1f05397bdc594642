/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the user asked for: realfeel(8). The command line and its defaults set it; every part may read it. */
#ifndef BASE_OPTIONS_H
#define BASE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cpus.h"
#include "base/units.h"

/* Each level includes those before it. */
enum explain_level {
	EXPLAIN_OFF,
	EXPLAIN_PARTS,			/* what each lateness is made of */
	EXPLAIN_BLAME,			/* what had the CPU before the worst wake-ups */
	EXPLAIN_STACKS,			/* where the kernel was */
};

/* The process that wakes a meter. */
struct waker {
	int cpu;			/* -1: the meter's own */
	int priority;			/* of SCHED_FIFO; 0: there is no waker */
};

struct options {
	uint64_t samples;		/* 0: no limit */
	uint64_t duration_ns;		/* 0: no limit */
	unsigned frequency_hz;
	const char *source;
	const char *device;		/* NULL: the usual names */
	const char *threads;		/* of the program that is measured: a list, or "all"; NULL: not given */
	const char *clock;
	struct limit max;
	uint64_t break_ns;		/* the greatest lateness that does not end the run; 0: no limit */
	uint64_t checkpoint_ns;		/* 0: never */
	int priority;
	const char *policy;
	bool ordinary;			/* the run needs no real-time rights */
	struct cpus cpus;		/* one meter on each; none: a single meter, on any CPU */
	struct waker waker;		/* of --source=thread */
	unsigned processes;		/* of a ring; 0: there is none */
	uint32_t array_bytes;		/* summed by each process */
	bool aligned;			/* the meters wake at the same instant */
	const char *output;		/* NULL: named after the kernel release; "-": standard output */
	bool force;
	const char *label;		/* NULL: none */
	int32_t dma_latency_us;		/* below 0: the idle states are left alone */
	bool best_effort;
	enum explain_level explain;
	bool check;			/* check only, do not measure, */
	bool check_rt;			/* and exit as with no device unless the kernel is PREEMPT_RT */
	bool quiet;
	char **load;			/* the command after --, or job's own; NULL: none */
	const char *job;		/* the file of --load; NULL: none */
	const char *load_name;		/* of a job that ships; NULL: another load, or none */
	char **argv;			/* the whole command line */
};

/* The level's name on the command line and in the report. */
static inline const char *options_explain_name(enum explain_level level)
{
	static const char *const names[] = { "off", "parts", "blame", "stacks" };

	return names[level];
}

/* One on each CPU. */
static inline unsigned options_meters(const struct options *options)
{
	return options->cpus.count ? options->cpus.count : 1;
}

#endif
