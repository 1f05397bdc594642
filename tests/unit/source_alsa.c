// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the kernel's records of expiries say: how many periods, and the stamp of
 * each. The records come through a pipe.
 */
#include <sound/asound.h>
#include <stdlib.h>
#include <unistd.h>

#include "source/registry.h"
#include "tap.h"

#define PERIOD 1000000
#define ANCHOR UINT64_C(50000000000)
#define DUE(k) (ANCHOR + (k) * (uint64_t)PERIOD)

static int pipe_to;

static struct source started(void)
{
	struct source source = { .ops = &source_alsa, .hz = 1000, .period_ns = PERIOD, .anchor_ns = ANCHOR };
	int ends[2];

	if (pipe(ends) < 0)
		abort();
	source.fd = ends[0];
	pipe_to = ends[1];
	return source;
}

static void expire(uint64_t stamp_ns, uint64_t ticks)
{
	struct snd_timer_tread record = {
		.event = SNDRV_TIMER_EVENT_TICK, .val = ticks,
		.tstamp = { .tv_sec = stamp_ns / 1000000000, .tv_nsec = stamp_ns % 1000000000 },
	};

	if (write(pipe_to, &record, sizeof(record)) != sizeof(record))
		abort();
}

/* Compare the oldest count stamps; the others are not read. */
static void serves(const char *what, uint64_t from, uint64_t stamp_ns, uint64_t ticks, int64_t periods, int count,
		   const uint64_t stamps[])
{
	struct source source = started();

	expire(stamp_ns, ticks);
	is(source.ops->wait(&source, DUE(from)), periods, "%s: %lld periods", what, (long long)periods);
	for (int i = 0; i < count; i++)
		is(source.ops->asked(&source), stamps[i], "stamp of period %d", (int)from + i);
}

static void test_on_time(void)
{
	serves("the reader is in time", 1, DUE(1) + 15000, PERIOD, 1, 1, (uint64_t[]){ DUE(1) + 15000 });
	serves("the reader is late", 5, DUE(8) + 20000, 4 * PERIOD, 4, 4,
	       (uint64_t[]){ DUE(5) + 20000, DUE(6) + 20000, DUE(7) + 20000, DUE(8) + 20000 });
}

/* Late by 3.5 periods: the expiries for periods 5 to 8 add 3, 2, 1 and no ticks. */
static void test_late_timer(void)
{
	uint64_t stamp = DUE(8) + 500000;

	serves("the timer is late", 5, stamp, 4 * PERIOD + 6, 4, 4, (uint64_t[]){ stamp, stamp, stamp, stamp });
	serves("the timer was late, and the reader before", 3, stamp, 6 * PERIOD + 6, 6, 6,
	       (uint64_t[]){ stamp - 5 * PERIOD, stamp - 4 * PERIOD, stamp, stamp, stamp, stamp });
	serves("the reader comes between two expiries", 5, stamp, PERIOD + 3, 1, 1, (uint64_t[]){ stamp });
	serves("the first of two are read", 5, stamp, 2 * PERIOD + 5, 2, 2, (uint64_t[]){ stamp, stamp });
}

/* A stall of 2 s adds more ticks than a period has. */
static void test_long_stall(void)
{
	uint64_t stamp = DUE(2001) + 900000, surplus = 2000 * 2001 / 2;

	serves("the timer is late by 2 s", 1, stamp, UINT64_C(2001) * PERIOD + surplus, 2001, 2,
	       (uint64_t[]){ stamp, stamp });
	serves("the reader is late by 7 s, and the ticks are more than 32 bits", 1, DUE(7000) + 15000,
	       UINT64_C(7000) * PERIOD % (UINT64_C(1) << 32), 7000, 2,
	       (uint64_t[]){ DUE(1) + 15000, DUE(2) + 15000 });
	serves("the timer is late by 7 s, and so is the reader", 1, DUE(7000) + 15000,
	       (UINT64_C(7000) * PERIOD + 6999 * 7000 / 2) % (UINT64_C(1) << 32), 7000, 2,
	       (uint64_t[]){ DUE(7000) + 15000, DUE(7000) + 15000 });
}

/* One period too many was counted before: the next expiry serves none. */
static void test_told_too_many(void)
{
	struct source source = started();

	expire(DUE(4) + 15000, PERIOD);
	expire(DUE(5) + 15000, PERIOD);
	is(source.ops->wait(&source, DUE(5)), 1, "an expiry before the next is due serves none");
	is(source.ops->asked(&source), DUE(5) + 15000, "the expiry after the next is due serves a period");
}

static void test_no_record(void)
{
	struct source source = started();

	close(source.fd);
	ok(source.ops->wait(&source, DUE(1)) < 0, "a record that cannot be read is an error");
}

int main(void)
{
	test_on_time();
	test_late_timer();
	test_long_stall();
	test_told_too_many();
	test_no_record();
	return done();
}
