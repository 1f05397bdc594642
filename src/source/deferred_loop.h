/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A loop device of our own, for which the kernel makes a work queue of its own. */
#ifndef SOURCE_DEFERRED_LOOP_H
#define SOURCE_DEFERRED_LOOP_H

#define LOOP_BYTES 4096

/*
 * Over a file in memory of so many bytes, to be read with O_DIRECT. It goes with
 * its last descriptor, which is *device. Returns NULL, or what is refused, with errno.
 */
const char *loop_open(int *device);

#endif
