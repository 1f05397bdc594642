// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How many instructions does a thread run in user mode from one system call to
 * the next? step TID single-steps it while it works, through the C library and
 * the vdso as well, and prints the lower quartile of a few turns.
 *
 * The vdso reads the clock again if the kernel has renewed it meanwhile, which
 * happens often while that takes milliseconds, and hardly ever else. So of each
 * call to the vdso, an instruction counts once.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#define LATE 40			/* turns that are made late, for a loop that keeps the worst: no later one is so bad, */
#define LATE_US 25000		/* by this time */
#define WARM_UP (LATE + 60)	/* turns; the first are new extremes */
#define TURNS 41

#ifdef __x86_64__

#include <stddef.h>
#include <sys/user.h>

#define SYSCALL 0x050f		/* 0f 05, as a little-endian word */

/* Where the thread's vdso is, and in which call to it each of its instructions was last seen. */
static struct vdso {
	unsigned long from, to;
	unsigned call, *seen;
} vdso;

static bool find_vdso(pid_t thread)
{
	char path[64], line[256];
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)thread);
	maps = fopen(path, "r");
	while (maps && fgets(line, sizeof(line), maps))
		if (strstr(line, "[vdso]") && sscanf(line, "%lx-%lx", &vdso.from, &vdso.to) == 2)
			vdso.seen = calloc(vdso.to - vdso.from, sizeof(*vdso.seen));
	if (maps)
		fclose(maps);
	return vdso.seen;
}

static bool is_repeated(unsigned long address)
{
	bool repeated;

	if (address < vdso.from || address >= vdso.to) {
		vdso.call++;
		return false;
	}
	repeated = vdso.seen[address - vdso.from] == vdso.call;
	vdso.seen[address - vdso.from] = vdso.call;
	return repeated;
}

static bool is_system_call(pid_t thread, unsigned long address)
{
	return (ptrace(PTRACE_PEEKTEXT, thread, address, 0) & 0xffff) == SYSCALL;
}

static bool stop(pid_t thread)
{
	return find_vdso(thread) &&
	       ptrace(PTRACE_SEIZE, thread, 0, 0) == 0 &&
	       ptrace(PTRACE_INTERRUPT, thread, 0, 0) == 0 &&
	       waitpid(thread, NULL, __WALL) == thread;
}

/* Returns false when the thread has ended. */
static bool step(pid_t thread)
{
	int status;

	return ptrace(PTRACE_SINGLESTEP, thread, 0, 0) == 0 &&
	       waitpid(thread, &status, __WALL) == thread && WIFSTOPPED(status);
}

/* The number of instructions up to the next system call, -1 when the thread has ended. The first one is its wait. */
static int count_turn(pid_t thread, unsigned late_us)
{
	unsigned long address;
	int count = 0;

	do {
		if (!step(thread))
			return -1;
		if (!count && late_us)
			usleep(late_us);
		address = ptrace(PTRACE_PEEKUSER, thread, offsetof(struct user_regs_struct, rip), 0);
		count += !is_repeated(address);
	} while (!is_system_call(thread, address));
	return count;
}

#else

static bool stop(pid_t thread)
{
	(void)thread;
	errno = ENOSYS;
	return false;
}

static int count_turn(pid_t thread, unsigned late_us)
{
	(void)thread;
	(void)late_us;
	return -1;
}

#endif

static int ascending(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* Returns false when the thread has ended. */
static bool count_turns(pid_t thread, int *counts)
{
	for (int turn = 0; turn < WARM_UP + TURNS; turn++) {
		counts[turn] = count_turn(thread, turn < LATE ? LATE_US : 0);
		if (counts[turn] < 0)
			return false;
	}
	return true;
}

int main(int argc, char **argv)
{
	pid_t thread = argc > 1 ? atoi(argv[1]) : 0;
	int counts[WARM_UP + TURNS];

	if (!stop(thread)) {
		fprintf(stderr, "step: %s\n", strerror(errno));
		return 1;
	}
	if (!count_turns(thread, counts)) {
		fprintf(stderr, "step: the thread has ended\n");
		return 1;
	}
	ptrace(PTRACE_DETACH, thread, 0, 0);
	qsort(counts + WARM_UP, TURNS, sizeof(*counts), ascending);
	printf("%d\n", counts[WARM_UP + TURNS / 4]);
	return 0;
}
