// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "measure/events.h"
#include "tap.h"

#define MANY 10000

static int descending(const void *a, const void *b)
{
	int64_t first = *(const int64_t *)a, second = *(const int64_t *)b;

	return (first < second) - (first > second);
}

/* The heap against a sort of all. */
static void test_worst(void)
{
	static int64_t all[MANY];
	struct events events = { .ordinary_ns = INT64_MIN };
	unsigned wrong = 0;

	is(events_ordinary(&events), INT64_MIN, "no lateness is ordinary at first");
	for (int i = 0; i < MANY; i++) {
		struct event event = { .stamp_ns = i, .episode = i, .late_ns = random_number() % 5000 };

		all[i] = event.late_ns;
		events_add(&events, &event);
	}
	qsort(all, MANY, sizeof(*all), descending);
	is(events_ordinary(&events), all[EVENTS_MAX - 1], "a lateness up to the least that is kept is ordinary");
	events_sort(&events);
	is(events.count, EVENTS_MAX, "the events fill all the room");
	for (unsigned i = 0; i < EVENTS_MAX; i++)
		wrong += events.worst[i].late_ns != all[i];
	is(wrong, 0, "the worst of %d events are kept, the worst first", MANY);
}

static void test_few(void)
{
	struct events events = { .ordinary_ns = INT64_MIN };

	for (int i = 0; i < 3; i++)
		events_add(&events, &(struct event){ .stamp_ns = i, .episode = i, .late_ns = 7 });
	events_sort(&events);
	is(events.count, 3, "three of three are kept");
	is(events.worst[0].stamp_ns, 0, "equally late events keep their order");
	is(events.worst[2].stamp_ns, 2, "equally late events keep their order to the last");
}

/* A run in many stretches, each of which keeps what is worse than all before it was, against one list of all. */
static void test_merged(void)
{
	struct events all = { .ordinary_ns = INT64_MIN }, merged = all, stretch[2] = { all, all };
	unsigned now = 0, kept = 0, wrong = 0;

	for (int i = 0; i < 50 * MANY; i++) {
		struct event event = { .stamp_ns = i, .episode = i, .late_ns = random_number() % (1 + random_number() % 5000) };

		events_add(&all, &event);
		if (event.late_ns > events_ordinary(&stretch[now])) {
			events_add(&stretch[now], &event);
			kept++;
		}
		if (random_number() % 2000)
			continue;
		events_go_on_from(&stretch[!now], &stretch[now]);
		events_merge(&merged, &stretch[now]);
		events_clear(&stretch[now]);
		events_go_on_from(&stretch[now], &merged);
		now = !now;
	}
	events_merge(&merged, &stretch[now]);
	events_sort(&all);
	events_sort(&merged);
	for (unsigned i = 0; i < EVENTS_MAX; i++)
		wrong += merged.worst[i].stamp_ns != all.worst[i].stamp_ns;
	is(merged.count, EVENTS_MAX, "merged stretches keep as many events as there is room for");
	is(wrong, 0, "merged stretches keep the events that one list keeps");
	ok(kept < 1000, "few events are looked at: %u of %d", kept, 50 * MANY);
}

/* Who holds a slot is told by it at any time: no two kept have the same. */
static void test_slots(void)
{
	struct events events = { .ordinary_ns = INT64_MIN };
	uint64_t holders[EVENTS_MAX] = { 0 };
	unsigned wrong = 0;

	for (int i = 0; i < MANY; i++) {
		struct event event = { .stamp_ns = i, .episode = i, .late_ns = i + random_number() % 5000, .slot = 77 };
		bool kept = i < EVENTS_MAX || event.late_ns > events_ordinary(&events);
		int slot = events_add(&events, &event);

		wrong += (slot >= 0) != kept || slot >= EVENTS_MAX;
		if (slot >= 0 && slot < EVENTS_MAX)
			holders[slot] = event.stamp_ns;
		for (unsigned k = 0; k < events.count; k++)
			wrong += holders[events.worst[k].slot] != events.worst[k].stamp_ns;
	}
	is(wrong, 0, "each event that is kept has a slot of its own");
}

/* The worst of each episode, by a run in many stretches, against a search of all. */
static void test_episodes(void)
{
	static int64_t worst[MANY];
	struct events merged = { .ordinary_ns = INT64_MIN }, stretch = merged;
	unsigned episodes = 0, wrong = 0;

	for (int i = 0; i < MANY; i++) {
		struct event event = { .stamp_ns = i, .late_ns = random_number() % 1000000 };

		episodes += i && random_number() % 8 == 0;
		event.episode = episodes;
		if (event.late_ns > worst[episodes])
			worst[episodes] = event.late_ns;
		if (event.late_ns > events_ordinary(&stretch))
			events_add(&stretch, &event);
		if (random_number() % 20)
			continue;
		events_merge(&merged, &stretch);
		events_clear(&stretch);
		events_go_on_from(&stretch, &merged);
	}
	events_merge(&merged, &stretch);
	events_sort(&merged);
	qsort(worst, MANY, sizeof(*worst), descending);
	for (unsigned i = 0; i < EVENTS_MAX; i++)
		wrong += merged.worst[i].late_ns != worst[i];
	is(wrong, 0, "the worst of %u episodes are kept, each by its worst event", episodes);
}

static void test_place_of_episode(void)
{
	struct events events = { .ordinary_ns = INT64_MIN };

	is(events_add(&events, &(struct event){ .stamp_ns = 1, .episode = 1, .late_ns = 50 }), 0,
	   "the first event of an episode gets a slot");
	is(events_add(&events, &(struct event){ .stamp_ns = 2, .episode = 1, .late_ns = 50 }), -1,
	   "an event no worse than its episode gets no slot");
	is(events_add(&events, &(struct event){ .stamp_ns = 3, .episode = 1, .late_ns = 60 }), 0,
	   "a worse event of an episode gets the same slot");
	is(events_add(&events, &(struct event){ .stamp_ns = 4, .episode = 2, .late_ns = 10 }), 1,
	   "a second episode gets another slot");
	is(events.count, 2, "two episodes are two events");
}

int main(void)
{
	test_worst();
	test_few();
	test_merged();
	test_slots();
	test_episodes();
	test_place_of_episode();
	return done();
}
