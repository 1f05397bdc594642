// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host/sysfile.h"
#include "source/deferred_loop.h"

#define ATTEMPTS 8			/* others may take the device that was free */

static int make_file(void)
{
	int file = memfd_create("realfeel", MFD_CLOEXEC);

	if (file >= 0 && ftruncate(file, LOOP_BYTES) < 0) {
		close(file);
		return -1;
	}
	return file;
}

/* Returns the device, open, or -1 with errno; EBUSY: others have it. */
static int attach(int control, int file)
{
	struct loop_config config = { .fd = file, .info.lo_flags = LO_FLAGS_READ_ONLY | LO_FLAGS_AUTOCLEAR };
	int number = ioctl(control, LOOP_CTL_GET_FREE), device, error;

	if (number < 0)
		return -1;
	device = open(sysfile_path("/dev/loop%d", number), O_RDONLY | O_DIRECT | O_CLOEXEC);
	if (device < 0 || ioctl(device, LOOP_CONFIGURE, &config) == 0)
		return device;
	error = errno;
	close(device);
	errno = error;
	return -1;
}

const char *loop_open(int *device)
{
	int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC), file, error;

	*device = -1;
	if (control < 0)
		return "open /dev/loop-control";
	file = make_file();
	for (int i = 0; file >= 0 && *device < 0 && i < ATTEMPTS; i++) {
		*device = attach(control, file);
		if (*device < 0 && errno != EBUSY)
			break;
	}
	error = errno;
	close(control);
	if (file >= 0)
		close(file);
	errno = error;
	return *device < 0 ? "open a loop device" : NULL;
}
