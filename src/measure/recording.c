// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdatomic.h>
#include <string.h>

#include "measure/hist.h"
#include "measure/recording.h"

#define ALL_SLOTS_LEAST (RECORDING_SLOTS * RECORDING_LEAST / RECORDING_CHUNK)

void recordings_clear(struct recordings *recordings)
{
	memset(recordings, 0, sizeof(recordings->slot) + sizeof(recordings->taken));
}

static int count_free(const struct recordings *recordings)
{
	int free = RECORDING_CHUNKS;

	for (unsigned i = 0; i < RECORDING_CHUNKS / 64; i++)
		free -= __builtin_popcountll(recordings->taken[i]);
	return free;
}

/* The caller knows that one is free. */
static unsigned take_chunk(struct recordings *recordings)
{
	unsigned word = 0, bit;

	while (!~recordings->taken[word])
		word++;
	bit = __builtin_ctzll(~recordings->taken[word]);
	recordings->taken[word] |= UINT64_C(1) << bit;
	return 64 * word + bit;
}

static void give_chunk(struct recordings *recordings, unsigned chunk)
{
	recordings->taken[chunk / 64] &= ~(UINT64_C(1) << chunk % 64);
}

/* How many chunks a slot may take: all that are free, less the least of every other slot; but always its own least. */
static int most_chunks(const struct recordings *recordings)
{
	const int least = RECORDING_LEAST / RECORDING_CHUNK, others = ALL_SLOTS_LEAST - least;

	return greater(least, count_free(recordings) - others);
}

uint32_t recordings_begin(struct recordings *recordings, unsigned slot, uint32_t size)
{
	unsigned wanted = (size + RECORDING_CHUNK - 1) / RECORDING_CHUNK;

	while (recordings->slot[slot].chunks)
		give_chunk(recordings, recordings->slot[slot].chunk[--recordings->slot[slot].chunks]);
	wanted = lesser(wanted, most_chunks(recordings));
	while (recordings->slot[slot].chunks < wanted)
		recordings->slot[slot].chunk[recordings->slot[slot].chunks++] = take_chunk(recordings);
	return lesser(size, wanted * RECORDING_CHUNK);
}

void recordings_write(struct recordings *recordings, unsigned slot, uint32_t at, const void *data, uint32_t size)
{
	for (const unsigned char *from = data; size;) {
		unsigned char *chunk = recordings->data[recordings->slot[slot].chunk[at / RECORDING_CHUNK]];
		uint32_t offset = at % RECORDING_CHUNK, piece = lesser(size, RECORDING_CHUNK - offset);

		memcpy(chunk + offset, from, piece);
		from += piece;
		at += piece;
		size -= piece;
	}
}

void recordings_seal(struct recordings *recordings, unsigned slot, uint32_t used, uint64_t stamp_ns)
{
	recordings->slot[slot].used = used;
	atomic_store_explicit(&recordings->slot[slot].stamp_ns, stamp_ns, memory_order_release);
}

bool recording_is_of(const struct recording *recording, uint64_t stamp_ns)
{
	return atomic_load_explicit(&recording->stamp_ns, memory_order_acquire) == stamp_ns;
}

void recording_keep(struct recording *to, const struct recordings *from, unsigned slot, uint64_t stamp_ns)
{
	const uint8_t *chunk = from->slot[slot].chunk;

	if (atomic_load_explicit(&from->slot[slot].stamp_ns, memory_order_acquire) != stamp_ns)
		return;
	to->used = from->slot[slot].used;
	for (uint32_t at = 0; at < to->used; at += RECORDING_CHUNK)
		memcpy(to->data + at, from->data[*chunk++], lesser(to->used - at, RECORDING_CHUNK));
	atomic_store_explicit(&to->stamp_ns, stamp_ns, memory_order_release);
}
