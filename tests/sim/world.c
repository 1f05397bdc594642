// SPDX-License-Identifier: GPL-2.0-or-later
/* What the processes of a run share: a file in the folder of the run, for a process that is executed to find it. */
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sim.h"

#define BEGINNING (1000 * SECOND)
#define HOP_NS UINT64_C(100000)
#define FILES 1024			/* that a process may have open */

struct world *world;
struct process *self;
char sim_folder[PATH_MAX];

/* More arguments than a call has do no harm. */
long raw_call(long number, ...)
{
	long argument[6];
	va_list args;

	va_start(args, number);
	for (int i = 0; i < 6; i++)
		argument[i] = va_arg(args, long);
	va_end(args);
	return NEXT(syscall, number, argument[0], argument[1], argument[2], argument[3], argument[4], argument[5]);
}

/* splitmix64, by Sebastiano Vigna */
uint64_t draw(uint64_t *state, uint64_t below)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return (z ^ z >> 31) % below;
}

static double seconds(void)
{
	return (world->now_ns - world->begun_ns) / 1e9;
}

void world_log(const char *format, ...)
{
	char line[600], path[PATH_MAX + 8];
	int fd, length = snprintf(line, sizeof(line), "%.9f ", seconds());
	va_list args;

	va_start(args, format);
	length += vsnprintf(line + length, sizeof(line) - length - 1, format, args);
	va_end(args);
	line[length++] = '\n';
	snprintf(path, sizeof(path), "%s/log", sim_folder);
	fd = raw(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	raw(SYS_write, fd, line, length);
	raw(SYS_close, fd);
}

void world_abort(const char *format, ...)
{
	char text[600], line[700];
	va_list args;
	int length;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	length = snprintf(line, sizeof(line), "sim: at %.9f s: %s\n", seconds(), text);
	raw(SYS_write, STDERR_FILENO, line, length);
	for_each_process(process)
		if (process->pid && process->pid != getpid() && !process->dead)
			raw(SYS_kill, process->pid, SIGKILL);
	raw(SYS_exit_group, 99);
	abort();
}

struct process *process_find(const char *name)
{
	for_each_process(process)
		if (!process->dead && !strcmp(process->name, name))
			return process;
	return NULL;
}

struct process *process_of(pid_t pid)
{
	for_each_process(process)
		if (process->pid == pid)
			return process;
	return NULL;
}

bool process_may_run(const struct process *process)
{
	return !process->dead && !process->stopped && !process->frozen;
}

/*
 * What the keeper forks before it has a descriptor for signals is of the
 * preflight; then comes the standby, then come the meters. What those fork
 * belongs to their source, and what the standby forks is the load.
 */
static enum role role_of_child(const struct process *parent)
{
	if (parent->role == KEEPER && !world->settled)
		return TRIAL;
	if (parent->role == KEEPER)
		return world->born_as[STANDBY] ? METER : STANDBY;
	return parent->role == STANDBY || parent->role == LOAD ? LOAD : CHILD;
}

static void name(struct process *process)
{
	static const char *const names[] = { "keeper", "trial", "standby", "meter", "child", "load" };
	unsigned number = world->born_as[process->role]++;

	snprintf(process->name, NAME, process->role == KEEPER || process->role == STANDBY ? "%s" : "%s%u",
		 names[process->role], number);
	process->draws = (world->seed << 32) + (process->role == METER ? 0 : process->role) + 8 * number;
}

/* Room for one, perhaps of a process that was waited for. */
static struct process *make_room(void)
{
	for_each_process(process)
		if (process->dead && !process->pid)
			return process;
	if (world->count == PROCESSES)
		world_abort("more than %d processes", PROCESSES);
	return &world->process[world->count++];
}

struct process *process_add(void)
{
	struct process *process = make_room();

	*process = (struct process){ .parent = -1, .alarm_ns = NEVER, .wakes_ns = NEVER, .born = world->born++ };
	if (self) {
		process->parent = self - world->process;
		process->role = role_of_child(self);
		process->policy = self->policy;
		process->priority = self->priority;
		process->cpus = self->cpus;
	}
	name(process);
	world_log("%s begins", process->name);
	return process;
}

static void begin_world(void)
{
	struct process *keeper;

	world->now_ns = world->begun_ns = BEGINNING;
	world->hop_ns = HOP_NS;
	machine_set_online(4);
	strcpy(world->release, "6.1.0-sim");
	strcpy(world->version, "#1 SMP PREEMPT_DYNAMIC");
	world->capabilities = ~UINT64_C(0);
	world->resolution_ns = 1;
	for (int i = 0; i < RLIM_NLIMITS; i++)
		world->limit[i] = i == RLIMIT_NOFILE ? FILES : RLIM_INFINITY;
	world->rtc.hz = 1024;
	world->rtc.low_byte = 0xc0;
	script_read();
	machine_begin();
	keeper = process_add();
	keeper->pid = getpid();
	keeper->cpus = CPU_COUNT(&world->allowed) ? world->allowed : world->online;
	self = keeper;
}

/* A program that was executed goes on with its turn. */
__attribute__((constructor))
static void begin(void)
{
	const char *folder = getenv("SIM");
	char path[PATH_MAX + 8];
	bool first;
	int fd;

	if (!folder)
		return;
	snprintf(sim_folder, sizeof(sim_folder), "%s", folder);
	snprintf(path, sizeof(path), "%s/world", folder);
	fd = raw(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (raw(SYS_ftruncate, fd, sizeof(*world)) < 0)
		abort();
	world = mmap(NULL, sizeof(*world), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	raw(SYS_close, fd);
	if (world == MAP_FAILED)
		abort();
	first = !world->count;
	if (first)
		begin_world();
	else if (!(self = process_of(getpid())))
		world_abort("process %d was not forked by one of the world", getpid());
	guard_install(first);
}

__attribute__((destructor))
static void end(void)
{
	if (self)
		process_end("ends");
}
