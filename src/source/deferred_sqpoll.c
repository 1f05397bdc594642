// SPDX-License-Identifier: GPL-2.0-or-later
#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "source/deferred_sqpoll.h"

#define ENTRIES 8			/* one is used at a time */
#define IDLE_MS 1			/* until the thread sleeps, and on to the kernel's next tick but one */

/* It is a thread of this process, which has no other. Returns 0 with errno where it is none, as before Linux 5.12. */
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

/* The thread begins with the policy of the process that made it, and a real-time one would poll before all others. */
static bool make_ordinary(pid_t thread)
{
	const struct sched_param none = { 0 };

	return thread && sched_setscheduler(thread, SCHED_OTHER, &none) == 0;
}

static void *map(const struct sqpoll *sqpoll, size_t size, off_t offset)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, sqpoll->fd, offset);

	return memory == MAP_FAILED ? NULL : memory;
}

static bool map_queues(struct sqpoll *sqpoll)
{
	const struct io_uring_params *params = &sqpoll->params;
	size_t asked = params->sq_off.array + params->sq_entries * sizeof(unsigned);
	size_t done = params->cq_off.cqes + params->cq_entries * sizeof(struct io_uring_cqe);

	if (!(params->features & IORING_FEAT_SINGLE_MMAP)) {
		errno = EINVAL;
		return false;
	}
	sqpoll->rings_size = asked > done ? asked : done;
	sqpoll->rings = map(sqpoll, sqpoll->rings_size, IORING_OFF_SQ_RING);
	sqpoll->entries = map(sqpoll, params->sq_entries * sizeof(*sqpoll->entries), IORING_OFF_SQES);
	return sqpoll->rings && sqpoll->entries;
}

int sqpoll_open(struct sqpoll *sqpoll, int cpu)
{
	*sqpoll = (struct sqpoll){ .params = { .flags = IORING_SETUP_SQPOLL, .sq_thread_idle = IDLE_MS } };
	if (cpu >= 0) {
		sqpoll->params.flags |= IORING_SETUP_SQ_AFF;
		sqpoll->params.sq_thread_cpu = cpu;
	}
	sqpoll->fd = syscall(SYS_io_uring_setup, ENTRIES, &sqpoll->params);
	if (sqpoll->fd < 0)
		return -1;
	sqpoll->thread = find_thread();
	return make_ordinary(sqpoll->thread) && map_queues(sqpoll) ? 0 : -1;
}

static unsigned *at(const struct sqpoll *sqpoll, unsigned offset)
{
	return (unsigned *)(sqpoll->rings + offset);
}

int sqpoll_ask(struct sqpoll *sqpoll, bool *awake)
{
	const struct io_sqring_offsets *queue = &sqpoll->params.sq_off;
	unsigned *tail = at(sqpoll, queue->tail), entry = *tail % sqpoll->params.sq_entries;

	*awake = !(__atomic_load_n(at(sqpoll, queue->flags), __ATOMIC_ACQUIRE) & IORING_SQ_NEED_WAKEUP);
	if (*awake && !(sqpoll->params.flags & IORING_SETUP_SQ_AFF))
		return EAGAIN;
	sqpoll->entries[entry] = (struct io_uring_sqe){ .opcode = IORING_OP_NOP };
	at(sqpoll, queue->array)[entry] = entry;
	__atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
	if (*awake)
		return 0;
	return syscall(SYS_io_uring_enter, sqpoll->fd, 0, 0, IORING_ENTER_SQ_WAKEUP, NULL, 0) < 0 ? errno : 0;
}

unsigned sqpoll_collect(struct sqpoll *sqpoll)
{
	const struct io_cqring_offsets *queue = &sqpoll->params.cq_off;
	unsigned *head = at(sqpoll, queue->head), done;

	done = __atomic_load_n(at(sqpoll, queue->tail), __ATOMIC_ACQUIRE) - *head;
	__atomic_store_n(head, *head + done, __ATOMIC_RELEASE);
	return done;
}

void sqpoll_close(struct sqpoll *sqpoll)
{
	if (sqpoll->rings)
		munmap(sqpoll->rings, sqpoll->rings_size);
	if (sqpoll->entries)
		munmap(sqpoll->entries, sqpoll->params.sq_entries * sizeof(*sqpoll->entries));
	if (sqpoll->fd >= 0)
		close(sqpoll->fd);
	*sqpoll = (struct sqpoll){ .fd = -1 };
}
