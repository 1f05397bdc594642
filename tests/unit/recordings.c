// SPDX-License-Identifier: GPL-2.0-or-later
/* What was recorded before the worst wake-ups stays with them, whoever is killed. */
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure/channel.h"
#include "killed.h"
#include "measure/totals.h"
#include "tap.h"

#define PERIOD 1000000
#define WAKEUPS 100			/* in a buffer */

/* Of each wake-up another recording, some kB long, which tells by every byte of which. */
static uint32_t length_of(uint64_t stamp_ns)
{
	return stamp_ns * 7919 % 7000;
}

static void record(struct recordings *recordings, unsigned slot, uint64_t stamp_ns)
{
	static unsigned char data[RECORDING_SIZE];
	uint32_t size = recordings_begin(recordings, slot, length_of(stamp_ns)), half = size / 2;

	memset(data, stamp_ns % 251, size);
	recordings_write(recordings, slot, 0, data, half);
	recordings_write(recordings, slot, half, data, size - half);
	recordings_seal(recordings, slot, size, stamp_ns);
}

static bool tells_of(const struct recording *recording, uint64_t stamp_ns)
{
	uint32_t alike = 0;

	if (!recording || recording->stamp_ns != stamp_ns)
		return false;
	while (alike < recording->used && recording->data[alike] == stamp_ns % 251)
		alike++;
	return alike == length_of(stamp_ns);
}

static void count(struct counters *live, uint64_t now, int64_t late)
{
	struct event event = { .stamp_ns = now, .episode = now, .late_ns = late };
	int slot;

	counters_count(live, now, late, 0, 1, PERIOD);
	slot = counters_keep(live, &event);
	if (slot >= 0 && live->recordings)
		record(live->recordings, slot, now);
}

/* Buffer of that number: stamps go on where those of the one before end. */
static void fill(struct counters *live, uint64_t number)
{
	counters_clear(live);
	live->from_ns = number * WAKEUPS * PERIOD;
	for (uint64_t i = 1; i <= WAKEUPS; i++)
		count(live, live->from_ns + i * PERIOD + number, 10 * number + random_number() % 20000);
}

static struct totals *create(void)
{
	return totals_create(TOTALS_SLICES, true);
}

static void add(struct totals *totals, struct counters *live, uint64_t number)
{
	fill(live, number);
	totals_add(totals, live, PERIOD);
}

/* How many of the worst have a recording other than theirs, or none. */
static unsigned wrong_in(const struct totals *totals)
{
	const struct events *events = &totals_sums(totals)->events;
	unsigned wrong = 0;

	for (unsigned i = 0; i < events->count; i++)
		wrong += !tells_of(totals_recording(totals, &events->worst[i]), events->worst[i].stamp_ns);
	return wrong;
}

static void test_added(struct counters *live)
{
	struct totals *totals = create();
	unsigned wrong = 0;

	for (uint64_t number = 0; number < 500; number++) {
		add(totals, live, number);
		wrong += wrong_in(totals);
	}
	is(totals_sums(totals)->events.count, EVENTS_MAX, "the worst of 500 buffers fill all the room");
	is(wrong, 0, "the recordings are those of the worst after each buffer");
	totals_forget(totals);
}

/* The meter may be killed when the event is kept and nothing is recorded yet. */
static void test_unsealed(struct counters *live)
{
	struct totals *totals = create();
	const struct events *events = &live->events;
	struct event worst = { .stamp_ns = PERIOD * UINT64_C(1000), .episode = 1, .late_ns = 1000000 };

	fill(live, 3);
	counters_count(live, worst.stamp_ns, worst.late_ns, 0, 1, PERIOD);
	ok(counters_keep(live, &worst) >= 0, "a place is given to the recording of the worst");
	ok(counters_is_whole(live), "a buffer counts without the recording of its worst");
	totals_add(totals, live, PERIOD);
	is(wrong_in(totals), 1, "a worst wake-up that was not recorded has no recording of another");
	is(events->count, EVENTS_MAX, "the slot of the worst was used before");
	worst.late_ns = 1;
	is(counters_keep(live, &worst), -1, "no place is given to a wake-up that is not kept");
	totals_forget(totals);
}

static void test_without(void)
{
	struct channel *channel = channel_create(SINCE_DUE, EXPLAIN_OFF);
	struct totals *totals = create();
	struct counters *live = &channel->live[0];

	add(totals, live, 1);
	is(wrong_in(totals), EVENTS_MAX, "nothing is recorded unless it is asked for");
	totals_forget(totals);
	munmap(channel, channel->size);
}

/* Longer and shorter ones, in the same slots again and again, as in a storm. */
static void test_chunks(void)
{
	static struct recordings recordings;
	uint32_t least = RECORDING_SIZE, most = 0;
	unsigned cut = 0;

	for (unsigned i = 0; i < 100000; i++) {
		uint32_t wanted = random_number() % 4 ? random_number() % 9000 : random_number() % RECORDING_SIZE;
		uint32_t had = recordings_begin(&recordings, random_number() % RECORDING_SLOTS, wanted);

		cut += had < wanted;
		if (had < wanted && had < least)
			least = had;
		if (had > most)
			most = had;
	}
	ok(least >= RECORDING_LEAST, "each of 100,000 recordings has room for its least: %u", least);
	ok(most > RECORDING_SIZE / 100 * 99, "a recording has the room it needs if few are long: %u", most);
	ok(cut, "some recordings are cut if many are long");
	memset(&recordings, 0, offsetof(struct recordings, data));
	is(recordings_begin(&recordings, 0, RECORDING_SIZE), RECORDING_SIZE,
	   "a cleared buffer has room for a recording as long as a ring");
	is(recordings_begin(&recordings, 0, 8 * RECORDING_SIZE), RECORDING_SIZE,
	   "a cleared buffer has no room for more than a report keeps");
}

/* Who clears a buffer may be killed at any instruction, and the next is to find where its recordings are. */
static void test_cleared(struct counters *live)
{
	struct recordings *volatile *seen = &live->recordings;
	unsigned gone = 0;
	pid_t pid = fork();

	while (pid == 0)
		counters_clear(live);
	for (unsigned look = 0; look < 10000000; look++)
		gone += !*seen;
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	is(gone, 0, "a buffer keeps its recordings while it is cleared");
}

/* Who goes on finds all that the sums name, and goes on with the buffer after them. */
static bool recorded_wrong(struct totals *totals, struct counters *live)
{
	unsigned wrong = wrong_in(totals);

	add(totals, live, totals_sums(totals)->buffers);
	return wrong + wrong_in(totals) > 0;
}

int main(void)
{
	struct channel *channel = channel_create(SINCE_DUE, EXPLAIN_BLAME);

	ok(channel && channel->live[0].recordings && channel->live[1].recordings, "both buffers have recordings");
	test_added(&channel->live[0]);
	test_unsealed(&channel->live[1]);
	test_without();
	test_chunks();
	test_cleared(&channel->live[0]);
	is(killed_wrong(&(struct killed){ add, recorded_wrong }, &channel->live[0]), 0,
	   "each of the worst has its own recording after a kill");
	munmap(channel, channel->size);
	return done();
}
