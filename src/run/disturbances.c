// SPDX-License-Identifier: GPL-2.0-or-later
/* What disturbs a meter, its children or the thread that it measures, looked for once a second. */
#include <sched.h>
#include <unistd.h>

#include "host/sysfile.h"
#include "run/worker.h"

static void note_seen(const struct worker *worker, enum seen seen, bool found, uint64_t ms)
{
	if (found)
		totals_see(worker->totals, seen, totals_seen_ms(worker->totals, seen) + ms);
}

/* A meter that has ended gives up its rights, so its scheduling no longer counts. */
static void look_at_meter(struct worker *worker, uint64_t ms)
{
	const struct channel *channel = worker->channel;
	struct sched_state meter, children;
	bool traced = sysfile_count(sysfile_path("/proc/%d/status", worker->pid), "TracerPid");

	sched_state_look(worker->pid, &meter);
	children_look(&channel->children, &children);
	if (channel->end)
		return;
	note_seen(worker, SEEN_SCHED, sched_state_differs(&meter, &channel->began), ms);
	note_seen(worker, SEEN_CHILD_SCHED,
		  children.cpus && sched_state_differs(&children, &channel->children.began), ms);
	note_seen(worker, SEEN_TRACED, traced, ms);
	note_seen(worker, SEEN_FROZEN, worker->freezer.frozen, ms);
	if (channel->began.policy != SCHED_OTHER)	/* the kernel throttles only ordinary processes */
		return;
	worker->throttled_us += cgroup_throttled_look(&worker->throttled, worker->pid);
	totals_see(worker->totals, SEEN_THROTTLED, worker->throttled_us / 1000);
}

static void look_at_thread(struct worker *worker, uint64_t ms)
{
	const struct thread *thread = &worker->channel->thread;
	int stat = process_open(thread->id);
	char state = process_state(stat);
	struct sched_state now;

	close(stat);
	sched_state_look(thread->id, &now);
	if (worker->channel->end || !state || state == 'Z')
		return;
	note_seen(worker, SEEN_THREAD_STOPPED, state == 'T' || state == 't', ms);
	note_seen(worker, SEEN_THREAD_SCHED,
		  thread->state.cpus && sched_state_differs(&now, &thread->state), ms);
}

void worker_look_for_disturbances(struct worker *worker)
{
	const struct channel *channel = worker->channel;
	uint64_t since_ns = worker->seen_ns, now_ns = monotonic_ns();
	/* What a check finds is assumed to have lasted since the previous check. */
	uint64_t ms = greater((now_ns - since_ns) / 1000000, 1);

	if (worker->monitor) {
		const struct disturbances *seen = &worker->monitor->seen;

		totals_see(worker->totals, SEEN_STEAL, seen->steal.ms[1 + worker->cpu]);
		totals_see(worker->totals, SEEN_SUSPENDED, seen->suspended_ns / 1000000);
		totals_see(worker->totals, SEEN_CLOCK_SET, seen->clock_sets + (seen->clock_step_ns + 999999) / 1000000);
	}
	totals_see(worker->totals, SEEN_STOPPED, channel->stopped_ms);
	totals_see(worker->totals, SEEN_CHILD_STOPPED, channel->children.stopped_ms);
	totals_see(worker->totals, SEEN_FROZEN, channel->frozen);
	if (!worker_is_alive(worker) || !worker->measures || channel->end)
		return;
	worker->seen_ns = now_ns;
	if (!since_ns)
		cgroup_throttled_look(&worker->throttled, worker->pid);
	else if (worker->source.threads)
		look_at_thread(worker, ms);
	else
		look_at_meter(worker, ms);
}
