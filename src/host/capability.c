// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/capability.h"
#include "host/sysfile.h"

#define FIRST_USER_NAMESPACE 0xEFFFFFFDU	/* its inode: PROC_USER_INIT_INO of the kernel */

/* As in a container: root is root there, and nobody to the machine. */
static bool in_namespace_of_its_own(void)
{
	struct stat found;

	return stat("/proc/self/ns/user", &found) == 0 && found.st_ino != FIRST_USER_NAMESPACE;
}

bool capability_held(int capability)
{
	char text[32];

	return !in_namespace_of_its_own() &&
	       sysfile_value("/proc/self/status", "CapEff:", text, sizeof(text)) &&
	       strtoull(text, NULL, 16) >> capability & 1;
}

const char *capability_remedy(const char *name)
{
	static char text[128];

	if (in_namespace_of_its_own())
		snprintf(text, sizeof(text), "run it outside this container, whose root has no %s on the host",
			 name);
	else if (geteuid() == 0)
		snprintf(text, sizeof(text), "run it with %s, which root lacks here", name);
	else
		snprintf(text, sizeof(text), "run as root");
	return text;
}
