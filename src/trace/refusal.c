// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>

#include "base/cpus.h"
#include "base/text.h"
#include "host/privilege.h"
#include "host/process.h"
#include "host/sysfile.h"
#include "trace/refusal.h"

/* For EPERM and EACCES. The lockdown mode in force is in brackets. */
static void explain_missing_right(struct refusal *refusal)
{
	char modes[64];

	if (sysfile_line("/sys/kernel/security/lockdown", modes, sizeof(modes)) &&
	    strstr(modes, "[confidentiality]")) {
		refusal->error = 0;
		refusal_reason(refusal, "the kernel is locked down for confidentiality");
		refusal_remedy(refusal, "boot it with lockdown=integrity");
	} else if (privilege_held(CAP_SYS_ADMIN)) {
		refusal_remedy(refusal, "look for a seccomp filter or a security module, such as a container's");
	} else {
		refusal_remedy(refusal, "%s", privilege_remedy("CAP_SYS_ADMIN"));
	}
}

/* What an error means here, if strerror() says something else, and the remedy. */
static const struct meaning {
	int error;
	const char *reason;		/* NULL: what strerror() says */
	const char *remedy;
} meanings[] = {
	{ E2BIG, "the kernel is too old for it", "use Linux 4.8 or newer" },
	{ EINVAL, "the kernel is too old for it", "use Linux 4.8 or newer" },
	{ ENODEV, "the CPU is offline", "measure another CPU" },
	{ EAGAIN, "too little memory may be locked", "raise the limit (ulimit -l)" },
	{ EMFILE, NULL, "raise the limit (ulimit -n)" },
	{ ENFILE, NULL, "raise the limit (sysctl fs.file-max)" },
	{ ENOMEM, NULL, "free some memory" },
	{ EOVERFLOW, "kernel.perf_event_max_stack is less than 16", "set it to 16, or use --explain=blame" },
};

/* For an error that several calls may return; otherwise is the remedy for all that are not in the table. */
static void explain_common_error(struct refusal *refusal, const char *otherwise)
{
	struct meaning meaning = { .remedy = otherwise };

	for (size_t i = 0; i < sizeof(meanings) / sizeof(*meanings); i++)
		if (meanings[i].error == refusal->error)
			meaning = meanings[i];
	if (meaning.reason) {
		refusal->error = 0;
		refusal_reason(refusal, "%s", meaning.reason);
	}
	refusal_remedy(refusal, "%s", meaning.remedy);
}

bool trace_refuse_tracefs(struct refusal *refusal, const struct tracefs *tracefs, int error)
{
	refusal_begin(refusal, error, "%s %s", tracefs->path ? "open" : "mount",
		      tracefs->path ? tracefs->path : "tracefs");
	switch (error) {
	case EACCES: case EPERM:
		explain_missing_right(refusal);
		return false;
	case ENODEV:
		*refusal = (struct refusal){ .error = 0 };
		refusal_reason(refusal, "the kernel has no tracefs");
		refusal_remedy(refusal, "use one that has CONFIG_EVENT_TRACING");
		return true;
	default:
		explain_common_error(refusal, "mount -t tracefs tracefs /sys/kernel/tracing");
		return false;
	}
}

static void explain_locked_memory(struct refusal *refusal)
{
	long long kb = 0;

	sysfile_number("/proc/sys/kernel/perf_event_mlock_kb", &kb);
	refusal->error = 0;
	refusal_reason(refusal, "a user may map only %lld kB of records for each CPU", kb);
	refusal_remedy(refusal, "run as root, or sysctl kernel.perf_event_mlock_kb=%lld", 4 * kb);
}

/* kernel.perf_event_paranoid may deny the event to all who lack the right, so the message names it. */
static void explain_missing_event_right(struct refusal *refusal)
{
	long long paranoid;

	if (!privilege_held(CAP_SYS_ADMIN) && sysfile_number("/proc/sys/kernel/perf_event_paranoid", &paranoid))
		text_append(refusal->what, sizeof(refusal->what), " with kernel.perf_event_paranoid=%lld", paranoid);
	explain_missing_right(refusal);
}

