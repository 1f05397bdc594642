// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A kernel thread that sleeps until it is given something to do: the one that polls the submission queue of an
 * io_uring. It only gets NOPs.
 */
#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "host/process.h"
#include "source/deferred.h"

#ifndef SYS_io_uring_setup		/* headers before Linux 5.1 */
#define SYS_io_uring_setup 425
#define SYS_io_uring_enter 426
#endif

#define OFFSET_SQES 0x10000000		/* where mmap(2) finds the entries, see io_uring_setup(2) */
#define IDLE_MS 1			/* before the thread sleeps; the kernel rounds up to its ticks */

/* What io_uring_setup(2) takes and returns, declared here because headers before Linux 5.1 do not. */
struct uring_params {
	uint32_t sq_entries, cq_entries, flags, sq_thread_cpu, sq_thread_idle, features, wq_fd, reserved[3];
	struct uring_offsets {
		uint32_t head, tail, mask, entries, flags, dropped, array, reserved;
		uint64_t address;
	} sq_off, cq_off;		/* only the head and the tail of the completion queue are used */
};

enum uring_flags {
	SETUP_SQPOLL = 1 << 1, SETUP_SQ_AFF = 1 << 2,	/* of params */
	SQ_NEED_WAKEUP = 1 << 0,			/* of the submission queue */
	ENTER_SQ_WAKEUP = 1 << 1,			/* of io_uring_enter(2) */
};

static struct {
	int fd;				/* -1: none */
	struct uring_params params;
	unsigned char *queues;		/* of submission and completion; NULL: not mapped */
	size_t size;			/* of queues, in bytes */
	struct uring_entry {
		uint64_t words[8];
	} *entry;			/* one, of zeros: a NOP; NULL: not mapped */
} uring;

/* The one other thread of this process. Returns 0 with errno before Linux 5.12, where it is not in this process. */
static pid_t find_thread(void)
{
	DIR *folder = opendir("/proc/self/task");
	struct dirent *entry;
	pid_t thread = 0;

	while (folder && (entry = readdir(folder))) {
		pid_t number = atoi(entry->d_name);

		if (number && number != getpid())
			thread = number;
	}
	if (folder)
		closedir(folder);
	errno = ESRCH;
	return thread;
}

static void *map_uring(size_t size, off_t offset)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, uring.fd, offset);

	return memory == MAP_FAILED ? NULL : memory;
}

/*
 * The thread inherits this process's policy, but as a real-time thread it would poll before all others. The array of
 * the submission queue is the last part of what both queues share.
 */
static const char *open_uring(void)
{
	const struct sched_param none = { 0 };
	struct sched_state own;
	pid_t thread;

	memset(&uring, 0, sizeof(uring));
	uring.params.flags = SETUP_SQPOLL;
	uring.params.sq_thread_idle = IDLE_MS;
	sched_state_read(0, &own);
	if (own.cpus == 1) {
		uring.params.flags |= SETUP_SQ_AFF;
		uring.params.sq_thread_cpu = own.first_cpu;
	}
	uring.fd = syscall(SYS_io_uring_setup, 1, &uring.params);
	thread = uring.fd < 0 ? 0 : find_thread();
	if (thread && sched_setscheduler(thread, SCHED_OTHER, &none) == 0) {
		uring.size = uring.params.sq_off.array + uring.params.sq_entries * sizeof(unsigned);
		uring.queues = map_uring(uring.size, 0);
		uring.entry = map_uring(sizeof(*uring.entry), OFFSET_SQES);
	}
	return uring.queues && uring.entry ? NULL : "open an io_uring that polls";
}

static unsigned *at(unsigned offset)
{
	return (unsigned *)(uring.queues + offset);
}

static bool is_awake(void)
{
	return !(__atomic_load_n(at(uring.params.sq_off.flags), __ATOMIC_ACQUIRE) & SQ_NEED_WAKEUP);
}

/*
 * A thread that is awake is not woken. On the CPU of this process it was preempted, and sees the request when it runs
 * again; elsewhere none is made: it could see one at once. The thread sets its flag before it looks for requests a last
 * time, so the flag is read after the tail is written.
 */
static int ask_thread(void)
{
	unsigned *tail = at(uring.params.sq_off.tail), *head = at(uring.params.sq_off.head);

	if (*tail != __atomic_load_n(head, __ATOMIC_ACQUIRE) || (!(uring.params.flags & SETUP_SQ_AFF) && is_awake()))
		return EAGAIN;
	*uring.entry = (struct uring_entry){ 0 };
	*at(uring.params.sq_off.array) = 0;
	__atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (is_awake())
		return EALREADY;
	return syscall(SYS_io_uring_enter, uring.fd, 0, 0, ENTER_SQ_WAKEUP, NULL, 0) < 0 ? errno : 0;
}

static uint64_t collect_entries(void)
{
	unsigned *head = at(uring.params.cq_off.head), before = *head;

	__atomic_store_n(head, __atomic_load_n(at(uring.params.cq_off.tail), __ATOMIC_ACQUIRE), __ATOMIC_RELEASE);
	return *head - before;
}

static void close_uring(void)
{
	if (uring.queues)
		munmap(uring.queues, uring.size);
	if (uring.entry)
		munmap(uring.entry, sizeof(*uring.entry));
	close(uring.fd);
}

const struct trigger_ops trigger_kthread = {
	.absent = "use a kernel that has CONFIG_IO_URING",
	.denied = "run as root with kernel.io_uring_disabled=0, on Linux 5.12 or newer, outside containers",
	.queued = { "sched/sched_waking", "pid", 0 },
	.executed = { "sched/sched_switch", "next_pid", 0 },
	.limit = 1,
	.open = open_uring,
	.thread = find_thread,
	.ask = ask_thread,
	.collect = collect_entries,
	.close = close_uring,
};
