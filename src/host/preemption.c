// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/detached.h"
#include "host/preemption.h"
#include "host/sysfile.h"

#define PACKED "/proc/config.gz"
#define LOG "/dev/kmsg"
#define NOBODY 65534

static const struct model {
	const char *name;
	const char *line;	/* of the configuration */
	bool preempts;		/* and the kernel's version has the word PREEMPT */
} models[] = {
	{ "none", "CONFIG_PREEMPT_NONE=y", false },
	{ "voluntary", "CONFIG_PREEMPT_VOLUNTARY=y", false },
	{ "full", "CONFIG_PREEMPT=y", true },
	{ "lazy", "CONFIG_PREEMPT_LAZY=y", true },
};

#define MODELS (sizeof(models) / sizeof(*models))

/* What the kernel was built with. */
struct config {
	const struct model *model;	/* NULL: unknown */
	bool dynamic;			/* the kernel can change to another model */
	char path[96];
};

static struct preemption {
	char model[96], from[192];
} first, last;

static void take_lines(struct config *config, FILE *file)
{
	char line[256];

	while (fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		if (!strcmp(line, "CONFIG_PREEMPT_DYNAMIC=y"))
			config->dynamic = true;
		for (size_t i = 0; i < MODELS; i++)
			if (!strcmp(line, models[i].line))
				config->model = &models[i];
	}
}

/*
 * Every distribution has gzip at that place. It gets an empty environment and,
 * as it needs no rights, none of root's. Where root may not give them up
 * (EPERM), it has none to speak of.
 */
static pid_t start_gzip(int packed, int plain)
{
	char *const arguments[] = { "gzip", "-dc", NULL }, *const environment[] = { NULL };
	pid_t pid = fork();

	if (pid)
		return pid;
	dup2(packed, STDIN_FILENO);
	dup2(plain, STDOUT_FILENO);
	dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
	if (geteuid() || (setgroups(0, NULL) == 0 && setgid(NOBODY) == 0 && setuid(NOBODY) == 0) || errno == EPERM)
		execve("/bin/gzip", arguments, environment);
	_exit(127);
}

/* From a damaged file no model is taken. */
static void take_packed(struct config *config, FILE *packed)
{
	int ends[2], status;
	FILE *plain;
	pid_t gzip;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return;
	gzip = start_gzip(fileno(packed), ends[1]);
	close(ends[1]);
	plain = fdopen(ends[0], "r");
	if (plain) {
		take_lines(config, plain);
		fclose(plain);
	} else {
		close(ends[0]);
	}
	if (gzip < 0 || (waitpid(gzip, &status, 0) == gzip && status))
		config->model = NULL;
}

/* Another build may have left its file under this kernel's name. One that contradicts the version is not believed. */
static bool read_config(struct config *config, const char *path, const struct utsname *kernel)
{
	FILE *file = fopen(path, "re");
	bool preempts;

	*config = (struct config){ .model = NULL };
	if (!file)
		return false;
	if (!strcmp(path, PACKED))
		take_packed(config, file);
	else
		take_lines(config, file);
	fclose(file);
	preempts = config->dynamic || (config->model && config->model->preempts);
	if (preempts != !!strstr(kernel->version, "PREEMPT"))
		config->model = NULL;
	snprintf(config->path, sizeof(config->path), "%s", path);
	return config->model;
}

/* A file that gave a model is not read again: it stays the same as long as the kernel runs. */
static const struct config *find_config(const struct utsname *kernel)
{
	static struct config config;

	if (!config.model && !read_config(&config, PACKED, kernel) &&
	    !read_config(&config, sysfile_path("/boot/config-%s", kernel->release), kernel))
		read_config(&config, sysfile_path("/lib/modules/%s/config", kernel->release), kernel);
	return &config;
}

bool kernel_is_since(unsigned major, unsigned minor)
{
	unsigned own_major = 0, own_minor = 0;
	struct utsname kernel;

	uname(&kernel);
	sscanf(kernel.release, "%u.%u", &own_major, &own_minor);
	return own_major > major || (own_major == major && own_minor >= minor);
}

bool kernel_is_rt(void)
{
	struct utsname kernel;

	uname(&kernel);
	return strstr(kernel.version, "PREEMPT_RT") || strstr(kernel.version, "PREEMPT RT");
}

