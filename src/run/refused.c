// SPDX-License-Identifier: GPL-2.0-or-later
/* What the meters were refused, as the keeper lists it before the run begins. */
#include <string.h>

#include "run/keeper.h"
#include "run/realtime.h"

static void warn_of_each(const char *lines)
{
	for (; *lines; lines += strcspn(lines, "\n"), lines += *lines != '\0')
		warn("%.*s", (int)strcspn(lines, "\n"), lines);
}

/* One line for all CPUs that meters could not be bound to, and what else the first refused meter was refused. */
static bool report_rights(const struct keeper *keeper)
{
	const struct options *options = keeper->run->options;
	struct cpus unbound = { .count = 0 };
	const char *first = "";
	int error = 0;

	listing_begin("rights", false);
	listing_value(options->priority ? "%s %d" : "%s", options->policy, options->priority);
	for_each_worker(worker, &keeper->workers) {
		if (worker->refused->unbound) {
			unbound.number[unbound.count++] = worker->cpu;
			error = worker->refused->unbound;
		}
		first = *first ? first : worker->refused->rights;
	}
	if (error)
		realtime_refuse_cpus(&unbound, error, keeper->workers.count > 1);
	warn_of_each(first);
	listing_end();
	return !error && !*first;
}

bool refused_report(const struct keeper *keeper)
{
	const struct options *options = keeper->run->options;
	const struct trial *trials[CPUS_MAX] = { NULL };
	bool granted = report_rights(keeper);

	if (!options->explain || *keeper->run->unexplained)
		return granted;
	listing_begin("explain", false);
	for_each_worker(worker, &keeper->workers) {
		if (*worker->refused->explain) {
			warn_of_each(worker->refused->explain);
			return granted && options->best_effort && !options->check;
		}
		if (worker->cpu >= 0)
			trials[worker->cpu] = &worker->channel->tap_state->trial;
	}
	if (!keeper->workers.first->source.threads)	/* or the CPUs were tried before */
		recording_report(options, false, trials);
	listing_end();
	return granted;
}
