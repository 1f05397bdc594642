// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is done to the processes, and when. Each line of the script is "WHEN WHAT":
 * README has the words.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sim.h"


struct word {
	const char *name;
	int number;
};

static const struct word signals[] = {
	{ "KILL", SIGKILL }, { "INT", SIGINT }, { "TERM", SIGTERM }, { "HUP", SIGHUP }, { "QUIT", SIGQUIT },
	{ "USR1", SIGUSR1 }, { "STOP", SIGSTOP }, { "CONT", SIGCONT }, { "TSTP", SIGTSTP }, { "TTIN", SIGTTIN },
	{ "ALRM", SIGALRM }, { "CHLD", SIGCHLD }, { NULL, 0 }
};

static const struct word errors[] = {
	{ "EIO", EIO }, { "ENOSPC", ENOSPC }, { "EPERM", EPERM }, { "EACCES", EACCES }, { "ENOENT", ENOENT },
	{ "ENOMEM", ENOMEM }, { "EMFILE", EMFILE }, { "EAGAIN", EAGAIN }, { "EBUSY", EBUSY }, { "EINVAL", EINVAL },
	{ "EFBIG", EFBIG }, { "EEXIST", EEXIST }, { "EOPNOTSUPP", EOPNOTSUPP }, { "ENOSYS", ENOSYS },
	{ "ENODEV", ENODEV }, { "E2BIG", E2BIG }, { "EOVERFLOW", EOVERFLOW }, { NULL, 0 }
};

static const struct word policies[] = {
	{ "other", SCHED_OTHER }, { "fifo", SCHED_FIFO }, { "rr", SCHED_RR }, { NULL, -1 }
};

static const struct word limits[] = {
	{ "nofile", RLIMIT_NOFILE }, { "memlock", RLIMIT_MEMLOCK }, { "rtprio", RLIMIT_RTPRIO }, { "stack", RLIMIT_STACK },
	{ NULL, -1 }
};

static int number_of(const struct word *words, const char *name)
{
	while (words->name && strcmp(words->name, name))
		words++;
	return words->number;
}

static uint64_t ns_of(const char *text)
{
	return strtod(text, NULL) * SECOND + 0.5;
}

/* KILL keeper standby. Whoever is in the world counts as hit, even if the first signal ends this process. */
static void send(struct step *step, int signal, char *names)
{
	struct process *process;
	const char *name;

	while ((name = strsep(&names, " "))) {
		if (!(process = process_find(name)))
			continue;
		step->hit = true;
		process_send(process, signal);
	}
}

static const char *name_of_policy(int policy)
{
	const struct word *word = policies;

	while (word->name && word->number != policy)
		word++;
	return word->name;
}

/* show keeper PATH: the log says how a process is scheduled, or what is in a file */
static void show(char *names)
{
	const char *name;

	while ((name = strsep(&names, " "))) {
		struct process *process = process_find(name);

		if (*name == '/')
			world_log("%s: %s", name, machine_line(name));
		else if (process)
			world_log("%s: %s %d on %s", name, name_of_policy(process->policy), process->priority,
				  machine_list_cpus(&process->cpus));
	}
}

/* policy meter0 fifo 10 */
static void set_policy(struct process *process, char *value)
{
	const char *policy = strsep(&value, " ");

	process->policy = number_of(policies, policy);
	if (process->policy < 0 || !value)
		world_abort("script: policy %s: unknown", policy);
	process->priority = atoi(value);
}

/* What a control group does, or taskset and chrt do. */
static bool change_process(struct step *step, const char *verb, const char *name, char *value)
{
	struct process gone, *process = name ? process_find(name) : NULL;

	step->hit = process;
	if (!process)
		process = &gone;
	if (!strcmp(verb, "FREEZE") || !strcmp(verb, "THAW")) {
		process->frozen = *verb == 'F';
	} else if (!strcmp(verb, "policy")) {
		set_policy(process, value);
	} else if (!strcmp(verb, "bind")) {
		machine_parse_cpus(value, &process->cpus);
	} else {
		return false;
	}
	return true;
}

/* What has to do with the machine. */
static bool change_machine(const char *verb, const char *first, const char *rest)
{
	if (!strcmp(verb, "put"))
		machine_put(first, rest);
	else if (!strcmp(verb, "rename"))
		raw(SYS_renameat2, -100, first, -100, rest, 0L);
	else if (!strcmp(verb, "offline"))
		machine_offline(atoi(first));
	else if (!strcmp(verb, "sleep"))
		world->slept_ns += ns_of(first);
	else if (!strcmp(verb, "step"))
		world->stepped_ns += ns_of(first);
	else if (!strcmp(verb, "silence"))
		world->rtc.silent = true;
	else if (!strcmp(verb, "rush"))
		world->rtc.rushes = true;
	else
		return false;
	return true;
}

/* Returns the errno with which the call is to fail, or 0. */
static int perform(struct step *step)
{
	char what[sizeof(step->what)], *rest = what, *verb, *first;

	strcpy(what, step->what);
	verb = strsep(&rest, " ");
	if (number_of(errors, verb)) {
		step->hit = true;
		return number_of(errors, verb);
	}
	if (number_of(signals, verb)) {
		send(step, number_of(signals, verb), rest);
		return 0;
	}
	if (!strcmp(verb, "show")) {
		step->hit = true;
		show(rest);
		return 0;
	}
	first = strsep(&rest, " ");
	if (change_process(step, verb, first, rest))
		return 0;
	step->hit = true;
	if (!strcmp(verb, "late"))
		self->late_ns = ns_of(first);
	else if (!change_machine(verb, first, rest))
		world_abort("script: %s: unknown", step->what);
	return 0;
}

