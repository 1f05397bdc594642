// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Take the CPU away: hog PRIORITY COUNT times, 20 ms out of 60 ms, which the
 * kernel's guard of real-time processes lets pass. A third argument is how long
 * each stall is instead, in ms; a second or more strikes that guard. With a
 * fourth, each begins so many us after a whole ms of CLOCK_MONOTONIC; with a
 * fifth, each so many us later in the ms than the one before it. To be run on
 * the CPU of what is to be stalled, with a higher priority. Prints when each
 * stall began and ended, in ns of CLOCK_MONOTONIC, for one may turn out longer.
 */
#include <inttypes.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define NS_PER_US UINT64_C(1000)
#define NS_PER_MS UINT64_C(1000000)
#define NS_PER_S UINT64_C(1000000000)
#define STALL_MS 20
#define PAUSE_NS (40 * NS_PER_MS)

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * NS_PER_S + now.tv_nsec;
}

static void sleep_until(uint64_t ns)
{
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &(struct timespec){ ns / NS_PER_S, ns % NS_PER_S }, NULL);
}

int main(int argc, char **argv)
{
	const struct sched_param param = { .sched_priority = argc > 1 ? atoi(argv[1]) : 0 }, ordinary = { 0 };
	int count = argc > 2 ? atoi(argv[2]) : 0;
	uint64_t phase_ns = (argc > 4 ? atoi(argv[4]) : 0) * NS_PER_US;
	uint64_t step_ns = (argc > 5 ? atoi(argv[5]) : 0) * NS_PER_US;
	uint64_t stall_ns = (argc > 3 ? atoi(argv[3]) : STALL_MS) * NS_PER_MS;

	if (sched_setscheduler(0, SCHED_FIFO, &param) < 0) {
		perror("sched_setscheduler");
		return 1;
	}
	for (int i = 0; i < count; i++) {
		uint64_t start = now_ns() + PAUSE_NS, now;

		sleep_until(argc > 4 ? start - start % NS_PER_MS + (phase_ns + i * step_ns) % NS_PER_MS : start);
		start = now_ns();
		do
			now = now_ns();
		while (now - start < stall_ns);
		printf("%" PRIu64 " %" PRIu64 "\n", start, now);
	}
	/* The end of a process takes its time, which is not to lengthen the last stall, nor to be another one. */
	sleep_until(now_ns() + PAUSE_NS);
	return sched_setscheduler(0, SCHED_OTHER, &ordinary) < 0;
}
