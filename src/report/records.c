// SPDX-License-Identifier: GPL-2.0-or-later
/* The data set of the kernel's records before the worst wake-ups, realfeel(5). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"

struct printer {
	FILE *out;
	const struct symbols *symbols;
	unsigned event;
	uint64_t due_ns;
	char cpu[12];			/* like all words, printed as "-" if it is "" */
};

/* A word that is "" is printed as "-", so the text "-" is escaped. */
static void print_line(const struct printer *printer, const struct trace_record *record, bool stack, const char *kind,
		       const char *name, const char *id, const char *priority, const char *detail)
{
	const char *const words[] = { printer->cpu, kind, name, id, priority, detail };
	uint64_t frame[TRACE_FRAMES], offset;
	unsigned frames = stack ? trace_stack(record, frame) : 0;

	fprintf(printer->out, "%u %.3f", printer->event, (int64_t)(record->at_ns - printer->due_ns) / 1e3);
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		fputc(' ', printer->out);
		if (!*words[i] || !strcmp(words[i], "-"))
			fputs(*words[i] ? "\\x2d" : "-", printer->out);
		else
			report_print_text(printer->out, words[i], ' ', "\\x20");
	}
	for (unsigned i = 0; i < frames; i++) {
		const char *symbol = symbols_find(printer->symbols, frame[i], &offset);

		fprintf(printer->out, "%c%s", i ? '<' : ' ', symbol ? symbol : "unknown");
		if (symbol)
			fprintf(printer->out, "+0x%" PRIx64, offset);
	}
	fputs(frames ? "\n" : " -\n", printer->out);
}

/* Its priority is "rt:97", "nice:-5" or "deadline"; the idle task has none. */
static void print_task(const struct printer *printer, const struct trace_record *record, bool stack, const char *kind,
		       const struct trace_task *task, const char *state)
{
	char id[12], priority[20] = "";

	snprintf(id, sizeof(id), "%d", task->pid);
	if (task->pid && task->prio < 0)
		strcpy(priority, "deadline");
	else if (task->pid && task->prio <= TRACE_LEAST_RT)
		snprintf(priority, sizeof(priority), "rt:%d", TRACE_LEAST_RT - task->prio);
	else if (task->pid)
		snprintf(priority, sizeof(priority), "nice:%d", task->prio - TRACE_NICE_0);
	print_line(printer, record, stack, kind, task->comm, id, priority, state);
}

/* The stack of a switch belongs to the task that leaves. The kernel has a name for each vector. */
static void print_record(const struct printer *printer, const struct trace_record *record)
{
	static const char *const kinds[] = {
		[TRACE_EXPIRE] = "expire", [TRACE_IRQ_ENTRY] = "irq_entry", [TRACE_IRQ_EXIT] = "irq_exit",
		[TRACE_SOFTIRQ_ENTRY] = "softirq_entry", [TRACE_SOFTIRQ_EXIT] = "softirq_exit",
		[TRACE_VECTOR_ENTRY] = "vector_entry", [TRACE_VECTOR_EXIT] = "vector_exit",
	};
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

struct trace_record *report_decode(const struct report *report, const struct event *event,
				   const struct recording *recording, unsigned *count)
{
	const struct cpu_ring *flight = flights_of(report->run->flights, event->cpu);
	const struct trace_layout *layout = flight ? &flight->layout : &report->channel->tap_state->layout;

	*count = 0;
	return recording ? trace_decode(layout, recording->data, recording->used, count) : NULL;
}

/* The flight recording is of the event that ended the run, by --break, or of event 0, a thread that never slept. */
void report_print_records(FILE *out, const struct report *report)
{
	const struct recording *flight = report->channel->flight;
	const struct event *sleepless = &report->channel->sleepless;
	struct events events = totals_sums(report->totals)->events;

	events_sort(&events);
	if (sleepless->late_ns)
		events.worst[events.count++] = *sleepless;
	fputs("\n\n# records\n# event at_us cpu kind name id priority detail stack\n", out);
	for (const struct event *event = events.worst; event < events.worst + events.count; event++) {
		struct printer printer = {
			out, report->run->symbols, event - events.worst + !sleepless->late_ns,
			event->stamp_ns - event->late_ns, "",
		};
		bool whole = event == events.worst && flight && flight->used;
		int cpu = flights_of(report->run->flights, event->cpu) ? event->cpu : report->channel->tap_state->cpu;
		unsigned count;
		struct trace_record *records = report_decode(report, event, whole ? flight :
							     totals_recording(report->totals, event), &count);

		if (cpu >= 0)
			snprintf(printer.cpu, sizeof(printer.cpu), "%d", cpu);
		for (unsigned i = 0; i < count && records[i].at_ns <= event->stamp_ns; i++)
			print_record(&printer, &records[i]);
		free(records);
	}
}
