// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdlib.h>

#include "report_lines.h"
#include "report_trace.h"

/* As the kernel calls them. */
static const char *const events[] = {
	[TRACE_EXPIRE] = "hrtimer_expire_entry",
	[TRACE_WAKING] = "sched_waking",
	[TRACE_SWITCH] = "sched_switch",
	[TRACE_IRQ_ENTRY] = "irq_handler_entry",
	[TRACE_IRQ_EXIT] = "irq_handler_exit",
	[TRACE_SOFTIRQ_ENTRY] = "softirq_entry",
	[TRACE_SOFTIRQ_EXIT] = "softirq_exit",
	[TRACE_VECTOR_ENTRY] = "vector_entry",
	[TRACE_VECTOR_EXIT] = "vector_exit",
	[TRACE_LOST] = "lost",
};

void report_print_frames(FILE *out, const struct trace_record *record, const struct symbols *symbols)
{
	for (unsigned i = 0; i < record->frames; i++) {
		uint64_t offset;
		const char *name = symbols_find(symbols, record->frame[i], &offset);

		fputs(i ? "<" : "", out);
		if (name)
			fprintf(out, "%s+0x%" PRIx64, name, offset);
		else
			fputs("unknown", out);
	}
}

static void print_task(FILE *out, const struct trace_task *task)
{
	char priority[TRACE_PRIORITY];

	if (!task->pid) {
		fputs("idle", out);
		return;
	}
	print_text(out, task->comm);
	fprintf(out, ":%d %s", task->pid, trace_priority(task, priority));
}

static void print_switch(FILE *out, const struct trace_record *record)
{
	print_task(out, &record->prev);
	if (record->prev.pid)
		fputs(record->prev_state ? " sleeps" : " can run", out);
	fputs(" ==> ", out);
	print_task(out, &record->next);
}

/* Of the end of an interrupt the kernel tells the number only. */
static void print_numbered(FILE *out, const struct trace_record *record)
{
	fprintf(out, "%d%s", record->number, *record->name ? " " : "");
	print_text(out, record->name);
}

static void print_words_of(FILE *out, const struct trace_record *record)
{
	switch (record->kind) {
	case TRACE_SWITCH:
		print_switch(out, record);
		break;
	case TRACE_WAKING:
		print_task(out, &record->next);
		break;
	case TRACE_IRQ_ENTRY:
	case TRACE_IRQ_EXIT:
	case TRACE_SOFTIRQ_ENTRY:
	case TRACE_SOFTIRQ_EXIT:
		print_numbered(out, record);
		break;
	case TRACE_LOST:
		fprintf(out, "%" PRIu64 " records", record->lost);
		break;
	default:
		print_text(out, *record->name ? record->name : "-");
	}
}

static void print_record(FILE *out, const struct trace_record *record, const struct symbols *symbols, uint64_t due_ns)
{
	fprintf(out, "%.3f %s ", (int64_t)(record->at_ns - due_ns) / 1e3, events[record->kind]);
	print_words_of(out, record);
	if (record->frames) {
		fputs(" at ", out);
		report_print_frames(out, record, symbols);
	}
	fputc('\n', out);
}

void report_print_trace(FILE *out, const struct recording *copy, const struct trace_layout *layout,
			const struct symbols *symbols, uint64_t due_ns)
{
	unsigned room = copy ? trace_count(copy->data, copy->used) : 0;
	struct trace_record *records = room ? calloc(room, sizeof(*records)) : NULL;
	unsigned count = records ? trace_decode(layout, copy->data, copy->used, records, room) : 0;

	if (count)
		fputs("\n\n# trace\n# at_us event text\n", out);
	for (unsigned i = 0; i < count; i++)
		print_record(out, &records[i], symbols, due_ns);
	free(records);
}
