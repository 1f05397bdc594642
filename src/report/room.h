/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The room that a report may need on its disk. Pure. */
#ifndef REPORT_ROOM_H
#define REPORT_ROOM_H

#include <sys/types.h>

#include "base/options.h"

/*
 * Bytes that all parts of a report may take: those of a day, or less where the
 * run ends sooner.
 */
off_t report_room(const struct options *options);

#endif
