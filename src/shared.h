/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory that stays common to this process and those that it forks. */
#ifndef SHARED_H
#define SHARED_H

#include <stddef.h>

/* All zero. Returns NULL with errno when there is none. */
void *shared_create(size_t size);

#endif
