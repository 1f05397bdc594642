// SPDX-License-Identifier: GPL-2.0-or-later
/* The log of wake-ups, with a reader that keeps up, one that does not, and one beside a writer that never rests. */
#include <pthread.h>
#include <stdlib.h>

#include "tap.h"
#include "wakelog.h"

#define MANY UINT64_C(20000000)
#define ROOM 100

static struct wakelog racing;

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
	struct wakelog_entry out[ROOM];
	uint64_t next = 0, lost = 0;
	unsigned wrong = 0;

	is(wakelog_read(log, &next, &lost, out, ROOM), 0, "nothing at first");
	for (uint64_t i = 0; i < 150; i++)
		add(log, i);
	is(wakelog_read(log, &next, &lost, out, ROOM), ROOM, "as many as there is room for");
	for (uint64_t i = 0; i < ROOM; i++)
		wrong += !is_number(&out[i], i);
	is(wakelog_read(log, &next, &lost, out, ROOM), 50, "the rest");
	for (uint64_t i = 0; i < 50; i++)
		wrong += !is_number(&out[i], ROOM + i);
	is(wrong, 0, "in their order");
	is(wakelog_read(log, &next, &lost, out, ROOM), 0, "and no more");
	is(lost, 0, "none is lost");
}

static void test_overrun(struct wakelog *log)
{
	struct wakelog_entry out[ROOM];
	uint64_t next = 150, lost = 0, count = 150 + 2 * WAKELOG_SIZE;

	for (uint64_t i = 150; i < count; i++)
		add(log, i);
	is(wakelog_read(log, &next, &lost, out, 1), 1, "a reader that was overrun goes on");
	is(lost, WAKELOG_SIZE + 1, "and knows what it has lost");
	ok(is_number(&out[0], count - WAKELOG_SIZE + 1), "with the oldest that nobody may be writing over");
}

static void *write_many(void *argument)
{
	for (uint64_t i = 0; i < MANY; i++)
		add(argument, i);
	return NULL;
}

/* A reader that is overrun again and again, for it copies nearly the whole log. */
static void test_race(void)
{
	static struct wakelog_entry out[WAKELOG_SIZE];
	uint64_t next = 0, lost = 0, read = 0, wrong = 0;
	pthread_t thread;

	pthread_create(&thread, NULL, write_many, &racing);
	while (next < MANY) {
		unsigned count = wakelog_read(&racing, &next, &lost, out, WAKELOG_SIZE);

		for (unsigned i = 0; i < count; i++)
			wrong += !is_number(&out[i], next - count + i);
		read += count;
	}
	pthread_join(thread, NULL);
	is(wrong, 0, "beside a writer: each is whole, and what it is said to be");
	is(read + lost, MANY, "each was read or is lost: %llu and %llu", (unsigned long long)read,
	   (unsigned long long)lost);
	ok(read, "some were read");
}

int main(void)
{
	struct wakelog *log = calloc(1, sizeof(*log));

	test_read(log);
	test_overrun(log);
	free(log);
	test_race();
	return done();
}
