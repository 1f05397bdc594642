// SPDX-License-Identifier: GPL-2.0-or-later
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fake_trace.h"

#define COMMON 8			/* bytes that each record begins with */
#define COMMON_RT 12

static char folder[] = "/tmp/realfeel-tracefs-XXXXXX";

/* The fields and where they are: in records of the stock kernel, and of PREEMPT_RT. */
static const struct {
	const char *name;
	struct { const char *declaration; int offset[2], size; } field[8];
} formats[] = {
	{ "sched/sched_switch", { { "char prev_comm[16]", { 8, 12 }, 16 }, { "pid_t prev_pid", { 24, 28 }, 4 },
				  { "int prev_prio", { 28, 32 }, 4 }, { "long prev_state", { 32, 40 }, 8 },
				  { "char next_comm[16]", { 40, 48 }, 16 }, { "pid_t next_pid", { 56, 64 }, 4 },
				  { "int next_prio", { 60, 68 }, 4 } } },
	{ "sched/sched_waking", { { "char comm[16]", { 8, 12 }, 16 }, { "pid_t pid", { 24, 28 }, 4 },
				  { "int prio", { 28, 32 }, 4 }, { "int target_cpu", { 32, 36 }, 4 } } },
	{ "irq/irq_handler_entry", { { "int irq", { 8, 12 }, 4 }, { "__data_loc char[] name", { 12, 16 }, 4 } } },
	{ "irq/softirq_entry", { { "unsigned int vec", { 8, 12 }, 4 } } },
	{ "irq_vectors/local_timer_entry", { { "int vector", { 8, 12 }, 4 } } },
	{ "timer/hrtimer_expire_entry", { { "void * hrtimer", { 8, 16 }, 8 }, { "s64 now", { 16, 24 }, 8 },
					  { "void * function", { 24, 32 }, 8 } } },
	{ "workqueue/workqueue_queue_work", { { "void * work", { 8, 16 }, 8 }, { "void * function", { 16, 24 }, 8 } } },
};

#define FORMATS (sizeof(formats) / sizeof(*formats))

