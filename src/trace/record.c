// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/record.h"

/* The states of a task that does not run, a bit each; preemption is a bit above them. */
static const char states[] = "SDTtXZPI";
#define STATES ((1U << (sizeof(states) - 1)) - 1)

#define TASK(which, prefix) \
	[which##_COMM] = prefix "comm", [which##_PID] = prefix "pid", [which##_PRIO] = prefix "prio"

#define VECTOR(tracepoint, name) \
	{ tracepoint "_entry", TRACE_VECTOR_ENTRY, name, { NULL } }, \
	{ tracepoint "_exit", TRACE_VECTOR_EXIT, name, { NULL } }

static const struct description {
	const char *tracepoint;
	enum trace_kind kind;
	const char *name;		/* of a vector */
	const char *field[RECORD_FIELDS];
} descriptions[] = {
	{ "timer/hrtimer_expire_entry", TRACE_EXPIRE, "", { NULL } },
	{ "sched/sched_waking", TRACE_WAKING, "", { TASK(NEXT, "") } },
	{ "sched/sched_switch", TRACE_SWITCH, "",
	  { TASK(PREV, "prev_"), [PREV_STATE] = "prev_state", TASK(NEXT, "next_") } },
	{ "irq/irq_handler_entry", TRACE_IRQ_ENTRY, "", { [NUMBER] = "irq", [NAME] = "name" } },
	{ "irq/irq_handler_exit", TRACE_IRQ_EXIT, "", { [NUMBER] = "irq" } },
	{ "irq/softirq_entry", TRACE_SOFTIRQ_ENTRY, "", { [NUMBER] = "vec" } },
	{ "irq/softirq_exit", TRACE_SOFTIRQ_EXIT, "", { [NUMBER] = "vec" } },
	VECTOR("irq_vectors/local_timer", "timer interrupt"),
	VECTOR("irq_vectors/reschedule", "reschedule IPI"),
	VECTOR("irq_vectors/call_function", "function call IPI"),
	VECTOR("irq_vectors/call_function_single", "function call IPI"),
	VECTOR("ipi/ipi", "IPI"),
	{ "workqueue/workqueue_queue_work", TRACE_QUEUED, "", { [WORK] = "work" } },
	{ "workqueue/workqueue_execute_start", TRACE_EXECUTED, "", { [WORK] = "work" } },
	{ "irq/softirq_raise", TRACE_QUEUED, "", { [NUMBER] = "vec" } },
	{ "irq/tasklet_entry", TRACE_EXECUTED, "", { NULL } },
};

const char *trace_priority(const struct trace_task *task, char text[TRACE_PRIORITY])
{
	if (task->prio < 0)
		snprintf(text, TRACE_PRIORITY, "deadline");
	else if (task->prio <= TRACE_LEAST_RT)
		snprintf(text, TRACE_PRIORITY, "rt:%d", TRACE_LEAST_RT - task->prio);
	else
		snprintf(text, TRACE_PRIORITY, "nice:%d", task->prio - TRACE_NICE_0);
	return text;
}

const char *trace_state(const struct trace_record *record, char text[TRACE_STATE])
{
	char *end = text;

	for (unsigned i = 0; states[i]; i++)
		if (record->prev_state & 1U << i)
			*end++ = states[i];
	if (end == text)
		*end++ = 'R';
	*end = '\0';
	return text;
}

static const struct description *description_of(const char *tracepoint)
{
	for (size_t i = 0; i < sizeof(descriptions) / sizeof(*descriptions); i++)
		if (!strcmp(descriptions[i].tracepoint, tracepoint))
			return &descriptions[i];
	return NULL;
}

int trace_layout_add(struct trace_layout *layout, const struct tracefs *tracefs, const char *tracepoint,
		     uint64_t number, enum trace_detail detail)
{
	const struct description *description = description_of(tracepoint);
	struct trace_format *event = &layout->event[layout->count];

	if (!description || layout->count == TRACE_FORMATS) {
		errno = EINVAL;
		return -1;
	}
	*event = (struct trace_format){ .number = number, .kind = description->kind, .detail = detail };
	strcpy(event->name, description->name);
	if (tracefs_fields(tracefs, tracepoint, description->field, RECORD_FIELDS, event->field) < 0)
		return -1;
	layout->count++;
	return 0;
}

/* What is left to be read of a record. */
struct rest {
	const unsigned char *at, *end;
};

/* Returns false, with 0 bytes, when it ends before. */
static bool take(struct rest *rest, void *to, size_t size)
{
	if ((size_t)(rest->end - rest->at) < size) {
		memset(to, 0, size);
		return false;
	}
	memcpy(to, rest->at, size);
	rest->at += size;
	return true;
}

/* Integers are 4 or 8 bytes wide; of the greater ones the low half says all that is asked for. */
static int integer(const struct rest *raw, const struct trace_field *field)
{
	struct rest rest = { raw->at + field->offset, raw->end };
	uint64_t wide;
	int value = 0;

	if (!field->size || field->offset > raw->end - raw->at)
		return 0;
	if (field->size < sizeof(wide))
		take(&rest, &value, sizeof(value));
	else if (take(&rest, &wide, sizeof(wide)))
		value = wide;
	return value;
}

/* As wide as the kernel's addresses are. */
static uint64_t wide_integer(const struct rest *raw, const struct trace_field *field)
{
	struct rest rest = { raw->at + field->offset, raw->end };
	uint64_t wide;

	if (field->size < sizeof(wide))
		return (uint32_t)integer(raw, field);
	if (field->offset > raw->end - raw->at)
		return 0;
	take(&rest, &wide, sizeof(wide));
	return wide;
}

/* A text that has a place, or, being of any length, is behind the fields: then the field says where. */
static void text(const struct rest *raw, const struct trace_field *field, bool behind, char *to, size_t size)
{
	uint32_t where = behind ? integer(raw, field) : field->size << 16 | field->offset;
	size_t length = where >> 16, offset = where & 0xffff, all = raw->end - raw->at;

	if (!field->size || offset > all)
		return;
	if (length > all - offset)
		length = all - offset;
	if (length > size - 1)
		length = size - 1;
	memcpy(to, raw->at + offset, length);
	to[length] = '\0';
}

static void read_task(const struct rest *raw, const struct trace_field *field, struct trace_task *task)
{
	text(raw, &field[0], false, task->comm, sizeof(task->comm));
	task->pid = integer(raw, &field[1]);
	task->prio = integer(raw, &field[2]);
}

static const char *softirq_name(int number)
{
	static const char *const names[] = { "HI",  "TIMER",	"NET_TX", "NET_RX",  "BLOCK",
					     "IRQ_POLL", "TASKLET", "SCHED",  "HRTIMER", "RCU" };

	return number >= 0 && (size_t)number < sizeof(names) / sizeof(*names) ? names[number] : "unknown";
}

static void read_fields(const struct trace_format *event, const struct rest *raw, struct trace_record *record)
{
	const struct trace_field *field = event->field;

	read_task(raw, &field[PREV_COMM], &record->prev);
	read_task(raw, &field[NEXT_COMM], &record->next);
	record->prev_state = integer(raw, &field[PREV_STATE]) & STATES;
	record->number = integer(raw, &field[NUMBER]);
	record->work = wide_integer(raw, &field[WORK]);
	text(raw, &field[NAME], true, record->name, sizeof(record->name));
	if (event->kind == TRACE_SOFTIRQ_ENTRY || event->kind == TRACE_SOFTIRQ_EXIT)
		strcpy(record->name, softirq_name(record->number));
}

/* Marks of what follows, as "the kernel's", stand between the addresses. */
static bool read_stack(struct rest *rest, struct trace_record *record)
{
	uint64_t count, address;

	if (!take(rest, &count, sizeof(count)))
		return false;
	while (count--) {
		if (!take(rest, &address, sizeof(address)))
			return false;
		if (address < PERF_CONTEXT_MAX && record->frames < TRACE_FRAMES)
			record->frame[record->frames++] = address;
	}
	return true;
}

static bool read_sample(const struct trace_layout *layout, struct rest *rest, struct trace_record *record)
{
	const struct trace_format *event = layout->event, *end = event + layout->count;
	uint64_t number;
	uint32_t size;
	struct rest raw;

	if (!take(rest, &number, sizeof(number)) || !take(rest, &record->at_ns, sizeof(record->at_ns)))
		return false;
	while (event < end && event->number != number)
		event++;
	if (event == end)
		return false;
	record->kind = event->kind;
	strcpy(record->name, event->name);
	if (event->detail >= TRACE_STACK && !read_stack(rest, record))
		return false;
	if (event->detail < TRACE_FIELDS)
		return true;
	if (!take(rest, &size, sizeof(size)) || size > (size_t)(rest->end - rest->at))
		return false;
	raw = (struct rest){ rest->at, rest->at + size };
	read_fields(event, &raw, record);
	return true;
}

/* The time and the number of the event are behind. */
static bool read_lost(struct rest *rest, struct trace_record *record)
{
	uint64_t number;

	record->kind = TRACE_LOST;
	return take(rest, &number, sizeof(number)) && take(rest, &record->lost, sizeof(record->lost)) &&
	       take(rest, &record->at_ns, sizeof(record->at_ns));
}

bool trace_decode_one(const struct trace_layout *layout, const void *data, uint32_t size, struct trace_record *record)
{
	struct rest rest = { data, (const unsigned char *)data + size };
	struct perf_event_header header;

	memset(record, 0, sizeof(*record));
	if (!take(&rest, &header, sizeof(header)) || header.size > size || header.size < sizeof(header))
		return false;
	rest.end = (const unsigned char *)data + header.size;
	if (header.type == PERF_RECORD_LOST)
		return read_lost(&rest, record);
	return header.type == PERF_RECORD_SAMPLE && read_sample(layout, &rest, record);
}

/* Of the record at the start of the data; 0: there is none, or it is cut. */
static uint32_t record_size(const unsigned char *data, uint32_t used)
{
	struct perf_event_header header;
	struct rest rest = { data, data + used };

	if (!take(&rest, &header, sizeof(header)) || header.size < sizeof(header) || header.size > used)
		return 0;
	return header.size;
}

unsigned trace_count(const unsigned char *data, uint32_t used)
{
	unsigned count = 0;

	for (uint32_t at = 0, size; (size = record_size(data + at, used - at)); at += size)
		count++;
	return count;
}

static void reverse(struct trace_record *records, unsigned count)
{
	for (unsigned i = 0; i < count / 2; i++) {
		struct trace_record record = records[i];

		records[i] = records[count - 1 - i];
		records[count - 1 - i] = record;
	}
}

unsigned trace_decode(const struct trace_layout *layout, const unsigned char *data, uint32_t used,
		      struct trace_record *out, unsigned room)
{
	unsigned count = 0;

	for (uint32_t at = 0, size; count < room && (size = record_size(data + at, used - at)); at += size)
		count += trace_decode_one(layout, data + at, size, &out[count]);
	reverse(out, count);
	return count;
}

/* An interrupt that comes while a record is being made makes its own before it. */
static void sort(struct trace_record *records, unsigned count)
{
	for (unsigned i = 1; i < count; i++)
		for (unsigned j = i; j && records[j].at_ns < records[j - 1].at_ns; j--) {
			struct trace_record record = records[j];

			records[j] = records[j - 1];
			records[j - 1] = record;
		}
}

struct trace_record *trace_decode_all(const struct trace_layout *layout, const unsigned char *data, uint32_t used,
				      unsigned *count)
{
	unsigned room = trace_count(data, used);
	struct trace_record *records = room ? malloc(room * sizeof(*records)) : NULL;

	*count = records ? trace_decode(layout, data, used, records, room) : 0;
	sort(records, *count);
	return records;
}
