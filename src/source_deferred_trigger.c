// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <linux/kd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "diag.h"
#include "source_deferred_loop.h"
#include "source_deferred_pairs.h"
#include "source_deferred_trigger.h"

#define AIO_EVENTS (2 * PAIRS_MAX)	/* those that have ended take up room until they are collected */

static void close_both(struct trigger *trigger)
{
	if (trigger->fd >= 0)
		close(trigger->fd);
	if (trigger->peer >= 0)
		close(trigger->peer);
	trigger->fd = trigger->peer = -1;
}

static int refuse_aio(const struct trigger *trigger)
{
	const char *name = trigger->ops->source;

	if (errno == ENOSYS) {
		warn("--source=%s: the kernel has no asynchronous I/O; use one that has CONFIG_AIO", name);
		return EXIT_NO_DEVICE;
	}
	warn("--source=%s: io_setup: %m; %s", name,
	     errno == EAGAIN ? "raise fs.aio-max-nr" : "look for a seccomp filter, such as a container's");
	return EXIT_NOT_MEASURED;
}

static int open_context(struct trigger *trigger)
{
	return syscall(SYS_io_setup, AIO_EVENTS, &trigger->aio.context) < 0 ? refuse_aio(trigger) : EXIT_MEASURED;
}

/* A file in memory, without a name: to write it out is no work but for the queue. */
static int open_file(struct trigger *trigger)
{
	trigger->aio.context = 0;
	trigger->aio.buffer = NULL;
	trigger->fd = memfd_create("realfeel", MFD_CLOEXEC);
	if (trigger->fd >= 0)
		return open_context(trigger);
	warn("--source=%s: memfd_create: %m; close some files", trigger->ops->source);
	return EXIT_NOT_MEASURED;
}

static int refuse_loop(const struct trigger *trigger, const char *path)
{
	bool none = errno == ENOENT || errno == ENODEV || errno == ENXIO;

	warn("--source=%s: open %s: %m; %s", trigger->ops->source, path,
	     none ? "modprobe loop, and use no container" : "run as root");
	return none ? EXIT_NO_DEVICE : EXIT_NOT_MEASURED;
}

static int open_loop(struct trigger *trigger)
{
	const char *path;

	trigger->aio.context = 0;
	trigger->aio.buffer = NULL;
	trigger->fd = loop_open(&path);
	if (trigger->fd < 0)
		return refuse_loop(trigger, path);
	trigger->aio.buffer = aligned_alloc(LOOP_BYTES, LOOP_BYTES);
	if (trigger->aio.buffer)
		return open_context(trigger);
	warn("--source=%s: allocate memory: %m; free some", trigger->ops->source);
	return EXIT_NOT_MEASURED;
}

/* The kernel has its own copy of the request when the call returns. */
static int submit(struct trigger *trigger, struct iocb *request)
{
	request->aio_fildes = trigger->fd;
	return syscall(SYS_io_submit, trigger->aio.context, 1, &request) == 1 ? 0 : errno;
}

static int ask_fdsync(struct trigger *trigger)
{
	return submit(trigger, &(struct iocb){ .aio_lio_opcode = IOCB_CMD_FDSYNC });
}

static int ask_read(struct trigger *trigger)
{
	struct iocb request = {
		.aio_lio_opcode = IOCB_CMD_PREAD, .aio_buf = (uintptr_t)trigger->aio.buffer, .aio_nbytes = LOOP_BYTES,
	};

	return submit(trigger, &request);
}

static void collect_aio(struct trigger *trigger)
{
	struct timespec at_once = { 0 };
	struct io_event events[64];
	long count;

	do {
		count = syscall(SYS_io_getevents, trigger->aio.context, 0, 64, events, &at_once);
		if (count > 0)
			trigger->ended += count;
	} while (count == 64);
}

