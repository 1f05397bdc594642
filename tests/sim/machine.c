// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The machine: its CPUs, its kernel's name, and its files. Of what stands below
 * the folders that tell of a machine, only the files of the run are there, then
 * those that several runs share; and what /proc has of our processes.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "sim.h"

#define ONLINE "/sys/devices/system/cpu/online"

static const char *const folders[] = {
	 "/sys/", "/proc/", "/dev/", "/boot/", "/lib/modules/", "/run/", "/etc/", "/.dockerenv", NULL
};
static const char *const real[] = {
	"/dev/.", "/dev/null", "/dev/full", "/dev/std", "/dev/fd/", "/dev/shm/", "/proc/self/fd/", NULL
};

/* Returns where the list has a beginning of the path; its last, which is NULL, if it has none. */
static const char *const *begins(const char *path, const char *const *with)
{
	while (*with && strncmp(path, *with, strlen(*with)))
		with++;
	return with;
}

static bool is_there(const char *path)
{
	return raw(SYS_readlinkat, AT_FDCWD, path, (char[1]){ 0 }, 1L) >= 0 || errno == EINVAL;
}

/* What /proc has of a process, if it is one of ours. Returns the rest of the path, or NULL. */
const char *machine_split(const char *path, struct process **process)
{
	int pid, used = 0;

	*process = self;
	if (!strncmp(path, "/proc/self/", 11))
		return path + 10;
	if (strncmp(path, "/proc/", 6) || sscanf(path, "/proc/%d%n", &pid, &used) < 1)
		return NULL;
	*process = process_of(pid);
	return *process ? path + used : NULL;
}

/* Returns whether it is there. */
static bool find(char below[PATH_MAX], const char *folder, const char *prefix, const char *path)
{
	snprintf(below, PATH_MAX, "%.2000s%s%s", folder, prefix, path);
	return is_there(below);
}

/* Where the run has no files when it begins, none is looked for: the script writes files, and makes no folder. */
void machine_begin(void)
{
	char below[PATH_MAX];

	for (size_t i = 0; folders[i]; i++)
		world->has_folder[i] = !strchr(folders[i] + 1, '/') || find(below, sim_folder, "/root", folders[i]);
}

/* The file of a process may be given for it alone, or for all. Else it is the kernel's. */
static void find_of_process(char below[PATH_MAX], bool has_folder, const char *name, const char *rest, const char *path)
{
	char own[40];

	snprintf(own, sizeof(own), "/root/proc/%s", name);
	if (has_folder && (find(below, sim_folder, own, rest) || find(below, sim_folder, "/root/proc/self", rest)))
		return;
	if (!*world->machine || !find(below, world->machine, "/proc/self", rest))
		strcpy(below, path);
}

const char *machine_path(const char *path, char below[PATH_MAX])
{
	const char *const *folder = begins(path, folders);
	struct process *process;
	int cause = errno;
	bool has_folder;
	const char *rest;

	if (!self || !*folder || *begins(path, real))
		return path;
	has_folder = world->has_folder[folder - folders];
	rest = machine_split(path, &process);
	if (rest)
		find_of_process(below, has_folder, process->name, rest, path);
	else if (!(has_folder && find(below, sim_folder, "/root", path)) && *world->machine)
		snprintf(below, PATH_MAX, "%.2000s%s", world->machine, path);
	errno = cause;
	return below;
}

/* The kernel says of this file when it has changed. */
bool machine_is_group(const char *path)
{
	const char *name = strrchr(path, '/');

	return name && !strcmp(name, "/cgroup.events");
}

/* In place, for those who have it open. A path that does not begin with a slash is where the run is. */
void machine_put(const char *path, const char *text)
{
	char below[PATH_MAX];
	int fd;

	snprintf(below, sizeof(below), "%.2000s/root%s", sim_folder, path);
	fd = raw(SYS_openat, AT_FDCWD, *path == '/' ? below : path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0)
		world_abort("script: put %s: %s", path, strerror(errno));
	if (text)
		raw(SYS_write, fd, text, strlen(text));
	raw(SYS_write, fd, "\n", 1L);
	raw(SYS_close, fd);
	world->group_events += machine_is_group(path);
}

