// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdatomic.h>
#include <string.h>

#include "recording.h"

void recording_seal(struct recording *recording)
{
	atomic_store_explicit(&recording->sealed_ns, recording->stamp_ns, memory_order_release);
}

bool recording_is_of(const struct recording *recording, uint64_t stamp_ns)
{
	return atomic_load_explicit(&recording->sealed_ns, memory_order_acquire) == stamp_ns;
}

void recording_copy(struct recording *to, const struct recording *from)
{
	to->due_ns = from->due_ns;
	to->stamp_ns = from->stamp_ns;
	to->used = from->used;
	to->whole = from->whole;
	memcpy(to->data, from->data, from->used);
	recording_seal(to);
}
