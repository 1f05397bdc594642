/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A report that goes to a pipe or a device. Its reader may be absent or slow; the
 * signals that end a run also end every wait for the reader.
 */
#ifndef REPORT_STREAM_H
#define REPORT_STREAM_H

#include <stdio.h>

#include "host/signals.h"

/*
 * Open a held descriptor, or standard output, for writing. If a pipe has no
 * reader, warn by this name and wait for one, up to a minute. Returns NULL with
 * errno. After a signal, opening and writing fail with EINTR.
 */
FILE *report_stream_open(int held, const char *name, const struct signals *signals);

/* errno in words that suit a pipe or a device. */
const char *report_stream_reason(void);

#endif
