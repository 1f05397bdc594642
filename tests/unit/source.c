// SPDX-License-Identifier: GPL-2.0-or-later
/* Meters on several CPUs keep to one grid, whenever each of them starts. */

#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/diag.h"
#include "measure/clock.h"
#include "source/registry.h"
#include "tap.h"

#define METERS 4

static uint64_t now_ns = UINT64_C(5000000000000), expires_ns;
static int last_timer = 1000, last_closed;

/* In place of the C library's: the clock advances by 1 us each time that it is read, and what waits leaps to its end. */
int clock_gettime(clockid_t id, struct timespec *time)
{
	(void)id;
	*time = timespec_from(now_ns += 1000);
	return 0;
}

int clock_nanosleep(clockid_t id, int flags, const struct timespec *until, struct timespec *left)
{
	(void)id, (void)flags, (void)left;
	now_ns = timespec_ns(*until);
	return 0;
}

/* No descriptor comes twice, as it would where the one before is closed. */
int timerfd_create(int id, int flags)
{
	(void)id, (void)flags;
	return ++last_timer;
}

int close(int fd)
{
	last_closed = fd;
	return fd > 1000 ? 0 : (int)syscall(SYS_close, fd);
}

int timerfd_settime(int fd, int flags, const struct itimerspec *timer, struct itimerspec *before)
{
	(void)fd, (void)flags, (void)before;
	expires_ns = timespec_ns(timer->it_value);
	return 0;
}

ssize_t read(int fd, void *data, size_t size)
{
	(void)fd;
	now_ns = expires_ns;
	*(uint64_t *)data = 1;
	return size;
}

static struct source opened(const char *name, unsigned hz)
{
	struct source source = { .ops = NULL };

	ok(source_open(&source, name, NULL, NULL, hz, METERS) == 0,
	   "%s is opened for %d meters at %u Hz", name, METERS, hz);
	return source;
}

/* Start the source and wait once: the timer expires on the schedule that start has set. */
static struct source started(const struct source *opened, uint64_t origin_ns, uint64_t phase_ns)
{
	struct source source = *opened;
	uint64_t due_ns;

	source.origin_ns = origin_ns;
	source.phase_ns = phase_ns;
	ok(source.ops->start(&source) == 0 && source.anchor_uncertainty_ns == 0, "%s starts", source.ops->name);
	due_ns = source.anchor_ns + source.period_ns;
	ok(source.ops->wait(&source, due_ns) >= 0 && now_ns == due_ns, "%s wakes when it is due", source.ops->name);
	return source;
}

static void test_alone(const char *name)
{
	struct source source = opened(name, 1000);
	uint64_t before = monotonic_ns(), after;

	source = started(&source, 0, 0);
	after = monotonic_ns();
	ok(source.anchor_ns >= before && source.anchor_ns <= after, "%s alone begins when it is started", name);
}

/* By how much the source is due later than the first one, in ns, less than a period. */
static uint64_t phase_behind(const struct source *source, const struct source *first)
{
	return (source->anchor_ns + UINT64_C(1000000000) * source->period_ns - first->anchor_ns) % source->period_ns;
}

static void test_grid(const char *name, unsigned hz, bool aligned)
{
	uint64_t origin_ns = monotonic_ns() - random_number() % 1000000000;
	struct source source = opened(name, hz), each[METERS];

	for (int i = 0; i < METERS; i++) {
		uint64_t phase_ns = aligned ? 0 : i * source.period_ns / METERS, before = monotonic_ns();

		each[i] = started(&source, origin_ns, phase_ns);
		ok(each[i].anchor_ns + source.period_ns > before,
		   "%s: the first period is not over at the start", name);
		is((each[i].anchor_ns - origin_ns - phase_ns) % source.period_ns, 0,
		   "%s: the instants are on the grid", name);
		is(phase_behind(&each[i], &each[0]), phase_ns, "%s, %s: meter %d is due its phase behind the first", name,
		   aligned ? "aligned" : "spread", i);
	}
	if (!source.ops->exclusive && each[0].fd >= 0) {
		ok(each[0].fd != each[1].fd, "each meter has a timer of its own");
		is(last_closed, source.fd, "a meter closes the timer that the keeper tried");
	}
}

static void test_ahead(const char *name)
{
	struct source source = opened(name, 1000);
	uint64_t origin_ns = monotonic_ns() + UINT64_C(3600000000000);

	for (int i = 0; i < METERS; i++) {
		uint64_t phase_ns = i * source.period_ns / METERS;
		struct source each = source;

		each.origin_ns = origin_ns;
		each.phase_ns = phase_ns;
		each.ops->start(&each);
		is(each.anchor_ns, origin_ns + phase_ns, "%s, meter %d begins at an origin that is ahead", name, i);
	}
}

static void test_choice(void)
{
	struct source source;

	ok(source_open(&source, "auto", NULL, NULL, 1000, METERS) == 0, "auto finds a source for several meters");
	ok(!source.ops->exclusive, "auto finds a source that several may have");
	ok(source_open(&source, "rtc", NULL, NULL, 1000, METERS) != 0, "the RTC is refused to several meters");
	is(source_open(&source, "auto", "/no/such", NULL, 1000, METERS), EXIT_NOT_MEASURED,
	   "a device is refused to several meters");
	is(source_open(&source, "auto", "/no/such", NULL, 1000, 1), EXIT_NO_DEVICE,
	   "a device that is named is not passed over");
}

int main(void)
{
	static const char *const names[] = { "nanosleep", "timerfd" };
	static const unsigned rates[] = { 100, 1000, 3000, 2048, 99991 };

	for (int i = 0; i < 2; i++) {
		test_alone(names[i]);
		test_ahead(names[i]);
		for (unsigned rate = 0; rate < sizeof(rates) / sizeof(*rates); rate++) {
			test_grid(names[i], rates[rate], false);
			test_grid(names[i], rates[rate], true);
		}
	}
	test_choice();
	return done();
}
