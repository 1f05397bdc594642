/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Can the wake-ups be explained, and what will stay unknown? */
#ifndef RUN_PREFLIGHT_EXPLAIN_H
#define RUN_PREFLIGHT_EXPLAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/refusal.h"
#include "run/preflight.h"

/* Are the wake-ups those of a meter, and not of another program's thread? */
bool explains_meter(const struct options *options);

/* Of every meter? Returns false with the refusal. */
bool can_explain(const struct preflight *preflight, struct refusal *refusal);

/*
 * The address of a function of the kernel, for filters; 0: not known. After
 * can_explain(), which may have read all of them: a kernel takes seconds for that
 * on a slow machine.
 */
uint64_t address_of(const struct preflight *preflight, const char *function);

/* Tell what the kernel does not record, by a trial on each CPU. For a process that ends soon. Returns true. */
bool test_recordings(const struct preflight *preflight);

#endif
