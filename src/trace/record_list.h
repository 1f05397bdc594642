/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The records that lead up to one of the worst wake-ups, in the order of time. */
#ifndef TRACE_RECORD_LIST_H
#define TRACE_RECORD_LIST_H

#include "trace/record.h"

/*
 * Decode consecutive records, the newest first, up to one that is cut. Returns
 * them in the order of time; the caller frees them. Returns NULL, with count 0,
 * when there is no record or no memory.
 */
struct trace_record *trace_decode(const struct trace_layout *layout, const unsigned char *data, uint32_t used,
				  unsigned *count);

#endif
