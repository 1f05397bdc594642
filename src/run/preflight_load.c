// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "host/monitor.h"
#include "load/load.h"
#include "run/preflight_load.h"

/* Real-time processes that never sleep leave nothing to those that end them, if the kernel does not keep them off. */
static bool leaves_time(const char *job)
{
	if (!job_is_realtime(job) || monitor_guard_ns())
		return true;
	warn("%s may take every CPU for good: nothing keeps real-time processes off; "
	     "echo 950000 >/proc/sys/kernel/sched_rt_runtime_us", job);
	return false;
}

static bool suits_stress_ng(const struct options *options)
{
	const char *job = options->job;
	char reason[256];

	preflight_value("%s", job);
	if (job_is_accepted(options->load, reason, sizeof(reason)))
		return leaves_time(job);
	warn("stress-ng does not take %s: %s; %s", job, reason, job_is_realtime(job) ?
	     "raise the rtprio limit (ulimit -r) of who runs it, or mend it" : "mend it, or name another with --load");
	return false;
}

bool can_run_load(const struct preflight *preflight)
{
	const struct options *options = preflight->options;
	const char *program = options->load[0];
	int error = privilege_become(preflight->caller) < 0 ? errno : load_find(program);

	errno = error;
	if (error)
		warn("start %s: %m; %s", program, options->job ? "install it, as in apt-get install stress-ng" :
		     "name a program that can be run, after --");
	return !error && (!options->job || suits_stress_ng(options));
}
