// SPDX-License-Identifier: GPL-2.0-or-later
/* Decodes records in which any byte may be wrong: nothing beyond their data is read. */
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "measure/hist.h"
#include "trace/record.h"

/* The states of a task that is not running, one bit each. The kernel's bit for preemption is above them. */
static const char states[] = "SDTtXZPI";
#define STATES ((1U << (sizeof(states) - 1)) - 1)

#define IN_INTERRUPT 0x18		/* of common_flags: a hardware interrupt, a softirq */

const char *trace_state(const struct trace_record *record, char text[TRACE_STATE])
{
	char *end = text;

	for (unsigned i = 0; states[i]; i++)
		if (record->prev_state & 1U << i)
			*end++ = states[i];
	if (!record->prev_state)
		*end++ = 'R';
	*end = '\0';
	return text;
}

unsigned trace_stack(const struct trace_record *record, uint64_t frame[TRACE_FRAMES])
{
	unsigned frames = 0;

	for (uint64_t i = 0; i < record->words && frames < TRACE_FRAMES; i++) {
		memcpy(&frame[frames], record->stack + i * sizeof(*frame), sizeof(*frame));
		frames += frame[frames] < PERF_CONTEXT_MAX;
	}
	return frames;
}

/* The bytes of a record that have not been read yet. */
struct rest {
	const unsigned char *at, *end;
};

/* Returns false and fills with 0 when fewer bytes are left. */
static bool take_bytes(struct rest *rest, void *to, size_t size)
{
	if ((size_t)(rest->end - rest->at) < size) {
		memset(to, 0, size);
		return false;
	}
	memcpy(to, rest->at, size);
	rest->at += size;
	return true;
}

/* Integers are 1, 4 or 8 bytes wide. Returns 0 for one that the record does not have or that is truncated. */
static uint64_t integer(const struct rest *raw, const struct trace_field *field)
{
	unsigned width = field->size == 1 || field->size == 8 ? field->size : 4;
	struct rest rest = { raw->at + field->offset, raw->end };
	union {
		uint8_t byte;
		uint32_t narrow;
		uint64_t wide;
	} value;

	if (!field->size || field->offset > raw->end - raw->at || !take_bytes(&rest, &value, width))
		return 0;
	return width == 1 ? value.byte : width == 4 ? value.narrow : value.wide;
}

/* Copies a text of fixed size or, if it follows the fields (__data_loc), one at the place that the field holds. */
static void text(const struct rest *raw, const struct trace_field *field, bool behind, char *to, size_t size)
{
	uint32_t where = behind ? (uint32_t)integer(raw, field) : (uint32_t)field->size << 16 | field->offset;
	ptrdiff_t length = where >> 16, offset = where & 0xffff, all = raw->end - raw->at;

	if (!field->size || offset > all)
		return;
	length = lesser(lesser(length, all - offset), size - 1);
	memcpy(to, raw->at + offset, length);
	to[length] = '\0';
}

static void read_task(const struct rest *raw, const struct trace_field *field, struct trace_task *task)
{
	if (!field[1].size)
		return;
	text(raw, &field[0], false, task->comm, sizeof(task->comm));
	task->pid = integer(raw, &field[1]);
	task->prio = integer(raw, &field[2]);
}

static void read_fields(const struct trace_format *format, const struct rest *raw, struct trace_record *record)
{
	static const char *const softirqs[] = { "HI",  "TIMER",	"NET_TX", "NET_RX",  "BLOCK",
						"IRQ_POLL", "TASKLET", "SCHED",  "HRTIMER", "RCU" };
	const struct trace_field *field = format->field;

	read_task(raw, &field[PREV_COMM], &record->prev);
	read_task(raw, &field[NEXT_COMM], &record->next);
	record->prev_state = integer(raw, &field[PREV_STATE]) & STATES;
	record->number = integer(raw, &field[NUMBER]);
	record->work = integer(raw, &field[WORK]);
	record->current = integer(raw, &field[CURRENT]);
	if (format->kind == TRACE_WAKING)
		record->thread = record->next.pid;
	else if (format->kind == TRACE_TIMER_START || format->kind == TRACE_TIMER_CANCEL)
		record->thread = integer(raw, &field[FLAGS]) & IN_INTERRUPT ? 0 : record->current;
	record->timer = integer(raw, &field[TIMER]);
	record->expires_ns = integer(raw, &field[EXPIRES]);
	record->latest_ns = integer(raw, &field[LATEST]);
	text(raw, &field[NAME], true, record->name, sizeof(record->name));
	if (format->kind == TRACE_SOFTIRQ_ENTRY || format->kind == TRACE_SOFTIRQ_EXIT)
		strcpy(record->name, (size_t)record->number < sizeof(softirqs) / sizeof(*softirqs) ?
				     softirqs[record->number] : "unknown");
}

