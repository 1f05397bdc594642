// SPDX-License-Identifier: GPL-2.0-or-later
/* What disturbs a meter while it measures: looked for once a second, and noted in its totals. */
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "host/cpu_facts.h"
#include "run/worker.h"

/* What a look finds is assumed to have lasted since the previous look. */
static void see(const struct worker *worker, enum seen seen, bool found, uint64_t since_ns)
{
	uint64_t ms = (monotonic_ns() - since_ns) / 1000000;

	if (found)
		totals_see(worker->totals, seen, totals_seen_ms(worker->totals, seen) + greater(ms, 1));
}

/* A meter that has ended gives up its rights, so its scheduling no longer counts. */
static void look_at_meter(struct worker *worker, uint64_t since_ns)
{
	const struct cpus own = { .count = worker->cpu >= 0, .number = { worker->cpu } };
	const struct channel *channel = worker->channel;
	struct sched_state meter, children;
	bool traced = process_tracer(worker->pid);
	char idle_latency[sizeof(channel->idle_latency)];

	sched_state_look(worker->pid, &meter);
	children_look(&channel->children, &children);
	cpu_facts(&own, cpu_idle_latency, idle_latency, sizeof(idle_latency));
	if (channel->end)
		return;
	see(worker, SEEN_SCHED, sched_state_differs(&meter, &channel->began), since_ns);
	see(worker, SEEN_CHILD_SCHED, children.cpus && sched_state_differs(&children, &channel->children.began),
	    since_ns);
	see(worker, SEEN_TRACED, traced, since_ns);
	see(worker, SEEN_FROZEN, worker->freezer.frozen, since_ns);
	see(worker, SEEN_IDLE_LATENCY,
	    strcmp(idle_latency, "unknown") && strcmp(idle_latency, channel->idle_latency), since_ns);
	if (channel->began.policy != SCHED_OTHER)	/* the kernel throttles only ordinary processes */
		return;
	worker->throttled_us += cgroup_throttled_look(&worker->throttled, worker->pid);
	totals_see(worker->totals, SEEN_THROTTLED, worker->throttled_us / 1000);
}

static void look_at_thread(struct worker *worker, uint64_t since_ns)
{
	pid_t thread = worker->channel->thread.id;
	int stat = process_open(thread);
	char state = process_state(stat);
	struct sched_state now;

	close(stat);
	sched_state_look(thread, &now);
	if (worker->channel->end || !state || state == 'Z')
		return;
	see(worker, SEEN_THREAD_STOPPED, state == 'T' || state == 't', since_ns);
	see(worker, SEEN_THREAD_SCHED,
	    worker->thread_began.cpus && sched_state_differs(&now, &worker->thread_began), since_ns);
}

void worker_seen_look(struct worker *worker)
{
	const struct channel *channel = worker->channel;
	uint64_t since_ns = worker->seen_ns;

	if (worker->monitor) {
		const struct disturbances *seen = &worker->monitor->seen;

		totals_see(worker->totals, SEEN_STEAL, steal_of(&seen->steal, worker->cpu));
		totals_see(worker->totals, SEEN_SUSPENDED, seen->suspended_ns / 1000000);
		totals_see(worker->totals, SEEN_CLOCK_SET, seen->clock_sets + (seen->clock_step_ns + 999999) / 1000000);
	}
	totals_see(worker->totals, SEEN_STOPPED, channel->stopped_ms);
	totals_see(worker->totals, SEEN_CHILD_STOPPED, channel->children.stopped_ms);
	totals_see(worker->totals, SEEN_FROZEN, channel->frozen);
	if (!worker_is_alive(worker) || !worker->heard || channel->end)
		return;
	worker->seen_ns = monotonic_ns();
	if (!since_ns) {
		/* The threads of a command do not exist yet, and it may give them any scheduling. */
		worker->thread_began = channel->thread.state;
		cgroup_throttled_look(&worker->throttled, worker->pid);
	} else if (worker->source.threads) {
		look_at_thread(worker, since_ns);
	} else {
		look_at_meter(worker, since_ns);
	}
}
