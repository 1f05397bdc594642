/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A report that goes to a pipe or a device: who reads it may not be there yet,
 * or be slow, but the signals that end a run end every wait.
 */
#ifndef REPORT_STREAM_H
#define REPORT_STREAM_H

#include <stdio.h>

#include "host/signals.h"

/*
 * Open for writing what is held, whatever is to be found under its name now, or
 * standard output. For a pipe that nobody reads it waits a minute, after a
 * warning. Returns NULL with errno, as writing fails with errno: EINTR after a signal.
 */
FILE *report_stream_open(int held, const char *name, const struct signals *signals);

/* What errno says of such a stream. */
const char *report_stream_reason(void);

#endif
