/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory that stays common to this process and those that it forks. */
#ifndef HOST_SHARED_H
#define HOST_SHARED_H

#include <stddef.h>

/* All zero. Returns NULL with errno when there is none. */
void *shared_create(size_t size);

/*
 * The same, but a process that is forked later has only the first page of it,
 * from which it can map the others again, wherever that is; it says how large
 * it is. A process that has no use for it, and locks its memory, forgets that page.
 */
void *shared_create_apart(size_t size);
void *shared_inherit(void *memory, size_t size);
void shared_forget(void *memory);

#endif
