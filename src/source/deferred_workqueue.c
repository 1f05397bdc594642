// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kernel's work queues. The kind of request decides which queue does the work, and on which CPU: see realfeel(8).
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/loop.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "host/sysfile.h"
#include "source/deferred.h"

#ifndef LOOP_CONFIGURE			/* headers before Linux 5.8 */
#define LOOP_CONFIGURE 0x4c0a
struct loop_config {
	uint32_t fd, block_size;
	struct loop_info64 info;
	uint64_t reserved[8];
};
#endif

#define LOOP_BYTES 4096
#define LOOP_ATTEMPTS 8			/* another process may take the free device first */

static struct {
	int fd;				/* what is synchronized, read, or written to; -1: none */
	int master;			/* of the pseudo-terminal; -1: none */
	aio_context_t context;		/* 0: none */
} opened = { .fd = -1, .master = -1 };

/* The kernel doubles the limit, which leaves room for requests that were executed but are not collected yet. */
static const char *open_global(void)
{
	opened.fd = memfd_create("realfeel", MFD_CLOEXEC);
	if (opened.fd < 0)
		return "memfd_create";
	return syscall(SYS_io_setup, PAIRS_MAX, &opened.context) < 0 ? "io_setup" : NULL;
}

/* Attaches a free loop device to the file, until its last descriptor is closed. Returns it, or -1 with errno. */
static int attach(int control, int file)
{
	struct loop_config config = { .fd = file, .info.lo_flags = LO_FLAGS_READ_ONLY | LO_FLAGS_AUTOCLEAR };
	int number = ioctl(control, LOOP_CTL_GET_FREE), device;

	if (number < 0)
		return -1;
	device = open(sysfile_path("/dev/loop%d", number), O_RDONLY | O_DIRECT | O_CLOEXEC);
	if (device < 0 || ioctl(device, LOOP_CONFIGURE, &config) == 0)
		return device;
	close(device);			/* leaves errno alone */
	return -1;
}

static const char *open_private(void)
{
	int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC), file, error;

	if (control < 0)
		return "open /dev/loop-control";
	file = memfd_create("realfeel", MFD_CLOEXEC);
	if (file >= 0 && ftruncate(file, LOOP_BYTES) == 0)
		for (int i = 0; opened.fd < 0 && i < LOOP_ATTEMPTS; i++)
			opened.fd = attach(control, file);
	error = errno;
	close(control);
	close(file);
	errno = error;
	if (opened.fd < 0)
		return "open a loop device";
	return syscall(SYS_io_setup, 1, &opened.context) < 0 ? "io_setup" : NULL;
}

/* The kernel has its own copy of the request when the call returns. */
static int submit(struct iocb *request)
{
	request->aio_fildes = opened.fd;
	return syscall(SYS_io_submit, opened.context, 1, &request) == 1 ? 0 : errno;
}

static int ask_global(void)
{
	return submit(&(struct iocb){ .aio_lio_opcode = IOCB_CMD_FDSYNC });
}

static int ask_private(void)
{
	static _Alignas(LOOP_BYTES) char buffer[LOOP_BYTES];

	return submit(&(struct iocb){
		.aio_lio_opcode = IOCB_CMD_PREAD, .aio_buf = (uintptr_t)buffer, .aio_nbytes = LOOP_BYTES,
	});
}

static uint64_t collect_aio(void)
{
	static struct io_event events[PAIRS_MAX];
	long count = syscall(SYS_io_getevents, opened.context, 0, PAIRS_MAX, events, &(struct timespec){ 0 });

	return count > 0 ? count : 0;
}

/* A work queue of the kernel moves what is written to the slave to the master, which is raw by default. */
static const char *open_unbound(void)
{
	const int flags = O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC;
	int lock = 0;

	opened.master = open("/dev/ptmx", flags);
	if (opened.master >= 0 && ioctl(opened.master, TIOCSPTLCK, &lock) == 0)
		opened.fd = ioctl(opened.master, TIOCGPTPEER, flags);
	return opened.fd < 0 ? "open a pseudo-terminal at /dev/ptmx" : NULL;
}

static int ask_unbound(void)
{
	return write(opened.fd, "x", 1) == 1 ? 0 : errno;
}

static uint64_t collect_unbound(void)
{
	char bytes[64];
	ssize_t count = read(opened.master, bytes, sizeof(bytes));

	return count > 0 ? count : 0;
}

static void close_all(void)
{
	if (opened.context)
		syscall(SYS_io_destroy, opened.context);
	close(opened.fd);
	close(opened.master);
	opened.fd = opened.master = -1;
	opened.context = 0;
}

#define WORKQUEUE \
	.queued = { "workqueue/workqueue_queue_work", "function", 0 }, \
	.executed = { "workqueue/workqueue_execute_start", "function", 0 }, \
	.close = close_all

const struct trigger_ops trigger_global = {
	.function = { "aio_fsync_work" }, .limit = PAIRS_MAX,
	.absent = "use a kernel that has CONFIG_AIO",
	.denied = "raise fs.aio-max-nr, or look for a seccomp filter, such as a container's",
	.open = open_global, .ask = ask_global, .collect = collect_aio, WORKQUEUE
};

const struct trigger_ops trigger_unbound = {
	.function = { "flush_to_ldisc" }, .limit = 1, .anywhere = true,
	.absent = "use a kernel that has CONFIG_UNIX98_PTYS, and mount devpts",
	.denied = "mount devpts, or raise kernel.pty.max",
	.open = open_unbound, .ask = ask_unbound, .collect = collect_unbound, WORKQUEUE
};

const struct trigger_ops trigger_private = {
	.function = { "loop_rootcg_workfn", "loop_workfn" }, .loads = "/dev/loop-control", .limit = 1, .anywhere = true,
	.absent = "modprobe loop, outside containers, on Linux 5.14 or newer",
	.denied = "run as root, or raise fs.aio-max-nr",
	.open = open_private, .ask = ask_private, .collect = collect_aio, WORKQUEUE
};
