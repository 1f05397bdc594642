/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory that this process shares with those that it forks. */
#ifndef HOST_SHARED_H
#define HOST_SHARED_H

#include <stddef.h>

/* All zero. Returns NULL with errno when there is none. */
void *shared_create(size_t size);

/*
 * The same, but a child has only its first page until it maps the rest with
 * shared_inherit(), which returns the new address, or NULL with errno. The first
 * page must say how large the memory is. A child that locks its memory, and does
 * not need this, calls shared_forget().
 */
void *shared_create_apart(size_t size);
void *shared_inherit(void *memory, size_t size);
void shared_forget(void *memory);

#endif
