// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What this kernel lets the caller have, asked without a line of the program under test: kernel CPU QUESTION... prints
 * "QUESTION: ok" or "QUESTION: REASON" for each.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef SYS_io_uring_setup		/* headers before Linux 5.1 */
#define SYS_io_uring_setup 425
#endif

enum { PRESERVE_ELEMS = 1 << 11, SETUP_SQPOLL = 1 << 1 };	/* of Linux 5.11 and 5.1; the headers may be older */

#define TRACEFS "/sys/kernel/tracing"
#define SLEEPS 300

static int cpu;
static char found[64];			/* a reason that has no errno */

static int real_time(void)
{
	const struct sched_param ordinary = { .sched_priority = 0 }, wanted = { .sched_priority = 98 };
	int result = syscall(SYS_sched_setscheduler, 0, SCHED_FIFO, &wanted);

	if (result == 0)
		syscall(SYS_sched_setscheduler, 0, SCHED_OTHER, &ordinary);
	return result;
}

/* But for the edges of its pages what realfeel asks its users to allow for, 8192 kB. */
static int memory(void)
{
	static char bytes[8000 * 1024];

	return mlock(bytes, sizeof(bytes));
}

/* In a namespace of our own, where it is not mounted. Returns the number of the tracepoint, or -1. */
static int tracepoint(const char *name)
{
	char path[128];
	int id = -1;
	FILE *file;

	if (access(TRACEFS "/events", F_OK) < 0 &&
	    (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	     mount("tracefs", TRACEFS, "tracefs", 0, NULL) < 0))
		return -1;
	snprintf(path, sizeof(path), TRACEFS "/events/%s/id", name);
	file = fopen(path, "r");
	if (!file)
		return -1;
	if (fscanf(file, "%d", &id) != 1)
		errno = EPROTO;
	fclose(file);
	return id;
}

static int counter(unsigned type, int config)
{
	struct perf_event_attr attr = { .type = type, .size = sizeof(attr), .config = config, .disabled = 1 };

	return config < 0 ? -1 : syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static int perf(void)
{
	int fd = counter(PERF_TYPE_TRACEPOINT, tracepoint("sched/sched_switch"));

	return fd < 0 ? -1 : close(fd);
}

/* Some kernels keep the switches of some tasks from perf, which counts them all the same. */
static int switches(void)
{
	int all = counter(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES);
	int traced = counter(PERF_TYPE_TRACEPOINT, tracepoint("sched/sched_switch"));
	uint64_t count[2] = { 0 };
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
	if (all < 0 || traced < 0)
		return -1;
	ioctl(traced, PERF_EVENT_IOC_ENABLE, 0);
	ioctl(all, PERF_EVENT_IOC_ENABLE, 0);
	for (int i = 0; i < SLEEPS; i++)
		nanosleep(&(struct timespec){ .tv_nsec = 200000 }, NULL);
	ioctl(all, PERF_EVENT_IOC_DISABLE, 0);
	ioctl(traced, PERF_EVENT_IOC_DISABLE, 0);
	if (read(all, &count[0], sizeof(*count)) < 0 || read(traced, &count[1], sizeof(*count)) < 0)
		return -1;
	if (count[0] == 0 || count[1] + count[0] / 100 < count[0])
		snprintf(found, sizeof(found), "perf is given %u of %u switches", (unsigned)count[1], (unsigned)count[0]);
	return 0;
}

static int bpf(int command, union bpf_attr *attr)
{
	return syscall(SYS_bpf, command, attr, sizeof(*attr));
}

/* A program that does nothing, and a ring that it could write to. */
static int programs(void)
{
	const struct bpf_insn code[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .imm = 1 }, { .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr program = {
		.prog_type = BPF_PROG_TYPE_TRACEPOINT, .insn_cnt = 2, .insns = (uintptr_t)code, .license = (uintptr_t)"GPL",
	}, ring = {
		.map_type = BPF_MAP_TYPE_PERF_EVENT_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 1, .map_flags = PRESERVE_ELEMS,
	};

	return bpf(BPF_PROG_LOAD, &program) < 0 ? -1 : bpf(BPF_MAP_CREATE, &ring);
}

static int queues(void)
{
	return tracepoint("workqueue/workqueue_queue_work");
}

static int aio(void)
{
	unsigned long context = 0;

	return syscall(SYS_io_setup, 1, &context);
}

static int uring(void)
{
	uint32_t params[30] = { 0, 0, SETUP_SQPOLL };

	return syscall(SYS_io_uring_setup, 1, params);
}

static int pid_namespace(void)
{
	return unshare(CLONE_NEWPID | CLONE_NEWNS);
}

static const struct {
	const char *name;
	int (*ask)(void);		/* returns -1 with errno if it is not to be had */
} questions[] = {
	{ "real-time", real_time }, { "memory", memory }, { "perf", perf },
	{ "switches", switches }, { "programs", programs }, { "queues", queues }, { "aio", aio }, { "uring", uring },
	{ "pid-namespace", pid_namespace },
};

static void answer(const char *name)
{
	for (size_t i = 0; i < sizeof(questions) / sizeof(*questions); i++) {
		int result;

		if (strcmp(questions[i].name, name))
			continue;
		*found = '\0';
		result = questions[i].ask();
		printf("%s: %s\n", name, result < 0 ? strerror(errno) : *found ? found : "ok");
	}
}

int main(int argc, char **argv)
{
	cpu = argc > 1 ? atoi(argv[1]) : 0;
	for (int i = 2; i < argc; i++)
		answer(argv[i]);
	return 0;
}
