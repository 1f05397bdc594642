// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <linux/kd.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "base/diag.h"
#include "source/deferred_loop.h"
#include "source/deferred_pairs.h"
#include "source/deferred_trigger.h"

#define AIO_ROOM 32			/* for those that are not pending any more, and not collected yet */

static void close_both(struct trigger *trigger)
{
	if (trigger->fd >= 0)
		close(trigger->fd);
	if (trigger->peer >= 0)
		close(trigger->peer);
	trigger->fd = trigger->peer = -1;
}

static const char *open_context(struct trigger *trigger)
{
	return syscall(SYS_io_setup, trigger->ops->limit + AIO_ROOM, &trigger->aio) < 0 ? "io_setup" : NULL;
}

/* A file in memory, without a name: to write it out is no work but for the queue. */
static const char *open_file(struct trigger *trigger)
{
	trigger->fd = memfd_create("realfeel", MFD_CLOEXEC);
	return trigger->fd < 0 ? "memfd_create" : open_context(trigger);
}

static const char *open_loop(struct trigger *trigger)
{
	const char *refused = loop_open(&trigger->fd);

	return refused ? refused : open_context(trigger);
}

/* The kernel has its own copy of the request when the call returns. */
static int submit(struct trigger *trigger, struct iocb *request)
{
	request->aio_fildes = trigger->fd;
	return syscall(SYS_io_submit, trigger->aio, 1, &request) == 1 ? 0 : errno;
}

static int ask_fdsync(struct trigger *trigger)
{
	return submit(trigger, &(struct iocb){ .aio_lio_opcode = IOCB_CMD_FDSYNC });
}

static int ask_read(struct trigger *trigger)
{
	static _Alignas(LOOP_BYTES) char buffer[LOOP_BYTES];

	return submit(trigger, &(struct iocb){
		.aio_lio_opcode = IOCB_CMD_PREAD, .aio_buf = (uintptr_t)buffer, .aio_nbytes = LOOP_BYTES,
	});
}

static void collect_aio(struct trigger *trigger)
{
	struct timespec at_once = { 0 };
	struct io_event events[64];
	long count;

	do {
		count = syscall(SYS_io_getevents, trigger->aio, 0, 64, events, &at_once);
		if (count > 0)
			trigger->ended += count;
	} while (count == 64);
}

static void close_aio(struct trigger *trigger)
{
	if (trigger->aio)
		syscall(SYS_io_destroy, trigger->aio);
	trigger->aio = 0;
	close_both(trigger);
}

