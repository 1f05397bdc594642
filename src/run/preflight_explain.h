/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Can the wake-ups be explained, and what will stay unknown? */
#ifndef RUN_PREFLIGHT_EXPLAIN_H
#define RUN_PREFLIGHT_EXPLAIN_H

#include <stdbool.h>

#include "base/refusal.h"
#include "run/preflight.h"

/* Of every meter? Returns false with the refusal. */
bool can_explain(const struct preflight *preflight, struct refusal *refusal);

/* Tell what the kernel does not record, by a trial on each CPU. For a process that ends soon. Returns true. */
bool test_recordings(const struct preflight *preflight);

#endif
