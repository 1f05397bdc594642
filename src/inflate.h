/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The content of a gzip file, RFC 1951 and 1952, without a library or another process. Pure. */
#ifndef INFLATE_H
#define INFLATE_H

#include <stddef.h>

/*
 * Unpack the first member of a gzip file of so many bytes. Returns the length of
 * what it held, or -1 when the file is damaged or the room does not suffice.
 */
long inflate_gzip(const unsigned char *file, size_t size, char *to, size_t room);

#endif
