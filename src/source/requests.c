// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "host/shared.h"
#include "source/requests.h"

int requests_open(struct requests *requests)
{
	*requests = (struct requests){
		.counter = eventfd(0, EFD_CLOEXEC), .stamps = shared_create(sizeof(*requests->stamps)),
	};
	return requests->counter < 0 || !requests->stamps ? -1 : 0;
}

/* So that who reads what is written here, reads this before. */
static void write_stamp(struct request_stamps *stamps, uint64_t number, uint64_t at_ns)
{
	atomic_store_explicit(&stamps->begun, number + 1, memory_order_relaxed);
	atomic_thread_fence(memory_order_release);
	stamps->at_ns[number % REQUESTS_ROOM] = at_ns;
}

/* Of so many that they do not find room, only the youngest have their stamps. */
void requests_make(struct requests *requests, uint64_t count, uint64_t now_ns)
{
	uint64_t end = requests->next + count;

	if (count > REQUESTS_ROOM)
		requests->next = end - REQUESTS_ROOM;
	while (requests->next < end)
		write_stamp(requests->stamps, requests->next++, now_ns);
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
	struct request_stamps *stamps = requests->stamps;
	uint64_t at_ns = stamps->at_ns[requests->next % REQUESTS_ROOM];
	uint32_t since;

	atomic_thread_fence(memory_order_acquire);
	since = atomic_load_explicit(&stamps->begun, memory_order_relaxed) - (uint32_t)requests->next++;
	return since > REQUESTS_ROOM ? 0 : at_ns;
}
