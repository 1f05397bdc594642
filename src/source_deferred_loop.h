/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A loop device of our own, for which the kernel makes a work queue of its own. */
#ifndef SOURCE_DEFERRED_LOOP_H
#define SOURCE_DEFERRED_LOOP_H

#define LOOP_BYTES 4096

/*
 * Over a file in memory of so many bytes, to be read with O_DIRECT. It goes with
 * its last descriptor. Returns that, or -1 with errno and what cannot be opened.
 */
int loop_open(const char **path);

#endif
