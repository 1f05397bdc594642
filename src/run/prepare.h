/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the run cannot do without, and no meter asks for: it is opened or tried before these are forked. */
#ifndef RUN_PREPARE_H
#define RUN_PREPARE_H

#include "run/keeper.h"

/*
 * Make all preparations, even after a refusal, so that the user learns of all refusals
 * at once. Sets the keeper's signals and source. Returns EXIT_MEASURED (0), or what to exit with.
 */
enum exit_status prepare(struct keeper *keeper);

#endif
