/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Some kernels do not record all wakings and switches: trials on each CPU show what is missed. */
#ifndef RUN_RECORDING_H
#define RUN_RECORDING_H

#include "base/options.h"
#include "explain/tap.h"
#include "measure/source.h"

/* Warn of the CPUs, of count trials, where some are missed; list what is recorded on the others. */
void recording_report(const struct options *options, const int cpu[], const struct trial *const trials[],
		      unsigned count);

/* For a source that observes other programs: try all CPUs, report, and choose where programs record for it. */
void recording_try(const struct options *options, struct source *source);

#endif
