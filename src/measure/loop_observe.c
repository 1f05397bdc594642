// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>

#include "measure/loop.h"
#include "measure/position.h"

#define LAST_READINGS 3			/* at the end: one cut short, a whole one, and what that had */

/* A thread of another program, and where its measurement is. */
struct observed {
	const struct loop *loop;
	struct position at;
	bool begun;			/* the first wake-up was discarded */
	uint64_t left;			/* samples */
};

/* Count a wake-up of the thread. Returns END_NONE, or why the run ends for all of them. */
static enum end count_observed(struct observed *observed)
{
	const struct loop *loop = observed->loop;
	struct source *source = loop->source;
	enum end end;

	if (loop->channel->end)
		return END_NONE;
	if (!observed->begun) {
		observed->begun = true;
		observed->at.live->asked_ns = source->ops->asked(source);
		position_begin(loop, &observed->at, source->served_ns);
		return END_NONE;
	}
	end = position_count_asked(loop, &observed->at, 1);
	if (!end && !--observed->left)
		end = END_SAMPLES;
	loop->channel->end = end;
	return end;
}

/* Leave the buffers that the keeper wants. Returns why the run ends for all threads: END_GONE if each has its end. */
static enum end answer_all(struct observed *all, unsigned count)
{
	enum end end = END_GONE;

	for (unsigned i = 0; i < count; i++) {
		const struct loop *loop = all[i].loop;

		if (loop->channel->stop)
			return loop->channel->stop;
		if (loop->source->gone && !loop->channel->end)
			loop->channel->end = END_GONE;
		if (!loop->channel->end)
			end = END_NONE;
		if (channel_wants(all[i].at.live))
			position_answer(loop, &all[i].at);
	}
	return end;
}

/* The records are read now and then, and what they had until the end is served. Threads may have ended meanwhile. */
static void serve_rest(struct observed *all, unsigned count)
{
	struct source *source = all->loop->source;
	unsigned readings = 0;
	int64_t served;

	while (readings < LAST_READINGS && (served = source->ops->wait(source, 0)) != -ESRCH) {
		if (served > 0)
			count_observed(&all[source->woken]);
		else
			readings++;
	}
	for (unsigned i = 0; i < count; i++)
		if (all[i].loop->source->gone && !all[i].loop->channel->end)
			all[i].loop->channel->end = END_GONE;
}

static enum end measure_observed(struct observed *all, unsigned count)
{
	struct source *source = all->loop->source;
	enum end end = END_NONE;

	while (!end && !(end = all->loop->channel->stop)) {
		int64_t served = source->ops->wait(source, 0);

		if (served > 0)
			end = count_observed(&all[source->woken]);
		else if (served == -EINTR || served == -ESRCH)
			end = answer_all(all, count);
		else
			end = END_FAILED;
		if (!end && served == -ESRCH)
			end = END_GONE;
	}
	if (end == END_DURATION || end == END_ASKED || end == END_LOAD)
		serve_rest(all, count);
	return end;
}

static enum end fail_all(const struct loop *loops, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		loops[i].channel->failure = ENOMEM;
	return END_FAILED;
}

void loop_observe(const struct loop *loops, unsigned count, uint64_t samples)
{
	struct observed *all = calloc(count, sizeof(*all));
	enum end end;

	for (unsigned i = 0; all && i < count; i++) {
		all[i] = (struct observed){
			.loop = &loops[i], .left = samples ? samples : UINT64_MAX,
			.at = {
				.live = &loops[i].channel->live[0],
				.smis = EVENTS_UNKNOWN, .smis_counted = EVENTS_UNKNOWN,
			},
		};
		position_begin(&loops[i], &all[i].at, monotonic_ns());
	}
	end = all ? measure_observed(all, count) : fail_all(loops, count);
	for (unsigned i = 0; i < count; i++) {
		if (all)
			position_leave(&loops[i], &all[i].at);
		if (!loops[i].channel->end)
			loops[i].channel->end = end == END_BREAK ? END_BREAK_ELSEWHERE : end;
	}
	free(all);
}
