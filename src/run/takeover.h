/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The standby in the place of a keeper that was killed. */
#ifndef RUN_TAKEOVER_H
#define RUN_TAKEOVER_H

#include "run/keeper.h"

/*
 * In the standby: serve the keeper until that is killed, then stop the sources,
 * write the report and end the load. Returns what to exit with. A keeper that
 * ends otherwise dismisses the standby, which does not return then.
 */
enum exit_status takeover_await(struct keeper *keeper);

#endif
