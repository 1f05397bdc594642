// SPDX-License-Identifier: GPL-2.0-or-later
/* The file says "n/a" where no latency is tolerated, and "0" where any is: admin-guide/pm/cpuidle.rst of the kernel. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/diag.h"
#include "host/idle_latency.h"
#include "host/privilege.h"
#include "host/sysfile.h"

/* As the kernel writes it, with a newline. */
typedef char bound_text[16];

static struct bound {
	int cpu, fd;
	bound_text former;
} bounds[CPUS_MAX];			/* open since before the processes of the run were forked */

static int count;
static bound_text own;			/* "": none is set */

static const char *file_of(int cpu)
{
	return sysfile_path("/sys/devices/system/cpu/cpu%d/power/pm_qos_resume_latency_us", cpu);
}

bool idle_latency_read(int cpu, long long *us)
{
	bound_text text;

	if (!sysfile_line(file_of(cpu), text, sizeof(text)))
		return false;
	*us = !strcmp(text, "0") ? IDLE_LATENCY_OFF : strtoll(text, NULL, 10);
	return true;
}

static void refuse(struct refusal *refusal, int error, const struct cpus *refused)
{
	char list[CPUS_TEXT_SIZE];

	cpus_print(refused, list);
	refusal_begin(refusal, error == EWOULDBLOCK ? 0 : error, "limit the idle states of CPU%s %.128s",
		      refused->count == 1 ? "" : "s", list);
	if (error == EWOULDBLOCK) {
		refusal_reason(refusal, "another run does");
		refusal_remedy(refusal, "wait until it has ended");
	} else if (error == EACCES || error == EPERM) {
		refusal_remedy(refusal, "%s", privilege_remedy("CAP_DAC_OVERRIDE"));
	} else if (error == EROFS) {
		refusal_reason(refusal, "/sys is read-only, as in containers and services");
		refusal_remedy(refusal, "run it outside");
	} else {
		refusal_reason(refusal, "%s", file_of(refused->number[0]));
		refusal_remedy(refusal, "give --dma-latency");
	}
}

/* Returns 0, or -1 with errno. */
static int read_text(const struct bound *bound, bound_text text)
{
	ssize_t length = pread(bound->fd, text, sizeof(bound_text) - 1, 0);

	text[length > 0 ? length : 0] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return length < 0 ? -1 : 0;
}

/* Returns 0, or -1 with errno. */
static int write_text(const struct bound *bound, const bound_text text)
{
	bound_text line;
	int length = snprintf(line, sizeof(line), "%.14s\n", text);

	return pwrite(bound->fd, line, length, 0) == length ? 0 : -1;
}

int idle_latency_open(const struct cpus *cpus, struct refusal *refusal)
{
	struct cpus refused = { .count = 0 };
	int error = 0;

	for (int i = 0; i < cpus->count; i++) {
		struct bound *bound = &bounds[count];

		bound->cpu = cpus->number[i];
		bound->fd = open(file_of(bound->cpu), O_RDWR | O_CLOEXEC);
		if (bound->fd >= 0 && flock(bound->fd, LOCK_EX | LOCK_NB) == 0 &&
		    read_text(bound, bound->former) == 0) {
			count++;
			continue;
		}
		error = errno;
		if (bound->fd >= 0)
			close(bound->fd);
		refused.number[refused.count++] = bound->cpu;
	}
	if (!refused.count)
		return 0;
	refuse(refusal, error, &refused);
	return -1;
}

bool idle_latency_is_open(int cpu)
{
	for (int i = 0; i < count; i++)
		if (bounds[i].cpu == cpu)
			return true;
	return false;
}

int idle_latency_set(long long us)
{
	struct refusal refusal;
	char line[REFUSAL_LINE];

	snprintf(own, sizeof(own), us ? "%lld" : "n/a", us);
	for (int i = 0; i < count; i++) {
		const struct cpus refused = { .count = 1, .number = { bounds[i].cpu } };

		if (write_text(&bounds[i], own) == 0)
			continue;
		refuse(&refusal, errno, &refused);
		warn("%s", refusal_line(&refusal, line));
		return -1;
	}
	return 0;
}

void idle_latency_put_back(void)
{
	for (int i = 0; i < count; i++) {
		const struct bound *bound = &bounds[i];
		bound_text now;

		if (read_text(bound, now) == 0 && !strcmp(now, own) && write_text(bound, bound->former) < 0)
			warn("put back the idle states of CPU %d: %m; echo %s >%s", bound->cpu, bound->former,
			     file_of(bound->cpu));
		close(bound->fd);
	}
	count = 0;
}
