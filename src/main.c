// SPDX-License-Identifier: GPL-2.0-or-later
/* The run, in the order in which it happens. */
#include <stdlib.h>

#include "base/diag.h"
#include "host/privilege.h"
#include "host/process.h"
#include "host/sysinfo.h"
#include "load/load.h"
#include "measure/clock.h"
#include "report/report.h"
#include "run/command_line.h"
#include "run/keeper.h"
#include "run/realtime.h"
#include "trace/symbols.h"

int main(int argc, char **argv)
{
	const struct options options = command_line_read(argc, argv);
	static struct machine machine;
	static struct caller caller;
	static struct symbols symbols;
	static struct perf_rings flights;
	static char findings[FINDINGS_SIZE], unexplained[REFUSAL_CLAUSE];
	int folder;

	realtime_check_stack();
	report_file_guard_descriptors();
	caller = privilege_caller(options.output ? options.output : "", &folder);

	struct load *load = shared_create(sizeof(*load));
	struct clock clock = { .name = NULL };
	const struct run run = {
		&options, &machine, &caller, &clock, load, &symbols, unexplained, &flights, findings,
	};
	struct keeper keeper = {
		.run = &run, .file = shared_create(sizeof(*keeper.file)), .folder = folder,
		.monitor = shared_create(sizeof(*keeper.monitor)),
	};
	enum exit_status status;

	if (!load || !keeper.file || !keeper.monitor)
		die(EXIT_NOT_MEASURED, "allocate memory: %m; free some");
	load->command = options.load;
	realtime_leave();
	sysinfo_read(&machine);
	status = keeper_run(&keeper);
	free(keeper.reports);
	free(keeper.workers.first);
	return status;
}