/* The version of a kernel with PREEMPT_LAZY says PREEMPT, too. */
static bool may_be_lazy(void)
{
	return kernel_is_since(6, 13);
}

/* The model that the kernel last logged, if the log still has that. Only records of the kernel itself begin so. */
static bool find_in_log(char model[16])
{
	int log = open(LOG, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	FILE *records = log < 0 ? NULL : fdopen(log, "r");
	char line[256];

	*model = '\0';
	if (!records)
		return false;
	while (fgets(line, sizeof(line), records))
		sscanf(line, "6,%*u,%*u,%*[^;];Dynamic Preempt: %15s", model);
	fclose(records);
	return *model;
}

/* The last model counts; the kernel ignores one that it does not have. Words after -- are for init. */
static const char *find_on_command_line(void)
{
	char line[2048], *rest = line, *word;
	const char *found = NULL;

	sysfile_line("/proc/cmdline", line, sizeof(line));
	while ((word = strsep(&rest, " ")) && strcmp(word, "--"))
		for (size_t i = 0; i < MODELS; i++)
			if (!strncmp(word, "preempt=", 8) && !strcmp(word + 8, models[i].name) &&
			    (strcmp(models[i].name, "lazy") || may_be_lazy()))
				found = models[i].name;
	return found;
}

static void set(struct preemption *preemption, const char *from, const char *model, bool dynamic)
{
	snprintf(preemption->from, sizeof(preemption->from), "%s", from);
	snprintf(preemption->model, sizeof(preemption->model), "%s%s", model, dynamic ? " (PREEMPT_DYNAMIC)" : "");
}

/* The kernel's version tells apart some of the models that are built in. */
static void take_version(struct preemption *preemption, const struct utsname *kernel)
{
	if (strstr(kernel->version, "PREEMPT_DYNAMIC"))
		set(preemption, "unknown", "unknown", true);
	else if (!strstr(kernel->version, "PREEMPT"))
		set(preemption, "kernel_version", "none or voluntary", false);
	else
		set(preemption, "kernel_version", may_be_lazy() ? "full or lazy" : "full", false);
}

static void take_others(struct preemption *preemption, const struct utsname *kernel)
{
	const struct config *config = find_config(kernel);
	bool dynamic = strstr(kernel->version, "PREEMPT_DYNAMIC") || (config->model && config->dynamic);
	const char *asked = dynamic ? find_on_command_line() : NULL;
	char logged[16];

	if (dynamic && find_in_log(logged))
		set(preemption, LOG, logged, true);
	else if (asked)
		set(preemption, "kernel_command_line", asked, true);
	else if (config->model)
		set(preemption, config->path, config->model->name, dynamic);
	else
		take_version(preemption, kernel);
}

/*
 * The file has all models, and the one in force in parentheses: "none voluntary
 * (full)". Returns what it was read from: path or, where that is not there, a
 * mount of our own.
 */
static const char *read_models(const char *path, char *line, size_t size)
{
	int debugfs = -1;

	errno = 0;
	if (!sysfile_line(path, line, size) && errno == ENOENT)
		debugfs = detached_mount("debugfs");
	if (debugfs < 0)
		return path;
	sysfile_line(sysfile_path("/proc/self/fd/%d/sched/preempt", debugfs), line, size);
	close(debugfs);
	return "debugfs";
}

static void derive(struct preemption *preemption, const char *path)
{
	char line[256], *chosen;
	const char *from = read_models(path, line, sizeof(line));
	struct utsname kernel;

	uname(&kernel);
	chosen = strchr(line, '(');
	if (kernel_is_rt()) {
		set(preemption, "kernel_version", "PREEMPT_RT", false);
	} else if (chosen) {
		chosen[strcspn(chosen, ")")] = '\0';
		set(preemption, from, chosen + 1, true);
	} else {
		take_others(preemption, &kernel);
	}
}

/* If the model is now known from another source than at first, the two cannot be compared: it becomes unknown. */
void preemption_model(char *value, size_t size, const char *where)
{
	derive(&last, where);
	if (!*first.from)
		first = last;
	if (strcmp(first.from, last.from))
		set(&last, "unknown", "unknown", false);
	snprintf(value, size, "%s", last.model);
}

void preemption_from(char *value, size_t size, const char *where)
{
	(void)where;
	snprintf(value, size, "%s", last.from);
}
