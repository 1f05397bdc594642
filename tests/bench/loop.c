// SPDX-License-Identifier: GPL-2.0-or-later
/* The program's own loop on the stubbed wait: loop monotonic|tsc. A loop of nothing but that wait: loop bare. */
#include <stdio.h>
#include <string.h>

#include "measure/loop.h"
#include "stub.h"

static int64_t wait_for_stub(struct source *source, uint64_t due_ns)
{
	(void)source;
	stub_wait(due_ns);
	return 0;
}

static void run_bare(struct source *source)
{
	int64_t (*volatile const wait)(struct source *, uint64_t) = source->ops->wait;

	for (uint64_t due_ns = source->anchor_ns; ; due_ns += source->period_ns)
		wait(source, due_ns);
}

static int run(struct source *source, const char *clock_name)
{
	struct channel *channel = channel_create(SINCE_DUE, EXPLAIN_OFF);
	struct clock clock;
	struct loop loop = { .channel = channel, .source = source, .clock = &clock, .smis = -1 };

	if (!channel || clock_open(&clock, clock_name) < 0)
		return 1;
	source->anchor_ns = monotonic_ns();
	loop_run(&loop, 1, 0);
	return channel->end;
}

int main(int argc, char **argv)
{
	static const struct source_ops ops = { .name = "stub", .wait = wait_for_stub };
	struct source source = {
		.ops = &ops, .hz = STUB_HZ, .period_ns = 1000000000 / STUB_HZ,
		.anchor_ns = monotonic_ns(),
	};
	const char *name = argc > 1 ? argv[1] : "bare";

	if (strcmp(name, "bare"))
		return run(&source, name);
	run_bare(&source);
}
