// SPDX-License-Identifier: GPL-2.0-or-later
/* Rings that wrap around, forward and backward, with this test in place of the kernel. */
#include <linux/perf_event.h>
#include <stdlib.h>
#include <unistd.h>

#include "fake_trace.h"
#include "tap.h"
#include "trace/perf_ring.h"

static const struct trace_task hog = { 123, 2, "hog" }, meter = { 456, 4, "realfeel" };

static struct trace_layout layout;
static struct perf_ring ring;
static struct perf_event_mmap_page *page;

/* An empty one of so many bytes, or a page; its position is that far from where the numbers begin anew. */
static void start(enum perf_ring_kind kind, size_t size, uint64_t position)
{
	size_t page_size = sysconf(_SC_PAGESIZE);

	free(ring.memory);
	perf_ring_init(&ring, &layout, 0, size, kind);
	ring.memory = page = calloc(1, page_size + ring.size);
	page->data_head = page->data_tail = position;
	page->data_offset = page_size;
}

static void write_at(uint64_t position, const unsigned char *data, unsigned size)
{
	unsigned char *ring_data = (unsigned char *)page + page->data_offset;

	for (unsigned i = 0; i < size; i++)
		ring_data[(position + i) % ring.size] = data[i];
}

static void write_backward(const unsigned char *data, unsigned size)
{
	page->data_head -= size;
	write_at(page->data_head, data, size);
}

/* Returns false when there is no room. */
static bool write_forward(const unsigned char *data, unsigned size)
{
	if (page->data_head + size - page->data_tail > ring.size)
		return false;
	write_at(page->data_head, data, size);
	page->data_head += size;
	return true;
}

struct taken {
	unsigned count, wrong, lost;
	uint64_t next_ns;
};

static void take(void *context, const struct trace_record *record)
{
	struct taken *taken = context;

	if (record->kind == TRACE_LOST) {
		taken->lost++;
		return;
	}
	taken->wrong += record->at_ns != taken->next_ns++ || record->next.pid != meter.pid;
	taken->count++;
}

/* Records of unlike sizes, drained now and then, many times around. */
static void test_forward(void)
{
	struct taken taken = { .next_ns = 0 };
	unsigned char data[256];
	unsigned written = 0;

	start(PERF_RING_DRAINED, 1, 8 * 12345);
	while (written < 20000) {
		unsigned size = random_number() % 2 ?
			fake_switch(data, FAKE_STOCK, written, &hog, 0, &meter) :
			fake_waking(data, FAKE_STOCK, written, &meter);
		bool fits = write_forward(data, size);

		written += fits;
		if (!fits || random_number() % 20 == 0)
			perf_ring_drain(&ring, take, &taken);
	}
	perf_ring_drain(&ring, take, &taken);
	is(taken.count, written, "a forward ring: each record came out");
	is(taken.wrong, 0, "a forward ring: the records are whole, in order, and come once");
	is(page->data_tail, page->data_head, "a forward ring: reading makes room");
}

static void test_full(void)
{
	struct taken taken = { .next_ns = 0 };
	unsigned char data[256];
	unsigned written = 0;

	start(PERF_RING_DRAINED, 1, 0);
	while (write_forward(data, fake_switch(data, FAKE_STOCK, written, &hog, 0, &meter)))
		written++;
	perf_ring_drain(&ring, take, &taken);
	is(taken.count, written, "a full ring: each record came out");
	is(taken.lost, 1, "a full ring may have lost what came next");
	write_forward(data, fake_lost(data, written, 3));
	write_forward(data, fake_switch(data, FAKE_STOCK, written, &hog, 0, &meter));
	perf_ring_drain(&ring, take, &taken);
	is(taken.lost, 2, "a ring that was full reports how many it lost");
	is(taken.count, written + 1, "a ring that was full goes on after the loss");
}

/* Two readers of one ring, in which nobody waits for them. */
static void test_common(void)
{
	struct taken taken = { .next_ns = 0 }, other_taken = { .next_ns = 0 };
	struct perf_ring other;
	unsigned char data[256];
	unsigned written = 0;

	start(PERF_RING_COMMON, 1, 0);
	other = ring;
	while (written < 5000) {
		unsigned size = fake_switch(data, FAKE_STOCK, written++, &hog, 0, &meter);

		write_at(page->data_head, data, size);
		page->data_head += size;
		if (random_number() % 2)
			perf_ring_drain(&ring, take, &taken);
	}
	perf_ring_drain(&ring, take, &taken);
	is(taken.count, 5000, "a common ring: each record came out");
	is(taken.wrong + taken.lost, 0, "a common ring: the records are whole, in order, and come once");
	is(page->data_tail, 0, "a common ring is only read");
	perf_ring_drain(&other, take, &other_taken);
	is(other_taken.lost, 1, "a reader that was slow has lost some records");
	is(other_taken.count, 0, "a reader that was slow takes nothing that was written over");
	other_taken.next_ns = written;
	write_at(page->data_head, data, fake_switch(data, FAKE_STOCK, written, &hog, 0, &meter));
	page->data_head += fake_switch(data, FAKE_STOCK, written, &hog, 0, &meter);
	perf_ring_drain(&other, take, &other_taken);
	is(other_taken.count, 1, "a reader that was slow takes the next record");
	is(other_taken.wrong, 0, "a reader that was slow takes the next record as it is");
}

