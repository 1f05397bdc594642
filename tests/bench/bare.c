// SPDX-License-Identifier: GPL-2.0-or-later
/* The wait and nothing else: what a loop that measures adds is more than this. bare HZ */
#include <signal.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv)
{
	long period_ns = 1000000000 / (argc > 1 ? atoi(argv[1]) : 2048);
	struct timespec due;

	signal(SIGINT, SIG_DFL);	/* a shell's background jobs inherit it ignored */
	clock_gettime(CLOCK_MONOTONIC, &due);
	for (;;) {
		due.tv_nsec += period_ns;
		if (due.tv_nsec >= 1000000000) {
			due.tv_nsec -= 1000000000;
			due.tv_sec++;
		}
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
	}
}
