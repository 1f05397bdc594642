// SPDX-License-Identifier: GPL-2.0-or-later
/* How much of a late wake-up the guard that throttles real-time processes cannot have made. */
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#define report_decode decode_recorded
#include "report/outcome.c"
#include "tap.h"

#define DUE_NS UINT64_C(5000000000)
#define PRIO 49				/* of the meter */
#define RECORDS 8

#define METER { 99, PRIO, "realfeel" }
#define HOG { 20, 2, "hog" }
#define TWIN { 98, PRIO, "twin" }
#define DD { 10, 120, "dd" }
#define IDLE { 0, 120, "swapper/0" }
#define AT(us, what) { .kind = (what), .at_ns = DUE_NS + (us) * 1000 }
#define TO(us, ...) { .kind = TRACE_SWITCH, .at_ns = DUE_NS + (us) * 1000, .next = __VA_ARGS__ }

/* Of a wake-up that is stamped 100 us after it was due */
static const struct {
	const char *name;
	int from_us, expected_us;
	struct trace_record records[RECORDS];
} cases[] = {
	{ "nothing is known without records", 0, 0, { } },
	{ "a higher priority counts from due on, and the meter up to the stamp", 0, 80,
	  { TO(-40, HOG), TO(60, DD), TO(80, HOG), TO(95, METER), TO(900, DD) } },
	{ "an equal priority counts, and the idle task does not", 0, 60, { TO(-40, TWIN), TO(60, IDLE) } },
	{ "a higher priority counts only after the timer expired", 70, 20, { TO(-40, HOG), TO(90, DD) } },
	{ "no task is known from the record before a loss to the next switch", 0, 10,
	  { TO(30, HOG), AT(50, TRACE_LOST), AT(60, TRACE_WAKING), TO(90, METER) } },
	{ "interrupts in each other count once", 0, 35,
	  { TO(-40, IDLE), AT(10, TRACE_SOFTIRQ_ENTRY), AT(20, TRACE_VECTOR_ENTRY), AT(30, TRACE_VECTOR_EXIT),
	    AT(40, TRACE_SOFTIRQ_EXIT), AT(50, TRACE_IRQ_ENTRY), AT(55, TRACE_IRQ_EXIT) } },
	{ "a switch ends an interrupt, and an end without a beginning is ignored", 0, 10,
	  { TO(-40, DD), AT(10, TRACE_IRQ_EXIT), AT(20, TRACE_SOFTIRQ_ENTRY), TO(30, DD) } },
	{ "an interrupt counts up to the stamp", 0, 10, { TO(-40, DD), AT(90, TRACE_IRQ_ENTRY) } },
};

/* Of two wake-ups, 200 ms apart: a hog for 20 ms of each */
static const struct trace_record hogged[] = { TO(10000, HOG), TO(30000, DD), TO(250000, HOG), TO(270000, DD) };

static unsigned recorded;		/* of these */
static bool is_rt;

/* In place of the C library's. */
int uname(struct utsname *kernel)
{
	*kernel = (struct utsname){ .version = "" };
	strcpy(kernel->version, is_rt ? "#1 SMP PREEMPT_RT" : "#1 SMP");
	return 0;
}

struct trace_record *decode_recorded(const struct report *report, const struct event *event,
				     const struct recording *recording, unsigned *count)
{
	struct trace_record *records = malloc(sizeof(hogged));

	(void)report, (void)event, (void)recording;
	*count = records ? recorded : 0;
	return records ? memcpy(records, hogged, sizeof(hogged)) : NULL;
}

static void test_occupied(void)
{
	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		unsigned count = 0;

		while (count < RECORDS && cases[i].records[count].at_ns)
			count++;
		is(occupied_ns(cases[i].records, count, PRIO, DUE_NS + cases[i].from_us * 1000, DUE_NS + 100000),
		   cases[i].expected_us * 1000, "%s", cases[i].name);
	}
}

/* With parts if its timer was late. */
static struct event wakeup(uint64_t due_ms, uint64_t late_ns, int64_t expiry_ns)
{
	uint64_t stamp_ns = DUE_NS + due_ms * 1000000 + late_ns;

	return (struct event){
		.stamp_ns = stamp_ns, .episode = stamp_ns, .late_ns = late_ns,
		.parts = { .stamp_ns = expiry_ns ? stamp_ns : 0, .ns = { [PART_EXPIRY] = expiry_ns } },
	};
}

static void looks_at(bool in_thread, const struct event *first, const struct event *second, int64_t explained_ns,
		     const char *name)
{
	const struct source_ops ops = { .name = "fake", .in_thread = in_thread };
	const struct source source = { .ops = &ops };
	const struct disturbances disturbances = { .guard_ns = 50000000 };
	struct channel channel = { .began = { .policy = SCHED_FIFO, .priority = 50 } };
	struct totals *totals = totals_create(32, false);
	struct report report = { .source = &source, .channel = &channel, .totals = totals, .disturbances = &disturbances };
	struct events *events = &((struct sums *)totals_sums(totals))->events;

	events_add(events, first);
	if (second)
		events_add(events, second);
	look_at_events(&report);
	is(report.evidence.late_ns, first->late_ns, "%s: which wake-up is looked at", name);
	is(report.evidence.explained_ns, explained_ns, "%s", name);
	totals_forget(totals);
}

int main(void)
{
	const struct event late = wakeup(0, 73590000, 73160000), unmatched = wakeup(0, 73590000, 0);
	const struct event hogged_late = wakeup(0, 73590000, 15000000), explained = wakeup(200, 80000000, 40000000);

	test_occupied();
	looks_at(true, &late, NULL, 73160000, "a late timer explains a wake-up");
	looks_at(true, &unmatched, NULL, 0, "a wake-up without parts is not explained");
	recorded = sizeof(hogged) / sizeof(*hogged);
	looks_at(true, &unmatched, NULL, 20000000, "records explain a wake-up without parts");
	looks_at(true, &hogged_late, NULL, 30000000, "records explain what a late timer does not");
	looks_at(true, &hogged_late, &explained, 30000000, "the wake-up with more that is unexplained counts");
	recorded = 0;
	is_rt = true;
	looks_at(false, &late, NULL, 73160000, "a late timer explains a wake-up on PREEMPT_RT if an interrupt expires it");
	looks_at(true, &late, NULL, 0, "a late timer explains nothing if a thread expires it");
	return done();
}
