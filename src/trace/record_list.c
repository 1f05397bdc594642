// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "trace/record_list.h"

/* Returns the size of the record at the start of the data; 0: there is none, or it is cut. */
static uint32_t record_size(const unsigned char *data, uint32_t used)
{
	struct perf_event_header header;

	if (used < sizeof(header))
		return 0;
	memcpy(&header, data, sizeof(header));
	return header.size < sizeof(header) || header.size > used ? 0 : header.size;
}

static unsigned count_records(const unsigned char *data, uint32_t used)
{
	unsigned count = 0;

	for (uint32_t at = 0, size; (size = record_size(data + at, used - at)); at += size)
		count++;
	return count;
}

/* Insertion sort: nearly all are in order. An interrupt may put its record before one that is being written. */
static void sort(struct trace_record *records, unsigned count)
{
	for (unsigned i = 1; i < count; i++)
		for (unsigned j = i; j && records[j].at_ns < records[j - 1].at_ns; j--) {
			struct trace_record record = records[j];

			records[j] = records[j - 1];
			records[j - 1] = record;
		}
}

struct trace_record *trace_decode(const struct trace_layout *layout, const unsigned char *data, uint32_t used,
				  unsigned *count)
{
	unsigned room = count_records(data, used), first = room;
	struct trace_record *records = room ? malloc(room * sizeof(*records)) : NULL;

	*count = 0;
	if (!records)
		return NULL;
	for (uint32_t at = 0, size; (size = record_size(data + at, used - at)); at += size)
		first -= trace_decode_one(layout, data + at, size, &records[first - 1]);
	*count = room - first;
	memmove(records, records + first, *count * sizeof(*records));
	sort(records, *count);
	return records;
}