static void close_aio(struct trigger *trigger)
{
	if (trigger->aio.context)
		syscall(SYS_io_destroy, trigger->aio.context);
	trigger->aio.context = 0;
	free(trigger->aio.buffer);
	trigger->aio.buffer = NULL;
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

static int open_pty(struct trigger *trigger)
{
	trigger->fd = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	trigger->peer = trigger->fd < 0 ? -1 : open_peer(trigger->fd);
	if (trigger->peer >= 0)
		return EXIT_MEASURED;
	warn("--source=%s: open a pseudo-terminal at /dev/ptmx: %m; mount devpts, or raise kernel.pty.max",
	     trigger->ops->source);
	return errno == ENOENT ? EXIT_NO_DEVICE : EXIT_NOT_MEASURED;
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

static int refuse_console(const struct trigger *trigger)
{
	bool none = errno == ENOENT || errno == ENXIO || errno == ENODEV;

	if (none)
		warn("--source=%s: open /dev/tty0: %m; use a kernel that has virtual terminals (CONFIG_VT), and no "
		     "container", trigger->ops->source);
	else
		warn("--source=%s: the keyboard lights of /dev/tty0: %m; run as root", trigger->ops->source);
	return none ? EXIT_NO_DEVICE : EXIT_NOT_MEASURED;
}

/* Set the lights to what they are: nothing changes, but a tasklet looks after them. */
static int ask_lights(struct trigger *trigger)
{
	unsigned char flags;

	if (ioctl(trigger->fd, KDGKBLED, &flags) < 0 || ioctl(trigger->fd, KDSKBLED, (unsigned long)flags) < 0)
		return errno;
	return 0;
}

static int open_console(struct trigger *trigger)
{
	trigger->fd = open("/dev/tty0", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (trigger->fd >= 0 && !ask_lights(trigger))
		return EXIT_MEASURED;
	return refuse_console(trigger);
}

static int open_thread(struct trigger *trigger)
{
	return sqpoll_open(&trigger->sqpoll, trigger->cpu, trigger->ops->source);
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
		.function = { "aio_fsync_work" }, .remedy = "use another kernel",
		.queued = WORK_QUEUED, .executed = WORK_EXECUTED, .limit = PAIRS_MAX,
		.open = open_file, .ask = ask_fdsync, .collect = collect_aio, .close = close_aio,
	},
	{
		.source = "workqueue:unbound",
		.function = { "flush_to_ldisc" }, .remedy = "use another kernel",
		.queued = WORK_QUEUED, .executed = WORK_EXECUTED, .limit = 1, .anywhere = true,
		.open = open_pty, .ask = ask_pty, .collect = collect_pty, .close = close_both,
	},
	{
		.source = "workqueue:private",
		.function = { "loop_rootcg_workfn", "loop_workfn" }, .loads = "/dev/loop-control",
		.remedy = "modprobe loop, or use Linux 5.14 or newer",
		.queued = WORK_QUEUED, .executed = WORK_EXECUTED, .limit = 1, .anywhere = true,
		.open = open_loop, .ask = ask_read, .collect = collect_aio, .close = close_aio,
	},
	{
		.source = "tasklet",
		.function = { "kbd_bh" }, .remedy = "use a kernel that has CONFIG_VT",
		.queued = { "irq/softirq_raise", "vec", OUR_SOFTIRQ },
		.executed = { "irq/tasklet_entry", "func", OUR_FUNCTION }, .limit = 1,
		.open = open_console, .ask = ask_lights, .close = close_both,
	},
	{
		.source = "kthread", .limit = 1,
		.queued = { "sched/sched_waking", "pid", OUR_THREAD },
		.executed = { "sched/sched_switch", "next_pid", OUR_THREAD },
		.open = open_thread, .ask = ask_thread, .collect = collect_thread, .close = close_thread,
	},
};

const struct trigger_ops *trigger_named(const char *source)
{
	const struct trigger_ops *ops = table;

	while (strcmp(ops->source, source))
		ops++;
	return ops;
}