static bool read_sample(const struct trace_layout *layout, struct rest *rest, struct trace_record *record)
{
	const struct trace_format *format = layout->format, *end = format + layout->count;
	uint64_t number, words;
	uint32_t size;
	struct rest raw;

	if (!take_bytes(rest, &number, sizeof(number)) || !take_bytes(rest, &record->at_ns, sizeof(record->at_ns)))
		return false;
	while (format < end && format->number != number)
		format++;
	if (format == end)
		return false;
	record->kind = format->kind;
	strcpy(record->name, format->name);
	if (format->detail >= TRACE_STACK) {
		if (!take_bytes(rest, &words, sizeof(words)) ||
		    words > (size_t)(rest->end - rest->at) / sizeof(words))
			return false;
		record->words = words;
		record->stack = rest->at;
		rest->at += words * sizeof(words);
	}
	if (format->detail < TRACE_FIELDS)
		return true;
	if (!take_bytes(rest, &size, sizeof(size)) || size > (size_t)(rest->end - rest->at))
		return false;
	raw = (struct rest){ rest->at, rest->at + size };
	read_fields(format, &raw, record);
	return true;
}

/*
 * Anything but a sample. Two pairs of numbers come first: for a switch, process and thread of the other task, then
 * the writer's own; for a beginning or an end, the processes of the thread and of its parent, then both threads. A
 * switch that is recorded for one thread alone has none of these.
 */
static bool read_event(const struct perf_event_header *header, struct rest *rest, struct trace_record *record)
{
	union {
		int32_t id[4];
		uint64_t word[2];
	} first = { .id = { 0 } };
	bool alone = header->type == PERF_RECORD_SWITCH;

	if ((!alone && !take_bytes(rest, &first, sizeof(first))) ||
	    !take_bytes(rest, &record->at_ns, sizeof(record->at_ns)))
		return false;
	switch (header->type) {
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		record->kind = (header->misc & PERF_RECORD_MISC_SWITCH_OUT) ? TRACE_SWITCH_OUT : TRACE_SWITCH_IN;
		record->runnable = header->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT;
		record->thread = first.id[3];
		return !alone || take_bytes(rest, &record->cpu, sizeof(record->cpu));
	case PERF_RECORD_FORK:
		record->kind = TRACE_FORK;
		record->thread = first.id[3];
		record->number = first.id[2];
		record->sibling = first.id[0] == first.id[1];
		return true;
	case PERF_RECORD_EXIT:
		record->kind = TRACE_EXIT;
		record->thread = first.id[2];
		return true;
	case PERF_RECORD_LOST:
		record->kind = TRACE_LOST;
		record->lost = first.word[1];
		/* In a switch ring, the two numbers above were process and thread; time, CPU and number follow. */
		return rest->end - rest->at != 24 || take_bytes(rest, &record->at_ns, sizeof(record->at_ns));
	default:
		return false;
	}
}

/* Returns the size of the record at the start of the data; 0: there is none, or it is truncated. */
static uint32_t record_size(const unsigned char *data, uint32_t used)
{
	struct perf_event_header header = { .size = 0 };

	if (used >= sizeof(header))
		memcpy(&header, data, sizeof(header));
	return header.size < sizeof(header) || header.size > used ? 0 : header.size;
}

bool trace_decode_one(const struct trace_layout *layout, const void *data, uint32_t size, struct trace_record *record)
{
	struct rest rest = { data, (const unsigned char *)data + record_size(data, size) };
	struct perf_event_header header;

	memset(record, 0, sizeof(*record));
	if (!take_bytes(&rest, &header, sizeof(header)))
		return false;
	return header.type == PERF_RECORD_SAMPLE ? read_sample(layout, &rest, record) :
						   read_event(&header, &rest, record);
}

/*
 * Records are stored backwards from the end of the space. Nearly all are in order: an interrupt may put its record
 * before one that is being written.
 */
struct trace_record *trace_decode(const struct trace_layout *layout, const unsigned char *data, uint32_t used,
				  unsigned *count)
{
	unsigned room = 0, first;
	struct trace_record *records, record;

	*count = 0;
	for (uint32_t at = 0, size; (size = record_size(data + at, used - at)); at += size)
		room++;
	first = room;
	records = room ? malloc(room * sizeof(*records)) : NULL;
	if (!records)
		return NULL;
	for (uint32_t at = 0, size; (size = record_size(data + at, used - at)); at += size) {
		unsigned place = first;

		if (!trace_decode_one(layout, data + at, size, &record))
			continue;
		for (first--; place < room && records[place].at_ns < record.at_ns; place++)
			records[place - 1] = records[place];
		records[place - 1] = record;
	}
	*count = room - first;
	memmove(records, records + first, *count * sizeof(*records));
	return records;
}
