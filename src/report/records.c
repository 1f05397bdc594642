// SPDX-License-Identifier: GPL-2.0-or-later
/* The data set "records": the kernel's records before the worst wake-ups. */
#include <inttypes.h>
#include <stdlib.h>

#include "report/lines.h"
#include "report/report.h"
#include "trace/record.h"

struct printer {
	FILE *out;
	const struct symbols *symbols;
	unsigned event;
	char cpu[12];			/* as all words, printed as "-" if it is "" */
	uint64_t due_ns;
};

static void print_stack(const struct printer *printer, const struct trace_record *record)
{
	uint64_t frame[TRACE_FRAMES], offset;
	unsigned frames = trace_stack(record, frame);

	if (!frames)
		fputs(" -", printer->out);
	for (unsigned i = 0; i < frames; i++) {
		const char *name = symbols_find(printer->symbols, frame[i], &offset);

		fputs(i ? "<" : " ", printer->out);
		if (name)
			fprintf(printer->out, "%s+0x%" PRIx64, name, offset);
		else
			fputs("unknown", printer->out);
	}
}

static void print_line(const struct printer *printer, const struct trace_record *record, bool stack, const char *kind,
		       const char *name, const char *id, const char *priority, const char *detail)
{
	const char *const words[] = { printer->cpu, kind, name, id, priority, detail };

	fprintf(printer->out, "%u %.3f", printer->event, (int64_t)(record->at_ns - printer->due_ns) / 1e3);
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		fputc(' ', printer->out);
		print_word(printer->out, words[i]);
	}
	if (stack)
		print_stack(printer, record);
	else
		fputs(" -", printer->out);
	fputc('\n', printer->out);
}

/* The idle task has no priority. */
static void print_task(const struct printer *printer, const struct trace_record *record, bool stack, const char *kind,
		       const struct trace_task *task, const char *state)
{
	char id[12], priority[TRACE_PRIORITY] = "";

	snprintf(id, sizeof(id), "%d", task->pid);
	if (task->pid)
		trace_priority(task, priority);
	print_line(printer, record, stack, kind, task->comm, id, priority, state);
}

/* The kernel's names. It has a name for each vector; here all are called "vector". */
static const char *const kinds[] = {
	[TRACE_EXPIRE] = "expire",
	[TRACE_IRQ_ENTRY] = "irq_entry",
	[TRACE_IRQ_EXIT] = "irq_exit",
	[TRACE_SOFTIRQ_ENTRY] = "softirq_entry",
	[TRACE_SOFTIRQ_EXIT] = "softirq_exit",
	[TRACE_VECTOR_ENTRY] = "vector_entry",
	[TRACE_VECTOR_EXIT] = "vector_exit",
};

/* The stack of a switch belongs to the task that leaves. */
static void print_record(const struct printer *printer, const struct trace_record *record)
{
	char state[TRACE_STATE], number[32] = "";

	switch (record->kind) {
	case TRACE_SWITCH:
		print_task(printer, record, true, "switch_out", &record->prev, trace_state(record, state));
		print_task(printer, record, false, "switch_in", &record->next, "");
		break;
	case TRACE_WAKING:
		print_task(printer, record, true, "waking", &record->next, "");
		break;
	case TRACE_LOST:
		snprintf(number, sizeof(number), "%" PRIu64, record->lost);
		print_line(printer, record, false, "lost", "", "", "", number);
		break;
	default:
		if (record->kind >= TRACE_IRQ_ENTRY && record->kind <= TRACE_SOFTIRQ_EXIT)
			snprintf(number, sizeof(number), "%d", record->number);
		print_line(printer, record, true, kinds[record->kind], record->name, number, "", "");
	}
}

/* The flight recording is of the worst event: the first wake-up above --break ended the run. */
void report_print_records(FILE *out, const struct report *report)
{
	const struct channel *channel = report->channel;
	struct events events = totals_sums(report->totals)->events;
	struct printer printer = { .out = out, .symbols = report->run->symbols };

	events_sort(&events);
	fputs("\n\n# records\n# event at_us cpu kind name id priority detail stack\n", out);
	for (const struct event *event = events.worst; event < events.worst + events.count; event++) {
		const struct recording *recording = totals_recording(report->totals, event);
		const struct cpu_ring *flight = flights_of(report->run->flights, event->cpu);
		int cpu = flight ? event->cpu : channel->tap_state->cpu;
		struct trace_record *records = NULL;
		unsigned count = 0;

		if (event == events.worst && channel->flight && channel->flight->used)
			recording = channel->flight;
		if (recording)
			records = trace_decode(flight ? &flight->layout : &channel->tap_state->layout, recording->data,
					       recording->used, &count);
		printer.event++;
		*printer.cpu = '\0';
		if (cpu >= 0)
			snprintf(printer.cpu, sizeof(printer.cpu), "%d", cpu);
		printer.due_ns = event->stamp_ns - event->late_ns;
		for (unsigned i = 0; i < count && records[i].at_ns <= event->stamp_ns; i++)
			print_record(&printer, &records[i]);
		free(records);
	}
}
