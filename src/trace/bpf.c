// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes and loads the program that records a tracepoint where perf does not. */
#include <inttypes.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/text.h"
#include "trace/perf_ring.h"

/* Of Linux 5.5 and 5.11; the headers may be older. */
enum { PROBE_READ_KERNEL = 113, PRESERVE_ELEMS = 1 << 11 };

#define SHARED_FIELDS 8			/* bytes of a record that a pointer replaces for the program */
#define COMMON_PID 4			/* where their second half is: the number of the running task */
#define INSTRUCTIONS 128		/* at most */
#define OUT 1				/* the number of the instruction at which the program ends */

const char *trace_filter_text(const struct trace_filter *filter, char text[TRACE_FILTER_SIZE])
{
	*text = '\0';
	for (unsigned i = 0; i < filter->count; i++)
		text_append(text, TRACE_FILTER_SIZE, "%s%s %s 0x%" PRIx64,
			    i ? filter->others ? " && " : " || " : filter->by ? "(" : "", filter->field,
			    filter->others ? "!=" : "==", filter->value[i]);
	if (filter->by)
		text_append(text, TRACE_FILTER_SIZE, ") && common_pid == %d", filter->by);
	return filter->count ? text : NULL;
}

/* A program under construction. Its registers: 0 is what a function returns, 1 to 5 are its arguments, 6 is kept. */
struct program {
	unsigned count;
	struct bpf_insn code[INSTRUCTIONS];
};

enum { RESULT, FIRST, SECOND, THIRD, FOURTH, FIFTH, RECORD, STACK = 10 };

static void emit(struct program *program, unsigned code, unsigned to, unsigned from, int offset, int32_t value)
{
	program->code[program->count++] = (struct bpf_insn){
		.code = code, .dst_reg = to, .src_reg = from, .off = offset, .imm = value,
	};
}

/* Instructions, as emit() takes them. HIGH is the second half of SET_WIDE. */
#define MOVE(to, from) BPF_ALU64 | BPF_MOV | BPF_X, to, from, 0, 0
#define SET(to, value) BPF_ALU64 | BPF_MOV | BPF_K, to, 0, 0, value
#define ADD(to, value) BPF_ALU64 | BPF_ADD | BPF_K, to, 0, 0, value
#define SET_WIDE(to, kind, low) BPF_LD | BPF_DW | BPF_IMM, to, kind, 0, low
#define HIGH(value) 0, 0, 0, 0, value
#define CALL(function) BPF_JMP | BPF_CALL, 0, 0, 0, function

static int to_out(const struct program *program)
{
	return OUT - (int)(program->count + 1);
}

/*
 * The CPU's records that the filter wants: three instructions for each value, the last of which compares. Whatever the
 * program does, it returns 1, so that others get the tracepoint's records as well.
 */
static void select_records(struct program *program, int cpu, const struct trace_filter *filter,
			   const struct trace_field *field)
{
	unsigned width = field->size == sizeof(uint64_t) ? BPF_DW : BPF_W;

	emit(program, BPF_JMP | BPF_JA, 0, 0, 2, 0);
	emit(program, SET(RESULT, 1));	/* OUT */
	emit(program, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
	emit(program, MOVE(RECORD, FIRST));
	emit(program, CALL(BPF_FUNC_get_smp_processor_id));
	emit(program, BPF_JMP | BPF_JNE | BPF_K, RESULT, 0, to_out(program), cpu);
	for (unsigned i = 0; i < filter->count; i++) {
		if (i == 0)
			emit(program, BPF_LDX | BPF_MEM | width, FIRST, RECORD, field->offset, 0);
		emit(program, SET_WIDE(SECOND, 0, (uint32_t)filter->value[i]));
		emit(program, HIGH(filter->value[i] >> 32));
		emit(program, BPF_JMP | BPF_JEQ | BPF_X, FIRST, SECOND,
		    filter->others ? to_out(program) : (int)(filter->count - 1 - i) * 3 + 1, 0);
	}
	if (filter->count && !filter->others)
		emit(program, BPF_JMP | BPF_JA, 0, 0, to_out(program), 0);
}

static void write_record(struct program *program, int map, unsigned size)
{
	if (size > SHARED_FIELDS) {
		emit(program, MOVE(FIRST, STACK));
		emit(program, ADD(FIRST, -(int)size));
		emit(program, SET(SECOND, size));
		emit(program, MOVE(THIRD, RECORD));
		emit(program, CALL(PROBE_READ_KERNEL));
	}
	emit(program, BPF_ST | BPF_MEM | BPF_DW, STACK, 0, -(int)size, 0);
	emit(program, CALL(BPF_FUNC_get_current_pid_tgid));
	emit(program, BPF_STX | BPF_MEM | BPF_W, STACK, RESULT, COMMON_PID - (int)size, 0);
	emit(program, MOVE(FIRST, RECORD));
	emit(program, SET_WIDE(SECOND, BPF_PSEUDO_MAP_FD, map));
	emit(program, HIGH(0));
	emit(program, SET(THIRD, 0));
	emit(program, MOVE(FOURTH, STACK));
	emit(program, ADD(FOURTH, -(int)size));
	emit(program, SET(FIFTH, size));
	emit(program, CALL(BPF_FUNC_perf_event_output));
	emit(program, BPF_JMP | BPF_JA, 0, 0, to_out(program), 0);
}

static int bpf(enum bpf_cmd command, union bpf_attr *attr)
{
	return syscall(SYS_bpf, command, attr, sizeof(*attr));
}

/* The map by which the program finds the event. It lasts as long as the program. */
static int map_of(int output)
{
	union bpf_attr created = {
		.map_type = BPF_MAP_TYPE_PERF_EVENT_ARRAY, .key_size = sizeof(uint32_t),
		.value_size = sizeof(uint32_t), .max_entries = 1, .map_flags = PRESERVE_ELEMS,
	};
	int map = bpf(BPF_MAP_CREATE, &created);
	uint32_t place = 0;
	union bpf_attr element = {
		.map_fd = map, .key = (uintptr_t)&place, .value = (uintptr_t)&output,
	};

	if (map >= 0 && bpf(BPF_MAP_UPDATE_ELEM, &element) < 0) {
		close(map);			/* leaves errno alone, as do all that follow */
		return -1;
	}
	return map;
}

/* The event is never enabled: the kernel calls the program all the same, on each CPU. */
int trace_program_attach(int output, int cpu, int id, const struct trace_filter *filter,
			 const struct trace_format *format)
{
	struct program program = { .count = 0 };
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_TRACEPOINT, .insns = (uintptr_t)program.code, .license = (uintptr_t)"GPL",
	};
	struct perf_event_attr tracepoint = {
		.type = PERF_TYPE_TRACEPOINT, .size = sizeof(tracepoint), .config = id, .disabled = 1,
	};
	int map = map_of(output), loaded, event;

	if (map < 0)
		return -1;
	select_records(&program, cpu, filter, &format->field[FILTERED]);
	write_record(&program, map, trace_format_size(format));
	attr.insn_cnt = program.count;
	loaded = bpf(BPF_PROG_LOAD, &attr);
	close(map);
	if (loaded < 0)
		return -1;
	event = syscall(SYS_perf_event_open, &tracepoint, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (event >= 0 && ioctl(event, PERF_EVENT_IOC_SET_BPF, loaded) < 0) {
		close(event);
		event = -1;
	}
	close(loaded);
	return event;
}
