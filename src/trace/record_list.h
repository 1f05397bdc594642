/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The records that lead up to one of the worst wake-ups, in the order of time, and each switch once. */
#ifndef TRACE_RECORD_LIST_H
#define TRACE_RECORD_LIST_H

#include "trace/record.h"

/*
 * Decode consecutive records, the newest first, up to one that is cut. Returns
 * them in the order of time; the caller frees them. Returns NULL, with count 0,
 * when there is no record or no memory. Of the records of one switch it keeps
 * the first, which says most. A switch record has no name and no priority: if
 * another record has them they are taken from there, or from own, if that is the
 * task; otherwise they are those of the task which has the number now, or stay
 * unknown if there is none. own: NULL: none is known.
 */
struct trace_record *trace_decode(const struct trace_layout *layout, const unsigned char *data, uint32_t used,
				  const struct trace_task *own, unsigned *count);

#endif
