// SPDX-License-Identifier: GPL-2.0-or-later
/* Counts system management interrupts. */
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "host/sysfile.h"
#include "measure/loop.h"

#define SMI_COUNT 0x34		/* the register in which an Intel CPU counts them, with 32 bits */

/* Perf's own counter of that register, if the kernel has one: "event=0x04". */
static int open_perf(int cpu)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	long long type;
	char event[32];

	if (!sysfile_number("/sys/bus/event_source/devices/msr/type", &type) ||
	    !sysfile_value("/sys/bus/event_source/devices/msr/events/smi", "event=", event, sizeof(event)))
		return -1;
	attr.type = type;
	attr.config = strtol(event, NULL, 0);
	return syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Without such a counter, the register itself. The driver reads it at the file's position, which stays where it is. */
int smis_open(int cpu)
{
	int fd = open_perf(cpu);
	char vendor[32];

	if (fd >= 0 || !sysfile_value("/proc/cpuinfo", "vendor_id", vendor, sizeof(vendor)) ||
	    strcmp(vendor, "GenuineIntel"))
		return fd;
	fd = open(sysfile_path("/dev/cpu/%d/msr", cpu), O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		lseek(fd, SMI_COUNT, SEEK_SET);
	return fd;
}

int64_t smis_count(int smis)
{
	int64_t count;

	if (smis >= 0 && read(smis, &count, sizeof(count)) == sizeof(count))
		return count;
	return EVENTS_UNKNOWN;
}

int64_t smis_since(int smis, int64_t before)
{
	int64_t now = before == EVENTS_UNKNOWN ? EVENTS_UNKNOWN : smis_count(smis);

	return now == EVENTS_UNKNOWN ? EVENTS_UNKNOWN : (uint32_t)(now - before);
}
