// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdatomic.h>
#include <string.h>

#include "recording.h"

void recording_seal(struct recording *recording, uint64_t stamp_ns)
{
	atomic_store_explicit(&recording->stamp_ns, stamp_ns, memory_order_release);
}

bool recording_is_of(const struct recording *recording, uint64_t stamp_ns)
{
	return atomic_load_explicit(&recording->stamp_ns, memory_order_acquire) == stamp_ns;
}

void recording_copy(struct recording *to, const struct recording *from)
{
	to->used = from->used;
	memcpy(to->data, from->data, from->used);
	recording_seal(to, from->stamp_ns);
}
