// SPDX-License-Identifier: GPL-2.0-or-later
#include "run/takeover.h"

enum exit_status takeover_await(struct keeper *keeper)
{
	workers_listen(&keeper->workers);
	standby_run(&keeper->standby);
	workers_inherit(&keeper->workers);
	report_file_inherit(keeper->file);
	if (workers_have_measured(&keeper->workers) && keeper_create_reports(keeper)) {
		keeper->reports->taken_over = true;
		warn("the keeper was killed; the standby writes the report");
		return keeper_finish(keeper);
	}
	standby_end_load(&keeper->standby);
	return EXIT_NOT_MEASURED;
}
