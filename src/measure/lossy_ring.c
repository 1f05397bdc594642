// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "measure/lossy_ring.h"

bool lossy_ring_read(const struct lossy_ring *ring, const void *slots, uint64_t count, size_t size,
		     struct lossy_reader *reader, void *entry)
{
	while (reader->next < atomic_load_explicit(&ring->written, memory_order_acquire)) {
		uint64_t oldest;

		memcpy(entry, (const unsigned char *)slots + reader->next % count * size, size);
		oldest = lossy_ring_oldest(ring, count);
		if (reader->next >= oldest) {
			reader->next++;
			return true;
		}
		reader->lost += oldest - reader->next;
		reader->next = oldest;
	}
	return false;
}