void machine_parse_cpus(const char *list, cpu_set_t *cpus)
{
	int first, last, used;

	CPU_ZERO(cpus);
	while (sscanf(list, "%d%n", &first, &used) == 1) {
		list += used;
		last = first;
		if (sscanf(list, "-%d%n", &last, &used) == 1)
			list += used;
		for (; first <= last; first++)
			CPU_SET(first, cpus);
		list += *list == ',';
	}
}

const char *machine_list_cpus(const cpu_set_t *cpus)
{
	static char list[5 * CPU_SETSIZE];
	int length = 0;

	*list = '\0';
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, cpus))
			length += snprintf(list + length, sizeof(list) - length, "%s%d", length ? "," : "", cpu);
	return list;
}

const char *machine_line(const char *path)
{
	static char line[256];
	char below[PATH_MAX];
	int fd = raw(SYS_openat, AT_FDCWD, machine_path(path, below), O_RDONLY | O_CLOEXEC);
	ssize_t length = raw(SYS_read, fd, line, sizeof(line) - 1);

	raw(SYS_close, fd);
	line[length < 0 ? 0 : length] = '\0';
	line[strcspn(line, "\n")] = '\0';
	return line;
}

void machine_set_online(int cpus)
{
	CPU_ZERO(&world->online);
	for (int cpu = 0; cpu < cpus; cpu++)
		CPU_SET(cpu, &world->online);
}

/* The kernel moves what is bound to it. */
void machine_offline(int cpu)
{
	CPU_CLR(cpu, &world->online);
	machine_put(ONLINE, machine_list_cpus(&world->online));
	for_each_process(process) {
		CPU_CLR(cpu, &process->cpus);
		if (!CPU_COUNT(&process->cpus))
			process->cpus = world->online;
	}
}

int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *cpus)
{
	struct process *process = pid && self ? process_of(pid) : self;

	if (!process)
		return raw(SYS_sched_getaffinity, pid, size, cpus) < 0 ? -1 : 0;
	memcpy(cpus, &process->cpus, size);
	return 0;
}

int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *wanted)
{
	struct process *process = pid && self ? process_of(pid) : self;
	cpu_set_t cpus = { 0 };

	if (script_fails("sched_setaffinity"))
		return -1;
	if (!process)
		return raw(SYS_sched_setaffinity, pid, size, wanted);
	memcpy(&cpus, wanted, size);
	CPU_AND(&cpus, &cpus, &world->online);
	if (!CPU_COUNT(&cpus)) {
		errno = EINVAL;
		return -1;
	}
	process->cpus = cpus;
	return 0;
}

/* The first of those that it may use. */
int sched_getcpu(void)
{
	int cpu = 0;

	if (!self)
		return NEXT(sched_getcpu);
	while (!CPU_ISSET(cpu, &self->cpus))
		cpu++;
	return cpu;
}

long sysconf(int name)
{
	if (self && (name == _SC_NPROCESSORS_CONF || name == _SC_NPROCESSORS_ONLN))
		return CPU_COUNT(&world->online);
	return NEXT(sysconf, name);
}

int uname(struct utsname *name)
{
	if (!self)
		return NEXT(uname, name);
	*name = (struct utsname){
		.sysname = "Linux", .nodename = "sim", .machine = "sim",
	};
	strcpy(name->release, world->release);
	strcpy(name->version, world->version);
	return 0;
}

int getrlimit(__rlimit_resource_t resource, struct rlimit *limit)
{
	if (!self)
		return NEXT(getrlimit, resource, limit);
	*limit = (struct rlimit){ world->limit[resource], world->limit[resource] };
	return 0;
}

int getrlimit64(__rlimit_resource_t resource, struct rlimit64 *limit) __attribute__((alias("getrlimit")));

ssize_t getrandom(void *bytes, size_t size, unsigned flags)
{
	unsigned char *to = bytes;

	if (!self)
		return raw(SYS_getrandom, bytes, size, flags);
	for (size_t i = 0; i < size; i++)
		to[i] = draw(&self->draws, 256);
	return size;
}
