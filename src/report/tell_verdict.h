/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The last row of the result: the verdict of the whole run. */
#ifndef REPORT_TELL_VERDICT_H
#define REPORT_TELL_VERDICT_H


#include "report/block.h"
#include "report/report.h"

#define GREEN "32"
#define YELLOW "33"
#define RED "31"

/* All reports of the run, and what they have together. */
struct all {
	struct report *reports;
	const struct sums *sums[CPUS_MAX];
	const char *names[CPUS_MAX];
	unsigned count;
	uint64_t samples, missed;
	struct report *worst;		/* the one with the greatest latency */
};

/* What a report is of: "thread" or "CPU". */
const char *noun_of_part(const struct all *all);

/* Tell the worst verdict, one cause, and how the run ended if that was early. */
void tell_verdict(struct block *block, const struct all *all);

#endif
