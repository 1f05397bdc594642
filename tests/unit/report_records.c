// SPDX-License-Identifier: GPL-2.0-or-later
/* What was recorded of the worst wake-ups, in the lines of the report. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "explain/tap.h"
#include "fake_trace.h"
#include "report/records.c"
#include "tap.h"

#define PERIOD_NS 1000000
#define DUE_NS 5000000
#define TITLE "\n\n# records\n# event at_us cpu kind name id priority detail stack\n"

static const struct trace_task hog = { 123, 2, "hog" }, meter = { 456, 4, "realfeel" }, idle = { 0, 120, "swapper/0" };
static const struct trace_task odd = { 7, -1, "a \n\\b" };

static struct counters live;
static struct recordings recordings;
static unsigned char data[4096];
static struct recording copy;
static struct trace_layout of_all;
static struct symbols symbols;

/* With one name, at 0x1000. */
static void load_symbols(void)
{
	char path[] = "/tmp/realfeel-symbols-XXXXXX";
	int fd = mkstemp(path);

	if (fd < 0 || dprintf(fd, "1000 T schedule\n") < 0 || symbols_load(&symbols, path) < 0)
		exit(1);
	close(fd);
	unlink(path);
}

/* One of the worst wake-ups, of which so much of the data is recorded. */
static void wake_up(int64_t late_ns, unsigned used)
{
	struct event event = { .stamp_ns = DUE_NS + late_ns, .episode = late_ns, .late_ns = late_ns };
	int slot;

	counters_count(&live, event.stamp_ns, late_ns, 0, 1, PERIOD_NS);
	slot = counters_keep(&live, &event);
	recordings_begin(&recordings, slot, used);
	recordings_write(&recordings, slot, 0, data, used);
	if (used)
		recordings_seal(&recordings, slot, used, event.stamp_ns);
}

static struct totals *totals_of_live(void)
{
	struct totals *totals = totals_create(TOTALS_SLICES, true);

	if (!totals)
		exit(1);
	totals_add(totals, &live, PERIOD_NS);
	return totals;
}

static void begin(void)
{
	counters_clear(&live);
	live.recordings = &recordings;
	live.from_ns = live.to_ns = 1;
	copy.used = 0;
}

static struct tap_state tap_state;
static struct channel channel = { .tap_state = &tap_state, .flight = &copy };

static void is_printed(int cpu, const char *expected, const char *name)
{
	static const struct perf_rings none;
	static const struct run run = { .symbols = &symbols, .flights = (struct perf_rings *)&none };
	struct totals *totals = totals_of_live();
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	tap_state.layout = of_all;
	tap_state.cpu = cpu;
	report_print_records(out, &(struct report){ .run = &run, .channel = &channel, .totals = totals });
	fclose(out);
	is_text(text, expected, name);
	free(text);
	totals_forget(totals);
}

/* The newest first, as in a backward ring. */
static unsigned all_kinds(void)
{
	unsigned used = fake_switch(data, FAKE_STOCK, DUE_NS + 21672100, &hog, 0x100, &meter);

	used += fake_irq(data + used, FAKE_STOCK, DUE_NS + 2001, 9, "eth\t0");
	used += fake_softirq(data + used, FAKE_STOCK, DUE_NS + 1500, 3);
	used += fake_lost(data + used, DUE_NS + 900, 17);
	used += fake_waking(data + used, FAKE_STOCK, DUE_NS, &meter);
	used += fake_switch(data + used, FAKE_STOCK, DUE_NS - 40000, &idle, 0, &odd);
	used += fake_switch(data + used, FAKE_STOCK, DUE_NS - 50000, &meter, 1, &idle);
	return used;
}

static const char all_lines[] =
	"1 -50.000 3 switch_out realfeel 456 rt:95 S -\n"
	"1 -50.000 3 switch_in swapper/0 0 - - -\n"
	"1 -40.000 3 switch_out swapper/0 0 - R -\n"
	"1 -40.000 3 switch_in a\\x20\\x0a\\\\b 7 deadline - -\n"
	"1 0.000 3 waking realfeel 456 rt:95 - -\n"
	"1 0.900 3 lost - - - 17 -\n"
	"1 1.500 3 softirq_entry NET_RX 3 - - -\n"
	"1 2.001 3 irq_entry eth\\x090 9 - - -\n"
	"1 21672.100 3 switch_out hog 123 rt:97 R -\n"
	"1 21672.100 3 switch_in realfeel 456 rt:95 - -\n";

static void test_kinds(void)
{
	char expected[1024];

	begin();
	wake_up(21680000, all_kinds());
	snprintf(expected, sizeof(expected), TITLE "%s", all_lines);
	is_printed(3, expected, "each kind of record, the oldest first");
}

/* How a task left the CPU: the kernel's bits, and the letters that it prints for them. */
static void test_states(void)
{
	static const struct { int64_t bits; const char *letters; } states[] = {
		{ 0, "R" }, { 0x100, "R" }, { 1, "S" }, { 2, "D" }, { 4, "T" }, { 8, "t" }, { 0x10, "X" }, { 0x20, "Z" },
		{ 0x40, "P" }, { 0x80, "I" }, { 0x104, "T" }, { 6, "DT" },
	};
	char expected[256];

	for (size_t i = 0; i < sizeof(states) / sizeof(*states); i++) {
		begin();
		wake_up(1000, fake_switch(data, FAKE_STOCK, DUE_NS, &hog, states[i].bits, &idle));
		snprintf(expected, sizeof(expected), TITLE "1 0.000 - switch_out hog 123 rt:97 %s -\n"
			 "1 0.000 - switch_in swapper/0 0 - - -\n", states[i].letters);
		is_printed(-1, expected, states[i].letters);
	}
}

