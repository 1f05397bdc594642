// SPDX-License-Identifier: GPL-2.0-or-later
/* Why the kernel's records cannot be had, and what helps. */
#include <errno.h>
#include <string.h>

#include "base/cpus.h"
#include "base/text.h"
#include "host/privilege.h"
#include "host/process.h"
#include "host/sysfile.h"
#include "trace/perf_ring.h"

enum area { TRACEFS = 1, TRACEPOINT = 2, NAMES = 4, ANY = 7 };

/* What an error means, if strerror() says something else, and the remedy. The first that fits counts. */
static const struct meaning {
	int error;			/* 0: any */
	enum area area;
	enum { FAULT, LACK, LACK_ITSELF } kind;	/* LACK: this kernel has no such thing; ITSELF: the reason names it */
	const char *reason;		/* NULL: what strerror() says */
	const char *remedy;
} meanings[] = {
	{ ENODEV, TRACEFS, LACK_ITSELF, "the kernel has no tracefs", "use one that has CONFIG_EVENT_TRACING" },
	{ ENOENT, TRACEPOINT, LACK_ITSELF, "the kernel has no tracepoint %s",
	  "use one that has CONFIG_EVENT_TRACING" },
	{ ENOMSG, TRACEPOINT, LACK, "the kernel's records lack a field that is needed",
	  "use another release of Linux" },
	{ ENOSYS, TRACEPOINT, LACK, "the kernel has no performance events", "use one that has CONFIG_PERF_EVENTS" },
	{ EOPNOTSUPP, TRACEPOINT, LACK, "the kernel has no performance events",
	  "use one that has CONFIG_PERF_EVENTS" },
	{ EPERM, NAMES, FAULT, "their addresses are hidden", "run as root with sysctl kernel.kptr_restrict=1" },
	{ ENOENT, NAMES, LACK, "the kernel does not list them", "use one that has CONFIG_KALLSYMS" },
	{ E2BIG, ANY, FAULT, "the kernel is too old for it", "use Linux 4.8 or newer" },
	{ EINVAL, ANY, FAULT, "the kernel is too old for it", "use Linux 4.8 or newer" },
	{ ENODEV, ANY, FAULT, "the CPU is offline", "measure another CPU" },
	{ EAGAIN, ANY, FAULT, "too little memory may be locked", "raise the limit (ulimit -l)" },
	{ EMFILE, ANY, FAULT, NULL, "raise the limit (ulimit -n)" },
	{ ENFILE, ANY, FAULT, NULL, "raise the limit (sysctl fs.file-max)" },
	{ ENOMEM, ANY, FAULT, NULL, "free some memory" },
	{ EOVERFLOW, ANY, FAULT, "kernel.perf_event_max_stack is less than 16",
	  "set it to 16, or use --explain=blame" },
	{ 0, TRACEFS, FAULT, NULL, "mount -t tracefs tracefs /sys/kernel/tracing" },
	{ 0, ANY, FAULT, NULL, "look into the kernel's log (dmesg)" },
};

static void explain_error(struct refusal *refusal, enum area area, const char *thing)
{
	const struct meaning *meaning = meanings;

	while (!(meaning->area & area) || (meaning->error && meaning->error != refusal->error))
		meaning++;
	if (meaning->reason) {
		refusal->error = 0;
		refusal_reason(refusal, meaning->reason, thing);
	}
	if (meaning->kind == LACK_ITSELF)
		*refusal->what = '\0';
	refusal_remedy(refusal, "%s", meaning->remedy);
	refusal->absent = meaning->kind != FAULT;
}

/* The lockdown mode in force is in brackets. */
static bool explain_missing_right(struct refusal *refusal)
{
	char modes[64];

	if (refusal->error != EACCES && refusal->error != EPERM)
		return false;
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
	return true;
}

void trace_refuse_tracefs(struct refusal *refusal, int error)
{
	refusal_begin(refusal, error, "%s %s", tracefs.path ? "open" : "mount",
		      tracefs.path ? tracefs.path : "tracefs");
	if (!explain_missing_right(refusal))
		explain_error(refusal, TRACEFS, NULL);
}

/* kernel.perf_event_paranoid may deny the event to ordinary users, so the message names that setting. */
void trace_refuse_tracepoint(struct refusal *refusal, const char *tracepoint, int error)
{
	long long kb = 0, paranoid;

	refusal_begin(refusal, error, "record %s", tracepoint);
	if ((error == EACCES || error == EPERM) && !privilege_held(CAP_SYS_ADMIN) &&
	    sysfile_number("/proc/sys/kernel/perf_event_paranoid", &paranoid))
		text_append(refusal->what, sizeof(refusal->what), " with kernel.perf_event_paranoid=%lld", paranoid);
	if (error == ENOBUFS) {
		sysfile_number("/proc/sys/kernel/perf_event_mlock_kb", &kb);
		refusal->error = 0;
		refusal_reason(refusal, "a user may map only %lld kB of records for each CPU", kb);
		refusal_remedy(refusal, "run as root, or sysctl kernel.perf_event_mlock_kb=%lld", 4 * kb);
	} else if (!explain_missing_right(refusal)) {
		explain_error(refusal, TRACEPOINT, tracepoint);
	}
}

void trace_refuse_names(struct refusal *refusal, int error)
{
	refusal_begin(refusal, error, "look up the kernel's functions");
	explain_error(refusal, NAMES, NULL);
}

bool trace_refuse_namespace(struct refusal *refusal)
{
	if (process_is_renumbered() != 1)
		return false;
	*refusal = (struct refusal){
		.reason = "in this PID namespace processes have other numbers than in the kernel's records",
		.remedy = "run outside it, as with docker run --pid=host",
	};
	return true;
}

/* The timers of a nohz_full CPU expire on another one, which keeps its tick. */
int trace_find_cpu(struct refusal *refusal)
{
	struct cpus usable = { .count = 0 }, adaptive = { .count = 0 };
	char list[CPUS_TEXT_SIZE];

	*refusal = (struct refusal){ .remedy = "measure another CPU, or boot without nohz_full" };
	cpus_parse("all", &usable);
	if (usable.count != 1) {
		refusal_reason(refusal, "the meter may run on any of %d CPUs, and its timer may expire on another",
			       usable.count);
		refusal_remedy(refusal, "name one, as in --cpu=%d",
			       usable.count ? usable.number[usable.count - 1] : 0);
		return -1;
	}
	if (!sysfile_line("/sys/devices/system/cpu/nohz_full", list, sizeof(list)) || cpus_parse(list, &adaptive) ||
	    !cpus_include(&adaptive, usable.number[0]))
		return usable.number[0];
	refusal_reason(refusal, "CPU %d is one of nohz_full, whose timers expire elsewhere", usable.number[0]);
	return -1;
}
