// SPDX-License-Identifier: GPL-2.0-or-later
#include <fcntl.h>
#include <grp.h>
#include <libgen.h>
#include <linux/capability.h>
#include <pwd.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "diag.h"
#include "privilege.h"
#include "sysfile.h"

#define BIT(capability) (UINT64_C(1) << (capability))
#define ALL (~UINT64_C(0))

/* The C library has no function for it. Capabilities that are not permitted are left out. */
static void set_effective(uint64_t effective, bool for_good)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct set[2];

	if (syscall(SYS_capget, &header, set) < 0)
		return;
	for (int i = 0; i < 2; i++) {
		set[i].effective = set[i].permitted & (uint32_t)(effective >> (32 * i));
		if (for_good) {
			set[i].permitted = set[i].effective;
			set[i].inheritable = 0;
		}
	}
	syscall(SYS_capset, &header, set);
}

static bool may_write_beside(const char *path)
{
	return faccessat(AT_FDCWD, dirname(strdupa(path)), W_OK | X_OK, AT_EACCESS) == 0;
}

/* A number other than root's, from the environment; -1 when there is none. */
static int64_t id_of(const char *name)
{
	const char *text = getenv(name);
	char *end;
	long long id = text ? strtoll(text, &end, 10) : 0;

	return id > 0 && id < UINT32_MAX && !*end ? id : -1;
}

void privilege_borrow(const struct caller *caller, bool on)
{
	if (!caller->owns)
		return;
	if (!on && seteuid(0) < 0)
		die(EXIT_NOT_MEASURED, "become root again: %m; start again");
	if (setegid(on ? caller->gid : getgid()) < 0 || (on && seteuid(caller->uid) < 0))
		die(EXIT_NOT_MEASURED, "become user %d: %m; run without sudo", (int)caller->uid);
}

/* Looked up at the start, for that may take memory and time. */
static struct caller user_behind(void)
{
	struct caller caller = {
		.uid = id_of("SUDO_UID"), .gid = id_of("SUDO_GID"), .group_count = 64, .owns = true,
	};
	const struct passwd *user = getpwuid(caller.uid);

	if (!user || getgrouplist(user->pw_name, caller.gid, caller.groups, &caller.group_count) < 0)
		caller.group_count = 0;
	return caller;
}

struct caller privilege_caller(const char *path)
{
	struct caller caller = { .uid = getuid(), .gid = getgid() };

	if (geteuid() != caller.uid || getegid() != caller.gid)
		die(EXIT_NOT_MEASURED, "setuid is not supported; run it with sudo, or raise the limits");
	if (caller.uid)
		return caller;
	if (id_of("SUDO_UID") > 0 && id_of("SUDO_GID") > 0) {
		bool may_write;

		caller = user_behind();
		privilege_borrow(&caller, true);
		may_write = may_write_beside(path);
		privilege_borrow(&caller, false);
		caller.owns = may_write;
		if (may_write)
			return caller;
	}
	set_effective(ALL & ~(BIT(CAP_DAC_OVERRIDE) | BIT(CAP_DAC_READ_SEARCH)), false);
	caller.overrides = !may_write_beside(path);
	set_effective(ALL, false);
	return caller;
}

int privilege_become(const struct caller *caller)
{
	if (caller->uid == getuid())
		return 0;
	if (setgroups(caller->group_count, caller->groups) < 0 ||
	    setresgid(caller->gid, caller->gid, caller->gid) < 0)
		return -1;
	return setresuid(caller->uid, caller->uid, caller->uid);
}

/* A /proc that hides the processes of others shows them only with the right to trace them. */
static bool is_hidden(pid_t pid)
{
	return faccessat(AT_FDCWD, sysfile_path("/proc/%d/stat", pid), R_OK, AT_EACCESS) < 0;
}

void privilege_drop(const struct caller *caller, uint64_t needs, pid_t load)
{
	uint64_t needed = needs;

	if (geteuid())
		return;
	if (caller->owns) {
		prctl(PR_SET_KEEPCAPS, 1);
		if (privilege_become(caller) < 0)
			warn("become user %d: %m; the run goes on as root", (int)caller->uid);
	}
	if (caller->overrides)
		needed |= BIT(CAP_DAC_OVERRIDE);
	if (load)
		needed |= BIT(CAP_KILL);
	set_effective(needed, false);
	if (load && is_hidden(load))
		needed |= BIT(CAP_SYS_PTRACE);
	set_effective(needed, true);
}
