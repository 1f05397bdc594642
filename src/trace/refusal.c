// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include "base/cpus.h"
#include "base/text.h"
#include "host/capability.h"
#include "host/process.h"
#include "host/sysfile.h"
#include "trace/refusal.h"

__attribute__((format(printf, 2, 3)))
static void set(char text[REFUSAL_SIZE], const char *format, ...)
{
	va_list args;

	*text = '\0';
	va_start(args, format);
	text_append_list(text, REFUSAL_SIZE, format, args);
	va_end(args);
}

/* The mode that holds is in brackets. */
static bool is_confidential(void)
{
	char modes[64];

	return sysfile_line("/sys/kernel/security/lockdown", modes, sizeof(modes)) &&
	       strstr(modes, "[confidentiality]");
}

static void refuse_rights(struct explain_refusal *refusal, int error)
{
	if (is_confidential()) {
		text_append(refusal->reason, REFUSAL_SIZE, ": the kernel is locked down for confidentiality");
		set(refusal->remedy, "boot it with lockdown=integrity");
		return;
	}
	text_append(refusal->reason, REFUSAL_SIZE, ": %s", strerror(error));
	if (capability_held(CAP_SYS_ADMIN))
		set(refusal->remedy, "look for a seccomp filter or a security module, such as a container's");
	else
		set(refusal->remedy, "%s", capability_remedy("CAP_SYS_ADMIN"));
}

/* What errors mean here, where that is not what strerror() says, and what helps. */
static const struct meaning {
	int error;
	const char *reason;		/* NULL: what strerror() says */
	const char *remedy;
} meanings[] = {
	{ E2BIG, "the kernel does not know how", "use Linux 4.8 or newer" },
	{ EINVAL, "the kernel does not know how", "use Linux 4.8 or newer" },
	{ ENODEV, "the CPU is offline", "measure another" },
	{ EAGAIN, "more memory would be locked than may be", "raise the limit (ulimit -l)" },
	{ EMFILE, NULL, "raise the limit (ulimit -n)" },
	{ ENFILE, NULL, "raise the limit (sysctl fs.file-max)" },
	{ ENOMEM, NULL, "free some memory" },
	{ EOVERFLOW, "kernel.perf_event_max_stack is less than 16", "set it to 16, or use --explain=blame" },
};

/* For an error that may come from anywhere. */
static void refuse(struct explain_refusal *refusal, int error, const char *otherwise)
{
	struct meaning meaning = { error, NULL, otherwise };

	for (size_t i = 0; i < sizeof(meanings) / sizeof(*meanings); i++)
		if (meanings[i].error == error)
			meaning = meanings[i];
	text_append(refusal->reason, REFUSAL_SIZE, ": %s", meaning.reason ? meaning.reason : strerror(error));
	set(refusal->remedy, "%s", meaning.remedy);
}

void explain_refuse_tracefs(struct explain_refusal *refusal, const struct tracefs *tracefs, int error)
{
	set(refusal->reason, "%s %s", tracefs->path ? "open" : "mount", tracefs->path ? tracefs->path : "tracefs");
	refusal->absent = error == ENODEV;
	switch (error) {
	case EACCES: case EPERM:
		refuse_rights(refusal, error);
		break;
	case ENODEV:
		set(refusal->reason, "the kernel has no tracefs");
		set(refusal->remedy, "use one that has CONFIG_EVENT_TRACING");
		break;
	default:
		refuse(refusal, error, "mount -t tracefs tracefs /sys/kernel/tracing");
	}
}

static void refuse_memory(struct explain_refusal *refusal)
{
	long long kb = 0;

	sysfile_number("/proc/sys/kernel/perf_event_mlock_kb", &kb);
	text_append(refusal->reason, REFUSAL_SIZE, ": users may map rings of %lld kB a CPU", kb);
	set(refusal->remedy, "run as root, or sysctl kernel.perf_event_mlock_kb=%lld", 4 * kb);
}

