// SPDX-License-Identifier: GPL-2.0-or-later
#include <sys/mman.h>
#include <unistd.h>

#include "host/shared.h"

/* Anonymous, because the limit on the size of files would apply to a file. */
void *shared_create(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

static size_t page_size(void)
{
	return sysconf(_SC_PAGESIZE);
}

void *shared_create_apart(size_t size)
{
	char *memory = shared_create(size);

	if (!memory || madvise(memory + page_size(), size - page_size(), MADV_DONTFORK) < 0)
		return NULL;
	return memory;
}

void *shared_inherit(void *memory, size_t size)
{
	memory = mremap(memory, page_size(), size, MREMAP_MAYMOVE);
	return memory == MAP_FAILED ? NULL : memory;
}

void shared_forget(void *memory)
{
	munmap(memory, page_size());
}
