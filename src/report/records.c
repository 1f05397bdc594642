// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdlib.h>

#include "report/data.h"
#include "report/lines.h"
#include "trace/record.h"

/* The fields after the CPU. An empty text, or an id below 0, is printed as "-". */
struct line {
	const char *kind, *name;
	int id;
	const char *priority, *detail;
	bool stack;			/* print the record's stack, too */
};

struct printer {
	FILE *out;
	const struct report_records *of;
	unsigned event;
	int cpu;
	uint64_t due_ns;
};

static void print_frames(FILE *out, const struct trace_record *record, const struct symbols *symbols)
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

static void print_field(FILE *out, const char *text)
{
	fputc(' ', out);
	print_word(out, text);
}

static void print_number(FILE *out, int number)
{
	if (number < 0)
		fputs(" -", out);
	else
		fprintf(out, " %d", number);
}

static void print_line(const struct printer *printer, const struct trace_record *record, const struct line *line)
{
	FILE *out = printer->out;

	fprintf(out, "%u %.3f", printer->event, (int64_t)(record->at_ns - printer->due_ns) / 1e3);
	print_number(out, printer->cpu);
	print_field(out, line->kind);
	print_field(out, line->name);
	print_number(out, line->id);
	print_field(out, line->priority);
	print_field(out, line->detail);
	if (line->stack && record->frames) {
		fputc(' ', out);
		print_frames(out, record, printer->of->symbols);
	} else {
		fputs(" -", out);
	}
	fputc('\n', out);
}

/* The idle task has no priority. The stack of a switch is that of the task that leaves. */
static void print_task(const struct printer *printer, const struct trace_record *record, const char *kind,
		       const struct trace_task *task, const char *state)
{
	char priority[TRACE_PRIORITY];

	print_line(printer, record, &(struct line){
		kind, task->comm, task->pid, task->pid ? trace_priority(task, priority) : "", state,
		.stack = task != &record->next || record->kind != TRACE_SWITCH,
	});
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

static void print_record(const struct printer *printer, const struct trace_record *record)
{
	bool numbered = record->kind >= TRACE_IRQ_ENTRY && record->kind <= TRACE_SOFTIRQ_EXIT;
	char state[TRACE_STATE], lost[32];

	switch (record->kind) {
	case TRACE_SWITCH:
		print_task(printer, record, "switch_out", &record->prev, trace_state(record, state));
		print_task(printer, record, "switch_in", &record->next, "");
		break;
	case TRACE_WAKING:
		print_task(printer, record, "waking", &record->next, "");
		break;
	case TRACE_LOST:
		snprintf(lost, sizeof(lost), "%" PRIu64, record->lost);
		print_line(printer, record, &(struct line){ "lost", "", -1, "", lost, .stack = false });
		break;
	default:
		print_line(printer, record, &(struct line){
			kinds[record->kind], record->name, numbered ? record->number : -1, "", "", .stack = true,
		});
	}
}

static void print_event(struct printer *printer, const struct event *event, const struct recording *recording)
{
	const struct cpu_ring *flight = flights_of(printer->of->flights, event->cpu);
	const struct trace_layout *layout = flight ? &flight->layout : printer->of->layout;
	struct trace_record *records = NULL;
	unsigned count = 0;

	if (recording)
		records = trace_decode(layout, recording->data, recording->used, &count);
	printer->event++;
	printer->cpu = flight ? event->cpu : printer->of->cpu;
	printer->due_ns = event->stamp_ns - event->late_ns;
	for (unsigned i = 0; i < count && records[i].at_ns <= event->stamp_ns; i++)
		print_record(printer, &records[i]);
	free(records);
}

/* The flight recording is of the worst event: the first wake-up above --break ended the run. */
void report_print_records(FILE *out, const struct report_records *of)
{
	struct events events = totals_sums(of->totals)->events;
	struct printer printer = { .out = out, .of = of };

	events_sort(&events);
	fputs("\n\n# records\n# event at_us cpu kind name id priority detail stack\n", out);
	for (unsigned i = 0; i < events.count; i++) {
		const struct recording *recording = totals_recording(of->totals, &events.worst[i]);

		if (i == 0 && of->flight && of->flight->used)
			recording = of->flight;
		print_event(&printer, &events.worst[i], recording);
	}
}