/* Returns the descriptor, or -1 with errno. */
static int open_peer(int fd)
{
	struct termios termios;
	int lock = 0, peer;

	if (ioctl(fd, TIOCSPTLCK, &lock) < 0)
		return -1;
	peer = ioctl(fd, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (peer < 0 || tcgetattr(peer, &termios) < 0)
		return peer;
	cfmakeraw(&termios);
	tcsetattr(peer, TCSANOW, &termios);
	return peer;
}

static const char *open_pty(struct trigger *trigger)
{
	trigger->fd = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	trigger->peer = trigger->fd < 0 ? -1 : open_peer(trigger->fd);
	return trigger->peer < 0 ? "open a pseudo-terminal at /dev/ptmx" : NULL;
}

/* What is written at one end, the line discipline of the other is to take up. */
static int ask_pty(struct trigger *trigger)
{
	return write(trigger->fd, "x", 1) == 1 ? 0 : errno;
}

static void collect_pty(struct trigger *trigger)
{
	char bytes[64];
	ssize_t count;

	while ((count = read(trigger->peer, bytes, sizeof(bytes))) > 0)
		trigger->ended += count;
}

/* Set the lights to what they are: nothing changes, but a tasklet looks after them. */
static int ask_lights(struct trigger *trigger)
{
	unsigned char flags;

	if (ioctl(trigger->fd, KDGKBLED, &flags) < 0 || ioctl(trigger->fd, KDSKBLED, (unsigned long)flags) < 0)
		return errno;
	return 0;
}

static const char *open_console(struct trigger *trigger)
{
	trigger->fd = open("/dev/tty0", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	return trigger->fd < 0 || ask_lights(trigger) ? "the keyboard lights of /dev/tty0" : NULL;
}

static const char *open_thread(struct trigger *trigger)
{
	return sqpoll_open(&trigger->sqpoll, trigger->cpu) < 0 ? "open an io_uring that polls" : NULL;
}

static int ask_thread(struct trigger *trigger)
{
	return sqpoll_ask(&trigger->sqpoll, &trigger->awake);
}

static void collect_thread(struct trigger *trigger)
{
	trigger->ended += sqpoll_collect(&trigger->sqpoll);
}

static void close_thread(struct trigger *trigger)
{
	sqpoll_close(&trigger->sqpoll);
}

#define WORK_QUEUED { "workqueue/workqueue_queue_work", "function", OUR_FUNCTION }
#define WORK_EXECUTED { "workqueue/workqueue_execute_start", "function", OUR_FUNCTION }

static const struct trigger_ops table[] = {
	{
		.source = "workqueue:global",
		.function = { "aio_fsync_work" }, .absent = "use a kernel that has CONFIG_AIO",
		.denied = "raise fs.aio-max-nr, or look for a seccomp filter, such as a container's",
		.queued = WORK_QUEUED, .executed = WORK_EXECUTED, .limit = PAIRS_MAX,
		.open = open_file, .ask = ask_fdsync, .collect = collect_aio, .close = close_aio,
	},
	{
		.source = "workqueue:unbound",
		.function = { "flush_to_ldisc" },
		.absent = "use a kernel that has CONFIG_UNIX98_PTYS, and mount devpts",
		.denied = "mount devpts, or raise kernel.pty.max",
		.queued = WORK_QUEUED, .executed = WORK_EXECUTED, .limit = 1, .anywhere = true,
		.open = open_pty, .ask = ask_pty, .collect = collect_pty, .close = close_both,
	},
	{
		.source = "workqueue:private",
		.function = { "loop_rootcg_workfn", "loop_workfn" }, .loads = "/dev/loop-control",
		.absent = "modprobe loop, outside containers, on Linux 5.14 or newer",
		.denied = "run as root, or raise fs.aio-max-nr",
		.queued = WORK_QUEUED, .executed = WORK_EXECUTED, .limit = 1, .anywhere = true,
		.open = open_loop, .ask = ask_read, .collect = collect_aio, .close = close_aio,
	},
	{
		.source = "tasklet",
		.function = { "kbd_bh" }, .absent = "use a kernel that has CONFIG_VT, outside containers",
		.denied = "run as root",
		.queued = { "irq/softirq_raise", "vec", OUR_SOFTIRQ },
		.executed = { "irq/tasklet_entry", "func", OUR_FUNCTION }, .limit = 1, .merged = true,
		.open = open_console, .ask = ask_lights, .close = close_both,
	},
	{
		.source = "kthread", .limit = 1, .absent = "use a kernel that has CONFIG_IO_URING",
		.denied = "run as root with kernel.io_uring_disabled=0, on Linux 5.12 or newer, outside containers",
		.queued = { "sched/sched_waking", "pid", OUR_THREAD },
		.executed = { "sched/sched_switch", "next_pid", OUR_THREAD },
		.open = open_thread, .ask = ask_thread, .collect = collect_thread, .close = close_thread,
	},
};

int trigger_open(struct trigger *trigger)
{
	const struct trigger_ops *ops = trigger->ops;
	const char *refused = ops->open(trigger);
	bool absent = errno == ENOENT || errno == ENODEV || errno == ENXIO || errno == ENOSYS;

	if (!refused)
		return EXIT_MEASURED;
	warn("--source=%s: %s: %m; %s", ops->source, refused, absent ? ops->absent : ops->denied);
	return absent ? EXIT_NO_DEVICE : EXIT_NOT_MEASURED;
}

const struct trigger_ops *trigger_named(const char *source)
{
	const struct trigger_ops *ops = table;

	while (strcmp(ops->source, source))
		ops++;
	return ops;
}