/* Who has no right to it may be told so by a setting. */
static void refuse_event(struct explain_refusal *refusal, int error)
{
	long long paranoid;

	if (!capability_held(CAP_SYS_ADMIN) && sysfile_number("/proc/sys/kernel/perf_event_paranoid", &paranoid))
		text_append(refusal->reason, REFUSAL_SIZE, " with kernel.perf_event_paranoid=%lld", paranoid);
	refuse_rights(refusal, error);
}

void explain_refuse_tracepoint(struct explain_refusal *refusal, const char *tracepoint, int error)
{
	set(refusal->reason, "record %s", tracepoint);
	refusal->absent = error == ENOENT || error == ENOSYS || error == EOPNOTSUPP;
	switch (error) {
	case EACCES: case EPERM:
		refuse_event(refusal, error);
		break;
	case ENOBUFS:
		refuse_memory(refusal);
		break;
	case ENOENT:
		set(refusal->reason, "the kernel has no tracepoint %s", tracepoint);
		set(refusal->remedy, "use Linux 4.8 or newer with CONFIG_EVENT_TRACING");
		break;
	case ENOSYS: case EOPNOTSUPP:
		text_append(refusal->reason, REFUSAL_SIZE, ": the kernel has no performance events");
		set(refusal->remedy, "use one that has CONFIG_PERF_EVENTS");
		break;
	default:
		refuse(refusal, error, "look into the kernel's log (dmesg)");
	}
}

void explain_refuse_names(struct explain_refusal *refusal, int error)
{
	set(refusal->reason, "name the kernel's functions");
	switch (error) {
	case EPERM:
		text_append(refusal->reason, REFUSAL_SIZE, ": their addresses are hidden");
		set(refusal->remedy, "run as root with sysctl kernel.kptr_restrict=1, or use --explain=blame");
		break;
	case ENOENT:
		text_append(refusal->reason, REFUSAL_SIZE, ": the kernel does not list them");
		set(refusal->remedy, "use one that has CONFIG_KALLSYMS, or --explain=blame");
		break;
	default:
		refuse(refusal, error, "use --explain=blame");
	}
}

bool explain_refuse_namespace(struct explain_refusal *refusal)
{
	if (process_is_renumbered() != 1)
		return false;
	set(refusal->reason, "in a PID namespace processes have other numbers than in the kernel's records");
	set(refusal->remedy, "run outside, as with docker run --pid=host");
	refusal->absent = false;
	return true;
}

void explain_refuse_waker(struct explain_refusal *refusal, int cpu)
{
	set(refusal->reason, "the waker runs on CPU %d, and only the CPU of the meter is recorded", cpu);
	set(refusal->remedy, "leave --waker out");
}

/* The one CPU that this process may use; -1 if there are several. */
static int only_cpu(struct explain_refusal *refusal)
{
	struct cpus all = { .count = 0 };

	cpus_parse("all", &all);
	if (all.count == 1)
		return all.number[0];
	set(refusal->reason, "the meter may run on any of %d CPUs, and its timer may expire on another", all.count);
	set(refusal->remedy, "name one, as in --cpu=%d", all.count ? all.number[all.count - 1] : 0);
	return -1;
}

/* The timers of a CPU that is to have no tick expire on one that has. */
static bool has_no_timers(int cpu)
{
	char list[CPUS_TEXT_SIZE];
	struct cpus cpus;

	return sysfile_line("/sys/devices/system/cpu/nohz_full", list, sizeof(list)) &&
	       !cpus_parse(list, &cpus) && cpus_include(&cpus, cpu);
}

int explain_find_cpu(int bound, struct explain_refusal *refusal)
{
	int cpu = bound < 0 ? only_cpu(refusal) : bound;

	if (cpu < 0 || !has_no_timers(cpu))
		return cpu;
	set(refusal->reason, "CPU %d is one of nohz_full, whose timers expire elsewhere", cpu);
	set(refusal->remedy, "measure another, or boot without nohz_full");
	return -1;
}
