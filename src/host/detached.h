/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file system of the kernel that need not be mounted anywhere. */
#ifndef HOST_DETACHED_H
#define HOST_DETACHED_H

/*
 * Mount it for this process alone, without a path. Returns the descriptor of its
 * topmost folder, with whose last copy the mount ends; or -1 with errno.
 */
int detached_mount(const char *filesystem);

#endif