/* set limit rtprio 94 */
static void set_limit(const char *value)
{
	char name[NAME] = "";
	unsigned long long limit;

	if (sscanf(value, "%23s %llu", name, &limit) < 2 || number_of(limits, name) < 0)
		world_abort("script: set limit %s: unknown", value);
	world->limit[number_of(limits, name)] = limit;
}

static void set(const char *name, const char *value)
{
	if (!strcmp(name, "seed"))
		world->seed = strtoull(value, NULL, 0);
	else if (!strcmp(name, "order"))
		world->order = strtoull(value, NULL, 0);
	else if (!strcmp(name, "hop"))
		world->hop_ns = ns_of(value);
	else if (!strcmp(name, "cpus"))
		machine_set_online(atoi(value));
	else if (!strcmp(name, "allowed"))
		machine_parse_cpus(value, &world->allowed);
	else if (!strcmp(name, "release"))
		snprintf(world->release, sizeof(world->release), "%s", value);
	else if (!strcmp(name, "version"))
		snprintf(world->version, sizeof(world->version), "%s", value);
	else if (!strcmp(name, "resolution"))
		world->resolution_ns = ns_of(value);
	else if (!strcmp(name, "limit"))
		set_limit(value);
	else if (!strcmp(name, "capabilities"))
		world->capabilities = strtoull(value, NULL, 0);
	else if (!strcmp(name, "machine"))
		snprintf(world->machine, sizeof(world->machine), "%s", value);
	else if (!strcmp(name, "columns"))
		world->columns = atoi(value);
	else if (!strcmp(name, "trace"))
		snprintf(world->traced, sizeof(world->traced), "%s", value);
	else if (!strcmp(name, "rtc"))
		snprintf(world->rtc.paths, sizeof(world->rtc.paths), "%s", value);
	else if (!strcmp(name, "rtc_low_byte"))
		world->rtc.low_byte = strtoul(value, NULL, 0);
	else if (!strcmp(name, "rtc_stale"))
		world->rtc.stale = strtoul(value, NULL, 0);
	else
		world_abort("script: set %s: unknown", name);
}

/* "1.5 KILL meter0", or "keeper:write:3 ENOSPC", where "3+" means all from the third on */
static void add_step(const char *when, const char *what)
{
	struct step *step = &world->step[world->steps];
	char again = '\0';

	if (world->steps++ == STEPS)
		world_abort("script: more than %d lines", STEPS);
	*step = (struct step){ .at_ns = NEVER };
	if (sscanf(when, "%23[^:]:%23[^:]:%u%c", step->process, step->call, &step->nth, &again) < 3)
		step->at_ns = world->begun_ns + ns_of(when);
	step->again = again == '+';
	snprintf(step->what, sizeof(step->what), "%s", what);
}

void script_read(void)
{
	char path[PATH_MAX + 8], line[PATH_MAX + 64], *rest, *name;
	FILE *file;

	snprintf(path, sizeof(path), "%s/script", sim_folder);
	file = NEXT(fopen, path, "re");
	while (file && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		rest = line;
		strsep(&rest, " ");
		if (!rest)
			continue;
		if (strcmp(line, "set")) {
			add_step(line, rest);
			continue;
		}
		name = strsep(&rest, " ");
		set(name, rest);
	}
	if (file)
		fclose(file);
}

uint64_t script_due_ns(void)
{
	uint64_t first_ns = NEVER;

	for (unsigned i = 0; i < world->steps; i++)
		if (world->step[i].at_ns < first_ns)
			first_ns = world->step[i].at_ns;
	return first_ns;
}

void script_run(void)
{
	for (unsigned i = 0; i < world->steps; i++) {
		struct step *step = &world->step[i];

		if (step->at_ns > world->now_ns)
			continue;
		step->at_ns = NEVER;
		step->nth = 0;
		perform(step);
	}
}

static bool is_at(struct step *step, const char *call)
{
	if (!step->nth || (strcmp(step->process, "any") && strcmp(step->process, self->name)) ||
	    (strcmp(step->call, "any") && strcmp(step->call, call)))
		return false;
	step->seen++;
	return step->seen == step->nth || (step->again && step->seen > step->nth);
}

void script_end(void)
{
	for (unsigned i = 0; i < world->steps; i++)
		if (!world->step[i].hit)
			world_log("nothing comes of %s", world->step[i].what);
}

bool script_fails(const char *call)
{
	int cause = errno, error = 0;

	if (!self)
		return false;
	self->calls++;
	snprintf(self->call, NAME, "%s", call);
	if (!strcmp(world->traced, self->name))
		world_log("%s calls %u %s", self->name, self->calls, call);
	for (unsigned i = 0; i < world->steps; i++)
		if (is_at(&world->step[i], call))
			error |= perform(&world->step[i]);
	if (!process_may_run(self)) {
		self->ready = true;
		turn_wait(NEVER, FOR_TIME);
	}
	errno = error ? error : cause;
	return error;
}
