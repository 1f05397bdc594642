/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Can the load be run, and the run survive it? */
#ifndef RUN_PREFLIGHT_LOAD_H
#define RUN_PREFLIGHT_LOAD_H

#include <stdbool.h>

#include "run/preflight.h"

/* For a process that ends soon, as it becomes the user who will own the load. Returns false after a warning. */
bool can_run_load(const struct preflight *preflight);

#endif
