// SPDX-License-Identifier: GPL-2.0-or-later
/* What a whole ring held, in the words of the report. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "fake_trace.h"
#include "report_trace.h"
#include "tap.h"

#define DUE_NS 5000000

static const struct trace_task hog = { 123, 2, "hog" }, meter = { 456, 4, "realfeel" }, idle = { 0, 120, "swapper/0" };
static const struct trace_task odd = { 7, -1, "a \n\\b" };

static struct recording copy;
static struct trace_layout layout;
static struct symbols symbols;

static void add(unsigned size)
{
	copy.used += size;
}

static unsigned char *end(void)
{
	return copy.data + copy.used;
}

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

static void is_printed(const struct recording *what, const char *expected, const char *name)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	report_print_trace(out, what, &layout, &symbols, DUE_NS);
	fclose(out);
	is_text(text, expected, name);
	free(text);
}

int main(void)
{
	const uint64_t frames[] = { 0x1010, 0x10 };

	fake_layout(&layout, FAKE_STOCK, TRACE_FIELDS);
	load_symbols();
	is_printed(NULL, "", "no copy");
	is_printed(&copy, "", "an empty one");
	add(fake_switch(end(), FAKE_STOCK, DUE_NS + 21672100, &hog, 0x100, &meter));
	add(fake_irq(end(), FAKE_STOCK, DUE_NS + 2001, 9, "eth\t0"));
	add(fake_softirq(end(), FAKE_STOCK, DUE_NS + 1500, 3));
	add(fake_lost(end(), DUE_NS + 900, 17));
	add(fake_waking(end(), FAKE_STOCK, DUE_NS, &meter));
	add(fake_switch(end(), FAKE_STOCK, DUE_NS - 40000, &idle, 0, &odd));
	add(fake_switch(end(), FAKE_STOCK, DUE_NS - 50000, &meter, 1, &idle));
	is_printed(&copy,
		   "\n\n# trace\n# at_us event text\n"
		   "-50.000 sched_switch realfeel:456 rt:95 sleeps ==> idle\n"
		   "-40.000 sched_switch idle ==> a \\x0a\\\\b:7 deadline\n"
		   "0.000 sched_waking realfeel:456 rt:95\n"
		   "0.900 lost 17 records\n"
		   "1.500 softirq_entry 3 NET_RX\n"
		   "2.001 irq_handler_entry 9 eth\\x090\n"
		   "21672.100 sched_switch hog:123 rt:97 can run ==> realfeel:456 rt:95\n",
		   "each kind of record, the oldest first");
	fake_layout(&layout, FAKE_STOCK, TRACE_STACK);
	fake_stack(frames, 2);
	copy.used = fake_waking(copy.data, FAKE_STOCK, DUE_NS + 1, &meter);
	is_printed(&copy,
		   "\n\n# trace\n# at_us event text\n"
		   "0.001 sched_waking realfeel:456 rt:95 at schedule+0x10<unknown\n",
		   "with its stack");
	symbols_forget(&symbols);
	return done();
}
