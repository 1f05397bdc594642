/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Can the wake-ups be recorded, and what will stay unknown? */
#ifndef RUN_PREFLIGHT_EXPLAIN_H
#define RUN_PREFLIGHT_EXPLAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
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

/*
 * Some kernels do not record all. By a trial on each CPU where wake-ups are
 * explained or, if the source observes other programs, where these may run: tell
 * what is missed, and choose what records that CPU for the source.
 */
void try_recording(const struct preflight *preflight);

#endif
