// SPDX-License-Identifier: GPL-2.0-or-later
/* Acting as root, as the user behind sudo, and with fewer and fewer capabilities. */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/diag.h"
#include "host/privilege.h"
#include "host/sysfile.h"

#define BIT(capability) (UINT64_C(1) << (capability))
#define ALL (~UINT64_C(0))
#define FIRST_USER_NAMESPACE 0xEFFFFFFDU	/* its inode: PROC_USER_INIT_INO of the kernel */

/* In a user namespace, such as a container's, root may have no rights on the machine. */
static bool is_in_container(void)
{
	struct stat found;

	return stat("/proc/self/ns/user", &found) == 0 && found.st_ino != FIRST_USER_NAMESPACE;
}

bool privilege_held(int capability)
{
	char text[32];

	return !is_in_container() && sysfile_value("/proc/self/status", "CapEff:", text, sizeof(text)) &&
	       strtoull(text, NULL, 16) >> capability & 1;
}

const char *privilege_remedy(const char *name)
{
	static char text[128];

	if (is_in_container())
		snprintf(text, sizeof(text), "run it outside this container, whose root has no %s on the host",
			 name);
	else if (geteuid() == 0)
		snprintf(text, sizeof(text), "run it with %s, which root lacks here", name);
	else
		snprintf(text, sizeof(text), "run as root");
	return text;
}

/* The C library has no function for this. Capabilities that are not permitted are left out. */
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

/* Sets *folder to a descriptor, or -errno. Returns whether this process may write in it. */
static bool hold_folder(const char *path, int *folder)
{
	*folder = sysfile_hold_folder(AT_FDCWD, path);
	if (*folder < 0)
		*folder = -errno;
	return faccessat(*folder, ".", W_OK | X_OK, AT_EACCESS) == 0;
}

/* Returns the number in the environment variable; -1 if there is none, or if it is root's. */
static int64_t id_of(const char *name)
{
	const char *text = getenv(name);
	char *end;
	long long id = text ? strtoll(text, &end, 10) : 0;

	return id > 0 && id < UINT32_MAX && !*end ? id : -1;
}

void privilege_borrow(const struct caller *caller, bool on)
{
	const struct groups *groups = on ? &caller->groups : &caller->own;

	if (!caller->owns)
		return;
	if (!on && seteuid(0) < 0)
		die(EXIT_NOT_MEASURED, "become root again: %m; start again");
	if (setgroups(groups->count, groups->ids) < 0 || setegid(on ? caller->gid : getgid()) < 0 ||
	    (on && seteuid(caller->uid) < 0))
		die(EXIT_NOT_MEASURED, "become user %d: %m; run without sudo", (int)caller->uid);
}

static struct groups groups_of_login(uid_t uid, gid_t gid)
{
	const struct passwd *user = getpwuid(uid);
	struct groups groups = { .count = 0 };

	if (!user)
		return groups;
	getgrouplist(user->pw_name, gid, NULL, &groups.count);
	groups.ids = calloc(groups.count, sizeof(*groups.ids));
	if (!groups.ids || getgrouplist(user->pw_name, gid, groups.ids, &groups.count) < 0)
		groups.count = 0;
	return groups;
}

struct caller privilege_caller(const char *path, int *folder)
{
	struct caller caller = { .uid = getuid(), .gid = getgid() };
	bool may_write;

	if (geteuid() != caller.uid || getegid() != caller.gid)
		die(EXIT_NOT_MEASURED, "setuid is not supported; run realfeel with sudo, or raise the limits");
	/* The groups are looked up now, because that may take memory and time. */
	if (!caller.uid && id_of("SUDO_UID") >= 0 && id_of("SUDO_GID") >= 0) {
		caller = (struct caller){ .uid = id_of("SUDO_UID"), .gid = id_of("SUDO_GID"), .owns = true };
		caller.groups = groups_of_login(caller.uid, caller.gid);
		caller.own.ids = calloc(getgroups(0, NULL), sizeof(*caller.own.ids));
		caller.own.count = caller.own.ids ? getgroups(getgroups(0, NULL), caller.own.ids) : 0;
	}
	privilege_borrow(&caller, true);
	may_write = hold_folder(path, folder);
	privilege_borrow(&caller, false);
	if (caller.owns && !may_write) {
		caller.owns = false;
		close(*folder);
		hold_folder(path, folder);
	}
	if (!caller.owns && !getuid()) {
		set_effective(ALL & ~(BIT(CAP_DAC_OVERRIDE) | BIT(CAP_DAC_READ_SEARCH)), false);
		caller.overrides = faccessat(*folder, ".", W_OK | X_OK, AT_EACCESS) < 0;
		set_effective(ALL, false);
	}
	return caller;
}

/* A program that is executed would inherit ambient capabilities. */
int privilege_become(const struct caller *caller)
{
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	if (caller->uid == getuid())
		return 0;
	if (setgroups(caller->groups.count, caller->groups.ids) < 0 ||
	    setresgid(caller->gid, caller->gid, caller->gid) < 0)
		return -1;
	return setresuid(caller->uid, caller->uid, caller->uid);
}

void privilege_drop(const struct caller *caller, uint64_t needs, bool ends_load)
{
	if (caller->owns && !geteuid()) {
		prctl(PR_SET_KEEPCAPS, 1);
		if (privilege_become(caller) < 0)
			warn("become user %d: %m; the run goes on as root", (int)caller->uid);
	}
	if (caller->overrides)
		needs |= BIT(CAP_DAC_OVERRIDE);
	if (ends_load)
		needs |= BIT(CAP_KILL);
	set_effective(needs, true);
}
