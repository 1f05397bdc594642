/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A report to a pipe or a device. Its reader may be absent or slow; the signals
 * that end a run end every wait for it.
 */
#ifndef REPORT_STREAM_H
#define REPORT_STREAM_H

#include <stdio.h>

#include "host/signals.h"

/*
 * Open a held descriptor for writing, or standard output. name is for the warning
 * before it waits for a pipe's reader, up to a minute. Returns NULL with errno.
 * Opening and writing fail with EINTR after a signal.
 */
FILE *report_stream_open(int held, const char *name, const struct signals *signals);

/* errno, in words for such a stream. */
const char *report_stream_reason(void);

#endif
