// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/lines.h"
#include "report/lmbench.h"
#include "report/ring.h"

void report_ring(FILE *out, const struct report *report)
{
	const struct cell *cell = &report->source->cell;
	struct lmbench lmbench;

	if (!cell->processes)
		return;
	print_count(out, "processes", cell->processes);
	print_count(out, "array_bytes", cell->array_bytes);
	if (!lmbench_sum_up(&lmbench, report->totals, report->channel->overhead_ns))
		return;
	fprintf(out, "# lmbench_us: %.3f\n# lmbench_overhead_us: %.3f\n", lmbench.ns / 1e3, lmbench.overhead_ns / 1e3);
	if (*lmbench.doubt)
		print_value(out, "lmbench_doubtful", lmbench.doubt);
}
