// SPDX-License-Identifier: GPL-2.0-or-later
/* A ring for each CPU. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "trace/perf_ring.h"

int perf_rings_open(struct perf_rings *rings, int cpu, size_t size, enum perf_ring_kind kind,
		    perf_ring_fill *fill, const void *context, struct refusal *refusal)
{
	unsigned count = cpu < 0 ? sysconf(_SC_NPROCESSORS_CONF) : 1;
	const char *refused = NULL;

	*rings = (struct perf_rings){ .cpu = calloc(count, sizeof(*rings->cpu)) };
	if (!rings->cpu) {
		refusal_begin(refusal, errno, "allocate memory");
		refusal_remedy(refusal, "free some");
		return -1;
	}
	if (tracefs_open() < 0) {
		trace_refuse_tracefs(refusal, errno);
		perf_rings_close(rings);
		return -1;
	}
	while (!refused && rings->count < count) {
		struct cpu_ring *at = &rings->cpu[rings->count];

		perf_ring_init(&at->ring, &at->layout, cpu < 0 ? (int)rings->count : cpu, size, kind);
		rings->count++;
		refused = fill(&at->ring, context);
		if (refused && cpu < 0 && errno == ENODEV)
			refused = NULL;		/* it is offline */
	}
	if (refused)
		trace_refuse_tracepoint(refusal, refused, errno);
	for (unsigned i = 0; !refused && i < rings->count; i++)
		perf_ring_enable(&rings->cpu[i].ring, true);
	if (refused)
		perf_rings_close(rings);
	return refused ? -1 : 0;
}

void perf_rings_close(struct perf_rings *rings)
{
	for (unsigned i = 0; i < rings->count; i++)
		perf_ring_close(&rings->cpu[i].ring);
	free(rings->cpu);
	*rings = (struct perf_rings){ .count = 0 };
}
