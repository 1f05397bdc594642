/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a run needs, each meter asks for once and for good. Then it waits until the keeper has reported all refusals. */
#ifndef RUN_ASK_H
#define RUN_ASK_H

#include "explain/tap.h"
#include "measure/loop.h"
#include "run/keeper.h"

/* For a meter: take the rights, and open and start the tap. What is refused is in its struct refused. */
void ask(const struct run *run, struct worker *worker, struct tap *tap, struct loop *loop);

/* For the keeper, when all have asked: warn of what they were refused, and list it. Returns whether all was granted. */
bool ask_report(const struct keeper *keeper);

#endif
