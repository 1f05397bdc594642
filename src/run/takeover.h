/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The standby in the place of a keeper that was killed. */
#ifndef RUN_TAKEOVER_H
#define RUN_TAKEOVER_H

#include "run/keeper.h"

/*
 * In the standby: serve the keeper until that is killed, then stop the sources
 * before anything else, end the load and write the report. Returns the exit status.
 * A keeper that ends otherwise kills the standby, and this does not return.
 */
enum exit_status takeover_await(struct keeper *keeper);

#endif
