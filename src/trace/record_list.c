// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/sysfile.h"
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

static bool is_unnamed(const struct trace_task *task)
{
	return task->prio == TRACE_PRIO_UNKNOWN;
}

static unsigned drop_repeated(struct trace_record *records, unsigned count)
{
	const struct trace_record *last = NULL;
	unsigned kept = 0;

	for (unsigned i = 0; i < count; i++) {
		if (last && trace_repeats(&records[i], last))
			continue;
		records[kept] = records[i];
		if (records[kept].kind == TRACE_SWITCH)
			last = &records[kept];
		else if (records[kept].kind == TRACE_LOST)
			last = NULL;
		kept++;
	}
	return kept;
}

/* Returns the task with this number as another record has it; NULL: none has. */
static const struct trace_task *find_known(const struct trace_record *records, unsigned count, int pid)
{
	for (unsigned i = 0; i < count; i++) {
		const struct trace_record *record = &records[i];

		if (record->prev.pid == pid && *record->prev.comm)
			return &record->prev;
		if (record->next.pid == pid && *record->next.comm)
			return &record->next;
	}
	return NULL;
}

/* Takes name and priority from the task that has the number now, if there is one. */
static void look_up_task(struct trace_task *task)
{
	static const char fields[] = " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %d";
	char line[512], *name_end = NULL;
	int priority;

	sysfile_line(sysfile_path("/proc/%d/comm", task->pid), task->comm, sizeof(task->comm));
	if (sysfile_line(sysfile_path("/proc/%d/stat", task->pid), line, sizeof(line)))
		name_end = strrchr(line, ')');
	if (name_end && sscanf(name_end + 1, fields, &priority) == 1)
		task->prio = priority + TRACE_LEAST_RT + 1;
}

static void complete_task(struct trace_task *task, const struct trace_record *records, unsigned count,
			  const struct trace_task *own)
{
	const struct trace_task *known = find_known(records, count, task->pid);

	if (!known && own && own->pid == task->pid)
		known = own;
	if (known)
		*task = *known;
	else if (!task->pid)
		strcpy(task->comm, "swapper");
	else if (task->pid > 0)
		look_up_task(task);
}

/* A task that leaves the CPU for ever may have no number any more. It is the one to which the switch before gave it. */
static void complete_number(struct trace_record *record, const struct trace_record *last)
{
	if (record->prev.pid == -1 && last)
		record->prev = last->next;
}

static void complete_switches(struct trace_record *records, unsigned count, const struct trace_task *own)
{
	const struct trace_record *last = NULL;

	for (unsigned i = 0; i < count; i++) {
		if (records[i].kind == TRACE_LOST)
			last = NULL;
		if (records[i].kind != TRACE_SWITCH)
			continue;
		complete_number(&records[i], last);
		last = &records[i];
		if (is_unnamed(&records[i].prev))
			complete_task(&records[i].prev, records, count, own);
		if (is_unnamed(&records[i].next))
			complete_task(&records[i].next, records, count, own);
	}
}

struct trace_record *trace_decode(const struct trace_layout *layout, const unsigned char *data, uint32_t used,
				  const struct trace_task *own, unsigned *count)
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
	*count = drop_repeated(records, *count);
	complete_switches(records, *count, own);
	return records;
}
