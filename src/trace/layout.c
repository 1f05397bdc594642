// SPDX-License-Identifier: GPL-2.0-or-later
/* Of each tracepoint that is known: what its records tell, and where the kernel puts it. */
#include <errno.h>
#include <string.h>

#include "trace/record.h"

#define TASK(which, prefix) \
	[which##_COMM] = prefix "comm", [which##_PID] = prefix "pid", [which##_PRIO] = prefix "prio"

#define AT_WORK [CURRENT] = "common_pid", [FLAGS] = "common_flags"
#define A_TIMER AT_WORK, [TIMER] = "hrtimer"

#define VECTOR(tracepoint, name) \
	{ tracepoint "_entry", TRACE_VECTOR_ENTRY, name, { NULL } }, \
	{ tracepoint "_exit", TRACE_VECTOR_EXIT, name, { NULL } }

static const struct description {
	const char *tracepoint;
	enum trace_kind kind;
	const char *name;		/* of a vector */
	const char *field[RECORD_FIELDS];
} descriptions[] = {
	{ "timer/hrtimer_expire_entry", TRACE_EXPIRE, "", { A_TIMER, [EXPIRES] = "now" } },
	{ "timer/hrtimer_expire_exit", TRACE_EXPIRED, "", { A_TIMER } },
	{ "timer/hrtimer_start", TRACE_TIMER_START, "",
	  { A_TIMER, [EXPIRES] = "softexpires", [LATEST] = "expires" } },
	{ "timer/hrtimer_cancel", TRACE_TIMER_CANCEL, "", { A_TIMER } },
	{ "sched/sched_waking", TRACE_WAKING, "", { TASK(NEXT, ""), AT_WORK } },
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

static const struct description *description_of(const char *tracepoint)
{
	for (size_t i = 0; i < sizeof(descriptions) / sizeof(*descriptions); i++)
		if (!strcmp(descriptions[i].tracepoint, tracepoint))
			return &descriptions[i];
	return NULL;
}

static bool has_all(const struct trace_format *format, const struct description *description)
{
	for (unsigned i = 0; i < RECORD_FIELDS; i++)
		if (description->field[i] && !format->field[i].size)
			return false;
	return true;
}

int trace_layout_add(struct trace_layout *layout, const struct tracefs *tracefs, const char *tracepoint,
		     enum trace_detail detail)
{
	const struct description *description = description_of(tracepoint);
	struct trace_format *format = &layout->format[layout->count];
	int id;

	if (!description || layout->count == TRACE_FORMATS) {
		errno = EINVAL;
		return -1;
	}
	*format = (struct trace_format){ .kind = description->kind, .detail = detail };
	strcpy(format->name, description->name);
	id = tracefs_read_format(tracefs, tracepoint, description->field, RECORD_FIELDS, format->field);
	if (id >= 0 && detail >= TRACE_FIELDS && !has_all(format, description)) {
		errno = ENOMSG;
		return -1;
	}
	layout->count += id >= 0;
	return id;
}

/* A text that is behind the fields is read as far as struct trace_record has room for it. */
unsigned trace_format_size(const struct trace_format *format)
{
	unsigned size = 8;

	if (format->detail < TRACE_FIELDS)
		return size;
	for (unsigned i = 0; i < RECORD_FIELDS; i++) {
		const struct trace_field *field = &format->field[i];
		unsigned end = field->offset + field->size;

		if (i == NAME && field->size)
			end += sizeof(((struct trace_record *)NULL)->name);
		if (end > size)
			size = end;
	}
	return (size + 7) / 8 * 8;
}
