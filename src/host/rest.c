// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/instant.h"
#include "host/rest.h"

#define SPAN_NS UINT64_C(2000000000)

struct rest rest_begin(void)
{
	return (struct rest){ monotonic_ns(), clock_ns(CLOCK_THREAD_CPUTIME_ID) };
}

/* Throttling, where it is on, takes 5 %, and is rest enough. */
bool rest_is_lacking(struct rest *rest)
{
	const struct rest now = rest_begin();
	uint64_t span_ns = now.since_ns - rest->since_ns, used_ns = now.used_ns - rest->used_ns;

	if (span_ns < SPAN_NS)
		return false;
	*rest = now;
	return used_ns > span_ns - span_ns / 50;
}
