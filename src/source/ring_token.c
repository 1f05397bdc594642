// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/instant.h"
#include "host/process.h"
#include "source/ring_token.h"

/* The sum is stored here, or the compiler would leave it out. */
static volatile uint32_t sink;

static size_t hops_size(const struct ring *ring)
{
	return ring->processes * sizeof(*ring->hops);
}

static int open_pipes(struct ring *ring)
{
	for (unsigned i = 0; i < ring->processes; i++)
		ring->pipes[i][0] = ring->pipes[i][1] = -1;
	for (unsigned i = 0; i < ring->processes; i++)
		if (pipe2(ring->pipes[i], O_CLOEXEC) < 0)
			return -1;
	return 0;
}

int ring_open(struct ring *ring, unsigned processes, uint32_t array_bytes)
{
	*ring = (struct ring){
		.processes = processes, .array_bytes = array_bytes, .pipes = calloc(processes, sizeof(*ring->pipes)),
	};
	if (!ring->pipes || open_pipes(ring) < 0)
		return -1;
	ring->hops = shared_create(hops_size(ring));
	if (!ring->hops)
		return -1;
	if (array_bytes && !(ring->array = malloc(array_bytes)))
		return -1;
	ring_own_array(ring);
	return 0;
}

void ring_close(struct ring *ring)
{
	for (unsigned i = 0; ring->pipes && i < ring->processes; i++) {
		close(ring->pipes[i][0]);
		close(ring->pipes[i][1]);
	}
	free(ring->pipes);
	free(ring->array);
	if (ring->hops)
		munmap(ring->hops, hops_size(ring));
	*ring = (struct ring){ .pipes = NULL };
}

void ring_own_array(struct ring *ring)
{
	if (ring->array)
		memset(ring->array, 1, ring->array_bytes);
}

static unsigned next(const struct ring *ring, unsigned member)
{
	return member + 1 < ring->processes ? member + 1 : 0;
}

void ring_ends(const struct ring *ring, unsigned member, int ends[2])
{
	ends[0] = ring->pipes[member][0];
	ends[1] = ring->pipes[next(ring, member)][1];
}

int ring_send(const struct ring *ring, unsigned member, uint64_t asked_ns)
{
	int end = ring->pipes[next(ring, member)][1];

	return write(end, &asked_ns, sizeof(asked_ns)) == sizeof(asked_ns) ? 0 : -errno;
}

static void sum(const struct ring *ring)
{
	const uint32_t *array = ring->array, *end = array + ring->array_bytes / sizeof(*array);
	uint32_t all = 0;

	while (array < end)
		all += *array++;
	sink = all;
}

int ring_receive(const struct ring *ring, unsigned member)
{
	uint64_t asked_ns;
	ssize_t count = read(ring->pipes[member][0], &asked_ns, sizeof(asked_ns));

	if (count != sizeof(asked_ns))
		return count < 0 ? -errno : -EPIPE;
	if (ring->array)
		sum(ring);
	ring->hops[member] = (struct hop){ asked_ns, monotonic_ns() };
	return 0;
}

double ring_overhead_ns(const struct ring *ring, uint64_t duration_ns)
{
	uint64_t begun_ns = monotonic_ns(), now_ns = begun_ns, count = 0;
	unsigned from = 0;

	while (now_ns - begun_ns < duration_ns) {
		unsigned to = next(ring, from);
		int error = ring_send(ring, from, now_ns);

		if (!error)
			error = ring_receive(ring, to);
		if (error) {
			errno = -error;
			return -1;
		}
		now_ns = ring->hops[to].served_ns;
		from = to;
		count++;
	}
	return (double)(now_ns - begun_ns) / count;
}
