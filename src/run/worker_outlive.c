// SPDX-License-Identifier: GPL-2.0-or-later
/* The end of a meter that is not to be waited for longer than that takes. */
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "base/diag.h"
#include "host/process.h"
#include "run/worker.h"

#define PATIENCE_MS 10000

/* Returns false if nothing comes. */
static bool hear_within_patience(struct worker *worker)
{
	if (poll(&(struct pollfd){ worker->lifeline, POLLIN, 0 }, 1, PATIENCE_MS) != 1)
		return false;
	worker_hear(worker);
	return true;
}

static bool has_ended(struct worker *worker)
{
	while (!worker->over && hear_within_patience(worker))
		;
	return worker->over;
}

/* Has the meter ended, or does it wait until the machine is restored? */
static bool has_left(struct worker *worker)
{
	while (!worker->over && !worker->channel->left && hear_within_patience(worker))
		;
	return worker->over || worker->channel->left;
}

static bool has_hung_up(const struct worker *worker)
{
	struct pollfd line = { worker->lifeline, POLLIN, 0 };

	return poll(&line, 1, 0) == 1 && line.revents & POLLHUP;
}

/* A stopped meter must continue before it can end. A running one would take SIGCONT for the end of a stop. */
static void let_go_on(pid_t meter, int held)
{
	int stat = process_open(meter);

	if (stat < 0 || process_state(stat) == 'T')
		process_signal(held, meter, SIGCONT);
	if (stat >= 0)
		close(stat);
}

/*
 * Let the meter continue, and kill it if it is not done in time. A dead meter's
 * pid may belong to another process. So the process is held first: if the lifeline has
 * not hung up after that, the held process is the meter. It may be killed here, because
 * this process has the source open, too: see rtc_stop().
 */
static void await(struct worker *worker, bool (*is_done)(struct worker *worker))
{
	pid_t meter = worker->channel->meter;
	int held = meter ? process_hold(meter) : -1;
	bool alive = meter && !worker->over && !has_hung_up(worker);

	if (alive)
		let_go_on(meter, held);
	if (!is_done(worker) && alive) {
		process_signal(held, meter, SIGKILL);
		is_done(worker);
	}
	if (held >= 0)
		close(held);
}

void worker_outlive(struct worker *worker)
{
	await(worker, has_left);
}

bool worker_inherit(struct worker *worker)
{
	worker->channel->restored = true;
	await(worker, has_ended);
	worker->totals = totals_inherit(worker->totals);
	if (!worker->totals) {
		warn("map what the meter%s measured: %m; it is lost", worker_on_cpu(worker));
		return false;
	}
	worker_collect_last(worker, 0);
	return true;
}
