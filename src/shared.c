// SPDX-License-Identifier: GPL-2.0-or-later
#include <sys/mman.h>

#include "shared.h"

/* Not a file, to which a limit on the size of files would apply. */
void *shared_create(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}
