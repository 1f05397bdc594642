// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "host/process.h"
#include "source/requests.h"

int requests_open(struct requests *requests)
{
	*requests = (struct requests){
		.counter = eventfd(0, EFD_CLOEXEC), .stamps = shared_create(sizeof(*requests->stamps)),
	};
	return requests->counter < 0 || !requests->stamps ? -1 : 0;
}

/* Without room for all, the oldest get no stamp. The reader must see that before a slot is overwritten. */
void requests_make(struct requests *requests, uint64_t count, uint64_t now_ns)
{
	struct request_stamps *stamps = requests->stamps;
	uint64_t end = requests->next + count;

	if (count > REQUESTS_ROOM) {
		requests->next = end - REQUESTS_ROOM;
		lossy_ring_end(&stamps->ring, requests->next - 1);
	}
	for (; requests->next < end; requests->next++) {
		uint64_t number = lossy_ring_begin(&stamps->ring);

		stamps->at_ns[number % REQUESTS_SLOTS] = now_ns;
		lossy_ring_end(&stamps->ring, number);
	}
	if (write(requests->counter, &count, sizeof(count)) < 0)
		_exit(1);
}

int64_t requests_await(const struct requests *requests)
{
	uint64_t count;

	return read(requests->counter, &count, sizeof(count)) < 0 ? -errno : (int64_t)count;
}

uint64_t requests_take(struct requests *requests)
{
	uint64_t number = requests->next++, at_ns = requests->stamps->at_ns[number % REQUESTS_SLOTS];

	return number < lossy_ring_oldest(&requests->stamps->ring, REQUESTS_SLOTS) ? 0 : at_ns;
}