/* Each folder on the way to it, too. */
static FILE *create_format(const char *event)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/events/%s/format", folder, event);
	for (char *slash = path + strlen("/tmp/"); (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	file = fopen(path, "w");
	if (!file)
		exit(1);
	return file;
}

static void describe(unsigned i, enum fake_kernel kernel)
{
	FILE *file = create_format(formats[i].name);

	fprintf(file, "name: %s\nID: %u\nformat:\n", strchr(formats[i].name, '/') + 1, i + 1);
	fputs("\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	      "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	      "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n", file);
	if (kernel == FAKE_RT)
		fputs("\tfield:unsigned char common_preempt_lazy_count;\toffset:8;\tsize:1;\tsigned:0;\n", file);
	fputc('\n', file);
	for (unsigned j = 0; formats[i].field[j].declaration; j++)
		fprintf(file, "\tfield:%s;\toffset:%d;\tsize:%d;\tsigned:1;\n", formats[i].field[j].declaration,
			formats[i].field[j].offset[kernel], formats[i].field[j].size);
	fputs("\nprint fmt: \"prev_comm=%s ==> next_comm=%s\", REC->prev_comm, REC->next_comm\n", file);
	fclose(file);
}

void fake_tracefs(enum fake_kernel kernel)
{
	strcpy(folder + strlen(folder) - 6, "XXXXXX");
	if (!mkdtemp(folder))
		exit(1);
	for (unsigned i = 0; i < FORMATS; i++)
		describe(i, kernel);
	tracefs.path = folder;
	tracefs.folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

void fake_tracefs_remove(void)
{
	char command[64];

	close(tracefs.folder);
	tracefs.folder = -1;
	snprintf(command, sizeof(command), "rm -r %s", folder);
	if (system(command))
		exit(1);
}

void fake_layout(struct trace_layout *layout, enum fake_kernel kernel, enum trace_detail detail)
{
	fake_tracefs(kernel);
	layout->count = 0;
	for (unsigned i = 0; i < FORMATS; i++) {
		if (trace_layout_add(layout, formats[i].name, detail, NULL) < 0)
			exit(1);
		layout->format[i].number = i + 1;
	}
	fake_tracefs_remove();
}

unsigned fake_decode(const struct trace_layout *layout, const void *data, uint32_t used, struct trace_record *records,
		     unsigned room)
{
	unsigned count;
	struct trace_record *decoded = trace_decode(layout, data, used, &count);

	if (count > room)
		exit(1);
	if (decoded)
		memcpy(records, decoded, count * sizeof(*records));
	free(decoded);
	return count;
}

static uint64_t stack[TRACE_FRAMES + 2];	/* how many there are, and a mark that they are the kernel's */

void fake_stack(const uint64_t *frames, unsigned count)
{
	stack[0] = count ? count + 1 : 0;
	stack[1] = PERF_CONTEXT_KERNEL;
	for (unsigned i = 0; i < count; i++)
		stack[2 + i] = frames[i];
}

static unsigned put_header(unsigned char *data, unsigned type, unsigned size)
{
	struct perf_event_header header = { .type = type, .size = size };

	memcpy(data, &header, sizeof(header));
	return size;
}

unsigned fake_time(unsigned char *data, enum fake_number number, uint64_t at_ns)
{
	const uint64_t words[] = { number, at_ns };

	memcpy(data + sizeof(struct perf_event_header), words, sizeof(words));
	return put_header(data, PERF_RECORD_SAMPLE, sizeof(struct perf_event_header) + sizeof(words));
}

unsigned fake_lost(unsigned char *data, uint64_t at_ns, uint64_t lost)
{
	const uint64_t words[] = { FAKE_SWITCH, lost, at_ns, FAKE_SWITCH };

	memcpy(data + sizeof(struct perf_event_header), words, sizeof(words));
	return put_header(data, PERF_RECORD_LOST, sizeof(struct perf_event_header) + sizeof(words));
}

unsigned fake_lost_by_switch(unsigned char *data, uint64_t at_ns, uint64_t lost)
{
	const uint64_t words[] = { FAKE_SWITCH, lost, UINT64_C(0x41a3000041a3), at_ns, 1, FAKE_SWITCH };

	memcpy(data + sizeof(struct perf_event_header), words, sizeof(words));
	return put_header(data, PERF_RECORD_LOST, sizeof(struct perf_event_header) + sizeof(words));
}

/* The other task comes before the one in whose context it is written; of each the process before the thread. */
unsigned fake_switch_record(unsigned char *data, uint64_t at_ns, enum fake_moment moment, int prev, int next)
{
	static const unsigned misc[] = {
		[FAKE_LEAVES] = PERF_RECORD_MISC_SWITCH_OUT, [FAKE_ENTERS] = 0,
		[FAKE_IS_PREEMPTED] = PERF_RECORD_MISC_SWITCH_OUT | PERF_RECORD_MISC_SWITCH_OUT_PREEMPT,
	};
	bool enters = moment == FAKE_ENTERS;
	const int ids[] = { 1, enters ? prev : next, 1, enters ? next : prev };
	const uint64_t end[] = { at_ns, FAKE_SWITCHES };
	struct perf_event_header header = {
		PERF_RECORD_SWITCH_CPU_WIDE, misc[moment], sizeof(header) + sizeof(ids) + sizeof(end),
	};

	memcpy(data, &header, sizeof(header));
	memcpy(data + sizeof(header), ids, sizeof(ids));
	memcpy(data + sizeof(header) + sizeof(ids), end, sizeof(end));
	return header.size;
}

/* What the tracepoint says, padded so that the next record is aligned. */
static unsigned put_raw(unsigned char *data, enum fake_number number, uint64_t at_ns, const void *raw, uint32_t size)
{
	unsigned used = fake_time(data, number, at_ns);
	uint32_t padded = (size + 4 + 7) / 8 * 8 - 4;

	if (stack[0]) {
		memcpy(data + used, stack, (stack[0] + 1) * sizeof(*stack));
		used += (stack[0] + 1) * sizeof(*stack);
	}
	memcpy(data + used, &padded, sizeof(padded));
	memset(data + used + sizeof(padded), 0, padded);
	memcpy(data + used + sizeof(padded), raw, size);
	return put_header(data, PERF_RECORD_SAMPLE, used + sizeof(padded) + padded);
}

static unsigned put_task(unsigned char *raw, const struct trace_task *task)
{
	memcpy(raw, task->comm, sizeof(task->comm));
	memcpy(raw + 16, &task->pid, sizeof(task->pid));
	memcpy(raw + 20, &task->prio, sizeof(task->prio));
	return 24;
}

unsigned fake_switch(unsigned char *data, enum fake_kernel kernel, uint64_t at_ns, const struct trace_task *prev,
		     int64_t state, const struct trace_task *next)
{
	unsigned char raw[72] = { 0 };
	unsigned at = kernel == FAKE_RT ? COMMON_RT : COMMON;

	at = (at + put_task(raw + at, prev) + 7) / 8 * 8;
	memcpy(raw + at, &state, sizeof(state));
	at += sizeof(state);
	return put_raw(data, FAKE_SWITCH, at_ns, raw, at + put_task(raw + at, next));
}

unsigned fake_waking(unsigned char *data, enum fake_kernel kernel, uint64_t at_ns, const struct trace_task *task)
{
	unsigned char raw[40] = { 0 };
	unsigned at = kernel == FAKE_RT ? COMMON_RT : COMMON;

	return put_raw(data, FAKE_WAKING, at_ns, raw, at + put_task(raw + at, task) + sizeof(int));
}

unsigned fake_irq(unsigned char *data, enum fake_kernel kernel, uint64_t at_ns, int irq, const char *name)
{
	unsigned char raw[128] = { 0 };
	unsigned at = kernel == FAKE_RT ? COMMON_RT : COMMON, length = strlen(name) + 1;
	uint32_t where = length << 16 | (at + 8);

	memcpy(raw + at, &irq, sizeof(irq));
	memcpy(raw + at + 4, &where, sizeof(where));
	memcpy(raw + at + 8, name, length);
	return put_raw(data, FAKE_IRQ, at_ns, raw, at + 8 + length);
}

unsigned fake_softirq(unsigned char *data, enum fake_kernel kernel, uint64_t at_ns, int vector)
{
	unsigned char raw[16] = { 0 };
	unsigned at = kernel == FAKE_RT ? COMMON_RT : COMMON;

	memcpy(raw + at, &vector, sizeof(vector));
	return put_raw(data, FAKE_SOFTIRQ, at_ns, raw, at + sizeof(vector));
}

unsigned fake_queued(unsigned char *data, enum fake_kernel kernel, uint64_t at_ns, uint64_t work)
{
	unsigned char raw[32] = { 0 };
	unsigned at = kernel == FAKE_RT ? 16 : COMMON;

	memcpy(raw + at, &work, sizeof(work));
	return put_raw(data, FAKE_QUEUED, at_ns, raw, at + 2 * sizeof(work));
}