/* One record a microsecond, each second one a switch, up to the newest. */
static void fill_up_to(unsigned newest_us, unsigned records)
{
	unsigned char data[256];

	for (unsigned i = 0; i < records; i++) {
		uint64_t at_ns = 1000 * (newest_us + 1 + i - records);

		write_backward(data, i % 2 ? fake_waking(data, FAKE_STOCK, at_ns, &meter) :
					     fake_switch(data, FAKE_STOCK, at_ns, &hog, 0, &meter));
	}
}

static void fill(unsigned records)
{
	fill_up_to(1000, records);
}

static struct recordings recordings;
static struct recording recording;
static struct trace_record records[5000];

static unsigned record(uint64_t due_ns, uint64_t stamp_ns)
{
	perf_ring_keep(&ring, &recordings, 3, due_ns, stamp_ns);
	recording_keep(&recording, &recordings, 3, stamp_ns);
	return fake_decode(&layout, recording.data, recording.used, records, 5000);
}

static void test_window(uint64_t position, const char *where)
{
	start(PERF_RING_BACKWARD, 1, position);
	fill(1000);
	is(record(990500, 995500), 7, "%s: the records between due and stamp, back to a switch", where);
	is(records[0].at_ns, 989000, "%s: the records begin with a switch before due", where);
	is(records[0].kind, TRACE_SWITCH, "%s: the first record is a switch", where);
	is(records[6].at_ns, 995000, "%s: the records end with the last before the stamp", where);
	is(record(989500, 1000000), 12, "%s: the records may end with the newest", where);
	is(record(1000000, 1000000), 2, "%s: a wake-up that was never late has two records", where);
	is(records[0].at_ns, 999000, "%s: a wake-up that was never late has the switch before it", where);
}

/* The ring is shorter than what is asked for. */
static void test_end(void)
{
	unsigned count;

	start(PERF_RING_BACKWARD, 1, 0);
	fill(1000);
	count = record(1, 1000000);
	ok(count > 30 && count < 100, "a ring shorter than the lateness gives all that it holds: %u", count);
	is(records[count - 1].at_ns, 1000000, "a short ring gives its newest record");
	is(records[0].at_ns, 1000 * (1001 - count), "a short ring gives its records without a gap");
	is(record(1, 500000), 0, "a short ring has nothing from before its oldest record");
	start(PERF_RING_BACKWARD, 1, 0);
	fill(3);
	is(record(1, 1000000), 3, "a ring that was hardly used gives what it has");
	start(PERF_RING_BACKWARD, 1, 0);
	is(record(1, 1000000), 0, "an empty ring gives no records");
}

/* On another CPU: the kernel is overwriting the oldest records, and has not counted that yet. */
static void test_being_written(void)
{
	const struct perf_event_header header = { .type = PERF_RECORD_SAMPLE, .size = 16 };
	unsigned count;

	start(PERF_RING_BACKWARD, 1, 0);
	fill(1000);
	for (unsigned i = 1; i <= 50; i++)
		write_at(page->data_head - i * sizeof(header), (const unsigned char *)&header, sizeof(header));
	count = record(1, 1000000);
	ok(count > 20, "records are kept while the kernel writes: %u", count);
	is(records[0].at_ns, 1000 * (1001 - count), "no record is kept that is being overwritten");
}

/* Of a storm of interrupts all is kept that the ring holds. */
static void test_room(void)
{
	static struct recording copy;
	unsigned count, all;

	start(PERF_RING_BACKWARD, PERF_RING_SIZE, 24);
	fill_up_to(20000, 20000);
	count = record(1, 20000000);
	ok(recording.used > PERF_RING_SIZE - 1200, "a recording may be nearly as long as the ring");
	is(records[0].at_ns, 1000 * (UINT64_C(20001) - count), "a long recording has no gap");
	perf_ring_copy(&ring, &copy);
	all = fake_decode(&layout, copy.data, copy.used, records, 5000);
	ok(all > count && all < count + 20, "a copy of a paused ring has its oldest records");
	for (unsigned slot = 8; slot < RECORDING_SLOTS; slot++)
		perf_ring_keep(&ring, &recordings, slot, 1, 20000000);
	recording_keep(&recording, &recordings, RECORDING_SLOTS - 1, 20000000);
	all = fake_decode(&layout, recording.data, recording.used, records, 5000);
	is(recording.used, RECORDING_LEAST, "the last of many recordings is cut");
	ok(all >= RECORDING_LEAST / 100 && all < count, "a recording that is cut has %u of %u records", all, count);
	is(records[all - 1].at_ns, 20000000, "a recording that is cut has the newest record");
	is(records[0].at_ns, 1000 * (UINT64_C(20001) - all), "a recording is cut between two records");
	start(PERF_RING_BACKWARD, PERF_RING_SIZE, 0);
	perf_ring_copy(&ring, &copy);
	is(fake_decode(&layout, copy.data, copy.used, records, 5000), 0, "a copy of an empty ring has no records");
}

int main(void)
{
	fake_layout(&layout, FAKE_STOCK, TRACE_FIELDS);
	test_forward();
	test_full();
	test_common();
	test_window(0, "at the start");
	for (unsigned i = 0; i < 512; i += 63)
		test_window(8 * i, "anywhere");
	test_end();
	test_being_written();
	test_room();
	free(ring.memory);
	return done();
}