bool trace_refuse_tracepoint(struct refusal *refusal, const char *tracepoint, int error)
{
	refusal_begin(refusal, error, "record %s", tracepoint);
	switch (error) {
	case EACCES: case EPERM:
		explain_missing_event_right(refusal);
		return false;
	case ENOBUFS:
		explain_locked_memory(refusal);
		return false;
	case ENOENT:
		*refusal = (struct refusal){ .error = 0 };
		refusal_reason(refusal, "the kernel has no tracepoint %s", tracepoint);
		refusal_remedy(refusal, "use one that has CONFIG_EVENT_TRACING");
		return true;
	case ENOMSG:
		refusal->error = 0;
		refusal_reason(refusal, "the kernel's records lack a field that is needed");
		refusal_remedy(refusal, "use another release of Linux");
		return true;
	case ENOSYS: case EOPNOTSUPP:
		refusal->error = 0;
		refusal_reason(refusal, "the kernel has no performance events");
		refusal_remedy(refusal, "use one that has CONFIG_PERF_EVENTS");
		return true;
	default:
		explain_common_error(refusal, "look into the kernel's log (dmesg)");
		return false;
	}
}

void trace_refuse_names(struct refusal *refusal, int error)
{
	refusal_begin(refusal, 0, "name the kernel's functions");
	switch (error) {
	case EPERM:
		refusal_reason(refusal, "their addresses are hidden");
		refusal_remedy(refusal, "run as root with sysctl kernel.kptr_restrict=1");
		break;
	case ENOENT:
		refusal_reason(refusal, "the kernel does not list them");
		refusal_remedy(refusal, "use one that has CONFIG_KALLSYMS");
		break;
	default:
		refusal->error = error;
		explain_common_error(refusal, "look into the kernel's log (dmesg)");
	}
}

bool trace_refuse_namespace(struct refusal *refusal)
{
	if (process_is_renumbered() != 1)
		return false;
	*refusal = (struct refusal){ .error = 0 };
	refusal_reason(refusal, "in this PID namespace processes have other numbers than in the kernel's records");
	refusal_remedy(refusal, "run outside it, as with docker run --pid=host");
	return true;
}

void trace_refuse_waker(struct refusal *refusal, int cpu)
{
	*refusal = (struct refusal){ .error = 0 };
	refusal_reason(refusal, "the waker runs on CPU %d, and only the CPU of the meter is recorded", cpu);
	refusal_remedy(refusal, "leave --waker out");
}

/* The one CPU that this process may use; -1, with the refusal, if there are several. */
static int only_cpu(struct refusal *refusal)
{
	struct cpus all = { .count = 0 };

	cpus_parse("all", &all);
	if (all.count == 1)
		return all.number[0];
	*refusal = (struct refusal){ .error = 0 };
	refusal_reason(refusal, "the meter may run on any of %d CPUs, and its timer may expire on another",
		       all.count);
	refusal_remedy(refusal, "name one, as in --cpu=%d", all.count ? all.number[all.count - 1] : 0);
	return -1;
}

/* The timers of a nohz_full CPU expire on another one, which keeps its tick. */
static bool has_no_timers(int cpu)
{
	char list[CPUS_TEXT_SIZE];
	struct cpus cpus;

	return sysfile_line("/sys/devices/system/cpu/nohz_full", list, sizeof(list)) &&
	       !cpus_parse(list, &cpus) && cpus_include(&cpus, cpu);
}

int trace_find_cpu(int bound, struct refusal *refusal)
{
	int cpu = bound < 0 ? only_cpu(refusal) : bound;

	if (cpu < 0 || !has_no_timers(cpu))
		return cpu;
	*refusal = (struct refusal){ .error = 0 };
	refusal_reason(refusal, "CPU %d is one of nohz_full, whose timers expire elsewhere", cpu);
	refusal_remedy(refusal, "measure another CPU, or boot without nohz_full");
	return -1;
}
