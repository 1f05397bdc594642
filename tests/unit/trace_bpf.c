// SPDX-License-Identifier: GPL-2.0-or-later
/* What of a record a program copies, and the filter of a tracepoint as text; perf_ring_program.c runs programs. */
#include <string.h>

#include "tap.h"
#include "trace/perf_ring.h"

static void test_text(void)
{
	struct trace_filter filter = { .field = "pid", .count = 2, .value = { 12, UINT64_C(0xffffffff81000000) } };
	char text[TRACE_FILTER_SIZE];

	is_text(trace_filter_text(&filter, text), "pid == 0xc || pid == 0xffffffff81000000",
		"a filter matches one of two values");
	filter.others = true;
	is_text(trace_filter_text(&filter, text), "pid != 0xc && pid != 0xffffffff81000000",
		"a filter excludes two values");
	filter = (struct trace_filter){ .field = "vec", .by = 34, .count = 2, .value = { 6, 7 } };
	is_text(trace_filter_text(&filter, text), "(vec == 0x6 || vec == 0x7) && common_pid == 34",
		"a filter matches what one thread does");
	filter = (struct trace_filter){ .field = "pid", .others = true };
	ok(!trace_filter_text(&filter, text), "a filter without values is none");
	filter.count = TRACE_FILTERED;
	for (unsigned i = 0; i < TRACE_FILTERED; i++)
		filter.value[i] = UINT64_MAX;
	ok(strlen(trace_filter_text(&filter, text)) < sizeof(text) - 4,
	   "a filter has room for as many values as allowed");
}

static void test_size(void)
{
	struct trace_format format = { .detail = TRACE_TIME, .field = { [NEXT_PID] = { 56, 4 } } };

	is(trace_format_size(&format), 8, "a record without fields has the shared part alone");
	format.detail = TRACE_FIELDS;
	is(trace_format_size(&format), 64, "a record is as long as all that is read, in words");
	format.field[NAME] = (struct trace_field){ 12, 4 };
	is(trace_format_size(&format), 64, "a record with a name has room for it");
	format.field[NEXT_PID] = (struct trace_field){ .size = 0 };
	is(trace_format_size(&format), 48, "a name may stand behind all fields");
}

int main(void)
{
	test_text();
	test_size();
	return done();
}
