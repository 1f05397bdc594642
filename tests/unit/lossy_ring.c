// SPDX-License-Identifier: GPL-2.0-or-later
/* The lossy ring, as the log of wake-ups: a reader that keeps up, one that does not, and one beside a writer that never rests. */
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "explain/tap.h"
#include "measure/lossy_ring.h"
#include "source/registry.h"
#include "tap.h"

#define MANY UINT64_C(20000000)

static struct wakelog racing, *interrupted;

static void add(struct wakelog *log, uint64_t number)
{
	wakelog_add(log, number, 2 * number, 3 * number);
}

static bool is_number(const struct wakelog_entry *entry, uint64_t number)
{
	return entry->due_ns == number && entry->stamp_ns == 2 * number && entry->periods == 3 * number;
}

static void test_read(struct wakelog *log)
{
	struct wakelog_entry entry;
	struct lossy_reader reader = { .next = 0 };
	unsigned wrong = 0;

	ok(!wakelog_read(log, &reader, &entry), "a new ring has nothing to read");
	for (uint64_t i = 0; i < 150; i++)
		add(log, i);
	for (uint64_t i = 0; i < 150; i++)
		wrong += !wakelog_read(log, &reader, &entry) || !is_number(&entry, i) || reader.next != i + 1;
	is(wrong, 0, "entries are read in their order");
	ok(!wakelog_read(log, &reader, &entry), "a ring that was read has nothing more");
	is(reader.lost, 0, "no entry is lost to a reader that keeps up");
}

static void test_overrun(struct wakelog *log)
{
	struct wakelog_entry entry;
	struct lossy_reader reader = { .next = 150 };
	uint64_t count = 150 + 2 * WAKELOG_SIZE;

	for (uint64_t i = 150; i < count; i++)
		add(log, i);
	ok(wakelog_read(log, &reader, &entry), "a reader that was overrun goes on");
	is(reader.lost, WAKELOG_SIZE + 1, "a reader that was overrun knows how many entries it lost");
	ok(is_number(&entry, count - WAKELOG_SIZE + 1),
	   "a reader that was overrun goes on with the oldest that is safe to read");
}

/* Just as many as there are slots but one, from anywhere in the ring: none is lost; one more, and one is. */
static void test_wrap(struct wakelog *log)
{
	struct wakelog_entry entry;
	unsigned wrong = 0, late = 0;

	for (unsigned start = 0; start < 3 * WAKELOG_SIZE; start += 1001) {
		struct lossy_reader reader = { .next = start };

		log->ring.written = start;
		for (uint64_t i = start; i < start + WAKELOG_SIZE - 1; i++)
			add(log, i);
		for (uint64_t i = start; i < start + WAKELOG_SIZE - 1; i++)
			wrong += !wakelog_read(log, &reader, &entry) || !is_number(&entry, i);
		wrong += reader.lost > 0;
		reader.next = start;
		add(log, start + WAKELOG_SIZE - 1);
		late += wakelog_read(log, &reader, &entry) && is_number(&entry, start + 1) && reader.lost == 1;
	}
	is(wrong, 0, "a ring has room for all its slots but one wherever it wraps around");
	is(late, 25, "a reader that is late by one entry loses one");
}

static void *write_many(void *argument)
{
	for (uint64_t i = 0; i < MANY; i++)
		add(argument, i);
	return NULL;
}

/* A reader that is overrun again and again, for it rests. */
static void test_race(void)
{
	struct lossy_reader reader = { .next = 0 };
	uint64_t read = 0, wrong = 0;
	struct wakelog_entry entry;
	pthread_t thread;

	pthread_create(&thread, NULL, write_many, &racing);
	while (reader.next < MANY) {
		if (!wakelog_read(&racing, &reader, &entry))
			continue;
		wrong += !is_number(&entry, reader.next - 1);
		read++;
		for (volatile unsigned rest = 0; read % 64 == 0 && rest < 20000; rest++)
			;
	}
	pthread_join(thread, NULL);
	is(wrong, 0, "each entry read beside a writer is whole");
	is(read + reader.lost, MANY, "each entry was read or is lost");
	ok(read, "some entries were read beside the writer");
}

/* All of the log is written over while the reader copies an entry that begins in the page before. */
static void write_over(int signal)
{
	(void)signal;
	mprotect(interrupted, sizeof(*interrupted), PROT_READ | PROT_WRITE);
	for (unsigned i = 0; i < WAKELOG_SIZE; i++)
		add(interrupted, interrupted->ring.written);
}

static bool is_torn(unsigned number, unsigned char *next_page)
{
	struct lossy_reader reader = { .next = number };
	struct wakelog_entry entry;

	interrupted->ring.written = 0;
	while (interrupted->ring.written < WAKELOG_SIZE - 1)
		add(interrupted, interrupted->ring.written);
	mprotect(next_page, sysconf(_SC_PAGESIZE), PROT_NONE);
	return !wakelog_read(interrupted, &reader, &entry) || !is_number(&entry, WAKELOG_SIZE) ||
	       reader.lost != WAKELOG_SIZE - number;
}

static void test_interrupted(void)
{
	size_t page = sysconf(_SC_PAGESIZE);
	unsigned tried = 0, torn = 0;

	interrupted = mmap(NULL, sizeof(*interrupted), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	signal(SIGSEGV, write_over);
	for (unsigned number = 0; number < WAKELOG_SIZE - 1; number++) {
		size_t from = offsetof(struct wakelog, entries[number]), last = from + sizeof(struct wakelog_entry) - 1;

		if (from / page == last / page)
			continue;
		tried++;
		torn += is_torn(number, (unsigned char *)interrupted + last / page * page);
	}
	ok(tried, "entries begin in one page and end in the next");
	is(torn, 0, "an entry that is written over while it is read is lost");
	munmap(interrupted, sizeof(*interrupted));
}

/* Whoever reads as often as is due, or half as often, finds each wake-up. */
static void test_often(void)
{
	static const unsigned rates[] = { 1, 2048, 40960, 40961, 81920, 81921, SOURCE_TIMER_MAX_HZ };

	for (size_t i = 0; i < sizeof(rates) / sizeof(*rates); i++)
		ok(2 * tap_reader_interval_ns(rates[i]) / 1e9 * rates[i] <= WAKELOG_SIZE,
		   "the log has room for the wake-ups of twice the time between two readings at %u Hz", rates[i]);
	ok(tap_reader_interval_ns(0), "a source without a rate is read now and then");
}

int main(void)
{
	struct wakelog *log = calloc(1, sizeof(*log));

	test_read(log);
	test_overrun(log);
	test_wrap(log);
	free(log);
	test_race();
	test_interrupted();
	test_often();
	return done();
}
