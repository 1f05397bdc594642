// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/preemption.h"
#include "host/sysfile.h"

#define PACKED "/proc/config.gz"
#define FROM_SIZE 192
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
	const struct model *model;	/* NULL: not known */
	bool dynamic;			/* and it can take another */
	char path[96];
};

struct preemption {
	char model[96], from[FROM_SIZE];
};

static void take_line(struct config *config, const char *line)
{
	if (!strcmp(line, "CONFIG_PREEMPT_DYNAMIC=y"))
		config->dynamic = true;
	for (size_t i = 0; i < MODELS; i++)
		if (!strcmp(line, models[i].line))
			config->model = &models[i];
}

static void take_lines(struct config *config, FILE *file)
{
	char line[256];

	while (fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		take_line(config, line);
	}
}

/*
 * By gzip, which every distribution has at that place, with an empty
 * environment; and what unpacks a file needs no rights of root's. A root that
 * may not give them up has none to speak of.
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

/* Of a damaged file nothing is taken. */
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

/* Another build may have left its file under this kernel's name: it must not contradict the version. */
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
	if (!config->model)
		return false;
	preempts = config->dynamic || config->model->preempts;
	if (preempts != !!strstr(kernel->version, "PREEMPT"))
		config->model = NULL;
	snprintf(config->path, sizeof(config->path), "%s", path);
	return config->model;
}

/* It stays the same for as long as the kernel runs. */
static const struct config *find_config(const struct utsname *kernel)
{
	static struct config config;

	if (!config.model && !read_config(&config, PACKED, kernel) &&
	    !read_config(&config, sysfile_path("/boot/config-%s", kernel->release), kernel))
		read_config(&config, sysfile_path("/lib/modules/%s/config", kernel->release), kernel);
	return &config;
}

/* The models that the kernel can take, and in parentheses the one that it has: "none voluntary (full)". */
static bool read_chosen(const char *path, char *model, size_t size)
{
	char line[256], *open;

	sysfile_line(path, line, sizeof(line));
	open = strchr(line, '(');
	if (open)
		snprintf(model, size, "%.*s", (int)strcspn(open + 1, ")"), open + 1);
	return open;
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

/* PREEMPT_LAZY, which is called PREEMPT too. */
static bool may_be_lazy(void)
{
	return kernel_is_since(6, 13);
}

static const struct model *model_by_name(const char *name)
{
	for (size_t i = 0; i < MODELS; i++)
		if (!strcmp(name, models[i].name))
			return &models[i];
	return NULL;
}

/* The last one counts, and one that the kernel does not have is ignored. Behind -- init's own part begins. */
static const char *find_on_command_line(void)
{
	const struct model *found = NULL;
	char line[2048], *rest = line, *word;

	sysfile_line("/proc/cmdline", line, sizeof(line));
	while ((word = strsep(&rest, " ")) && strcmp(word, "--")) {
		const struct model *model = strncmp(word, "preempt=", 8) ? NULL : model_by_name(word + 8);

		if (model && (strcmp(model->name, "lazy") || may_be_lazy()))
			found = model;
	}
	return found ? found->name : NULL;
}

static void set(struct preemption *preemption, const char *from, const char *model, bool dynamic)
{
	snprintf(preemption->from, sizeof(preemption->from), "%s", from);
	snprintf(preemption->model, sizeof(preemption->model), "%s%s", model, dynamic ? " (PREEMPT_DYNAMIC)" : "");
}

/* The kernel's version tells the models apart that were built in, but not all of them. */
static void take_version(struct preemption *preemption, const struct utsname *kernel)
{
	if (strstr(kernel->version, "PREEMPT_DYNAMIC"))
		set(preemption, "unknown", "unknown", true);
	else if (!strstr(kernel->version, "PREEMPT"))
		set(preemption, "kernel_version", "none or voluntary", false);
	else
		set(preemption, "kernel_version", may_be_lazy() ? "full or lazy" : "full", false);
}

static void derive(struct preemption *preemption, const char *path)
{
	const struct config *config;
	struct utsname kernel;
	const char *asked;
	char chosen[64];
	bool dynamic;

	uname(&kernel);
	if (kernel_is_rt()) {
		set(preemption, "kernel_version", "PREEMPT_RT", false);
		return;
	}
	if (read_chosen(path, chosen, sizeof(chosen))) {
		set(preemption, path, chosen, true);
		return;
	}
	config = find_config(&kernel);
	dynamic = strstr(kernel.version, "PREEMPT_DYNAMIC") || (config->model && config->dynamic);
	asked = dynamic ? find_on_command_line() : NULL;
	if (asked)
		set(preemption, "kernel_command_line", asked, true);
	else if (config->model)
		set(preemption, config->path, config->model->name, dynamic);
	else
		take_version(preemption, &kernel);
}

/* What is known from another source than at first is not comparable: it is not known any more. */
static struct preemption read_all(const char *path)
{
	static char first[FROM_SIZE];
	struct preemption preemption = { .from = "" };

	derive(&preemption, path);
	if (!*first)
		strcpy(first, preemption.from);
	if (strcmp(first, preemption.from))
		set(&preemption, "unknown", "unknown", false);
	return preemption;
}

void preemption_model(char *value, size_t size, const char *where)
{
	snprintf(value, size, "%s", read_all(where).model);
}

void preemption_from(char *value, size_t size, const char *where)
{
	snprintf(value, size, "%s", read_all(where).from);
}