/* Who may call itself anything is not taken for nobody. */
static void test_names(void)
{
	static const struct { const char *name, *word; } names[] = {
		{ "", "-" }, { "-", "\\x2d" }, { "--", "--" }, { " ", "\\x20" }, { "\\x2d", "\\\\x2d" }, { "a-b", "a-b" },
		{ "a b\n\xe2\x80\xae", "a\\x20b\\x0a\\xe2\\x80\\xae" },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		char *text, expected[64];
		size_t size;
		const struct printer printer = { .out = open_memstream(&text, &size), .event = 1 };

		print_line(&printer, &(struct trace_record){ .at_ns = 0 }, false, "waking", names[i].name, "", "", "");
		fclose(printer.out);
		snprintf(expected, sizeof(expected), "1 0.000 - waking %s - - - -\n", names[i].word);
		is_text(text, expected, names[i].word);
		free(text);
	}
}

static void test_priorities(void)
{
	static const struct { int prio; const char *word, *name; } priorities[] = {
		{ 2, "rt:97", "a real-time priority is printed" },
		{ 0, "rt:99", "the highest real-time priority is printed" },
		{ 120, "nice:0", "an ordinary task has a nice value" },
		{ 100, "nice:-20", "the highest nice value is printed" },
		{ 139, "nice:19", "the lowest nice value is printed" },
		{ -1, "deadline", "a deadline task has no number" },
	};

	for (size_t i = 0; i < sizeof(priorities) / sizeof(*priorities); i++) {
		const struct trace_task task = { 7, priorities[i].prio, "sixteen-letters" };
		char *text, expected[64];
		size_t size;
		const struct printer printer = { .out = open_memstream(&text, &size), .event = 1 };

		print_task(&printer, &(struct trace_record){ .at_ns = 0 }, false, "waking", &task, "");
		fclose(printer.out);
		snprintf(expected, sizeof(expected), "1 0.000 - waking sixteen-letters 7 %s - -\n", priorities[i].word);
		is_text(text, expected, priorities[i].name);
		free(text);
	}
}

static void test_events(void)
{
	begin();
	is_printed(3, TITLE, "no event has no records");
	wake_up(1000, fake_waking(data, FAKE_STOCK, DUE_NS + 300, &meter));
	wake_up(2000, 0);
	wake_up(3000, 0);
	is_printed(3, TITLE "3 0.300 3 waking realfeel 456 rt:95 - -\n", "one event of three has a recording");
	copy.used = fake_waking(copy.data, FAKE_STOCK, DUE_NS + 3001, &meter);
	copy.used += fake_waking(copy.data + copy.used, FAKE_STOCK, DUE_NS - 700000, &meter);
	is_printed(3, TITLE "1 -700.000 3 waking realfeel 456 rt:95 - -\n3 0.300 3 waking realfeel 456 rt:95 - -\n",
		   "the event that ended the run has all records up to its stamp");
}

/* Everything in the ring, even from before the run, but nothing from after it. */
static void test_sleepless(void)
{
	begin();
	channel.sleepless = (struct event){ .stamp_ns = DUE_NS + 5000, .late_ns = 5000, .cpu = -1 };
	copy.used = fake_waking(copy.data, FAKE_STOCK, DUE_NS + 5001, &meter);
	copy.used += fake_irq(copy.data + copy.used, FAKE_STOCK, DUE_NS + 5000, 9, "eth0");
	copy.used += fake_softirq(copy.data + copy.used, FAKE_STOCK, DUE_NS - 500, 1);
	is_printed(3, TITLE "0 -0.500 3 softirq_entry TIMER 1 - - -\n0 5.000 3 irq_entry eth0 9 - - -\n",
		   "a thread that never slept has one event, as long as the run");
	channel.sleepless.late_ns = 0;
}

/* An interrupt came while the other record was made. */
static void test_order(void)
{
	unsigned used;

	begin();
	used = fake_softirq(data, FAKE_STOCK, DUE_NS + 500, 1);
	wake_up(1000, used + fake_irq(data + used, FAKE_STOCK, DUE_NS + 501, 9, "eth0"));
	is_printed(3, TITLE "1 0.500 3 softirq_entry TIMER 1 - - -\n1 0.501 3 irq_entry eth0 9 - - -\n",
		   "nested records are printed in the order of time");
}

static void test_stacks(void)
{
	const uint64_t frames[] = { 0x1010, 0x10 };
	unsigned used;
	fake_layout(&of_all, FAKE_STOCK, TRACE_STACK);
	fake_stack(frames, 2);
	begin();
	used = fake_switch(data, FAKE_STOCK, DUE_NS + 2, &hog, 1, &meter);
	wake_up(1000, used + fake_waking(data + used, FAKE_STOCK, DUE_NS + 1, &meter));
	is_printed(3, TITLE "1 0.001 3 waking realfeel 456 rt:95 - schedule+0x10<unknown\n"
		   "1 0.002 3 switch_out hog 123 rt:97 S schedule+0x10<unknown\n"
		   "1 0.002 3 switch_in realfeel 456 rt:95 - -\n", "a stack is printed with the task that leaves");
}

int main(void)
{
	fake_layout(&of_all, FAKE_STOCK, TRACE_FIELDS);
	load_symbols();
	test_kinds();
	test_states();
	test_names();
	test_priorities();
	test_events();
	test_sleepless();
	test_order();
	test_stacks();
	symbols_forget(&symbols);
	return done();
}
