// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "inflate.h"

#define MOST_BITS 15		/* of a code */
#define LITERALS 288
#define DISTANCES 32
#define END_OF_BLOCK 256
#define LENGTH_CODES 19

/* Damage is noted, and then every bit reads as 0, so that each loop comes to its end. */
struct stream {
	const unsigned char *from, *end;
	uint32_t bits;		/* read from the bytes, but not yet used */
	unsigned held;		/* how many these are */
	char *to;
	size_t length, room;
	bool damaged;
};

/* A canonical Huffman code: how many codes have each length, and the symbols in the order of their codes. */
struct code {
	uint16_t count[MOST_BITS + 1];
	uint16_t symbol[LITERALS];
};

static unsigned take(struct stream *stream, unsigned count)
{
	unsigned value;

	while (stream->held < count) {
		if (stream->from == stream->end) {
			stream->damaged = true;
			return 0;
		}
		stream->bits |= (uint32_t)*stream->from++ << stream->held;
		stream->held += 8;
	}
	value = stream->bits & ((UINT32_C(1) << count) - 1);
	stream->bits >>= count;
	stream->held -= count;
	return value;
}

static void put(struct stream *stream, char byte)
{
	if (stream->length == stream->room)
		stream->damaged = true;
	else
		stream->to[stream->length++] = byte;
}

/* More codes than their lengths leave room for are damage. */
static void make_code(struct stream *stream, struct code *code, const uint8_t *lengths, unsigned symbols)
{
	uint16_t place[MOST_BITS + 2] = { 0 };
	int left = 1;

	memset(code, 0, sizeof(*code));
	for (unsigned i = 0; i < symbols; i++)
		code->count[lengths[i]]++;
	code->count[0] = 0;
	for (unsigned length = 1; length <= MOST_BITS; length++) {
		place[length + 1] = place[length] + code->count[length];
		left = 2 * left - code->count[length];
		if (left < 0) {
			stream->damaged = true;
			return;
		}
	}
	for (unsigned i = 0; i < symbols; i++)
		if (lengths[i])
			code->symbol[place[lengths[i]]++] = i;
}

static unsigned take_symbol(struct stream *stream, const struct code *code)
{
	unsigned value = 0, first = 0, index = 0;

	for (unsigned length = 1; length <= MOST_BITS; length++) {
		value |= take(stream, 1);
		if (value < first + code->count[length])
			return code->symbol[index + value - first];
		index += code->count[length];
		first = (first + code->count[length]) << 1;
		value <<= 1;
	}
	stream->damaged = true;
	return END_OF_BLOCK;
}

static void copy(struct stream *stream, unsigned length, unsigned distance)
{
	if (distance > stream->length) {
		stream->damaged = true;
		return;
	}
	while (length-- && !stream->damaged)
		put(stream, stream->to[stream->length - distance]);
}

static void take_block(struct stream *stream, const struct code *literals, const struct code *distances)
{
	static const uint16_t length_base[] = {
		3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115,
		131, 163, 195, 227, 258,
	};
	static const uint8_t length_bits[] = {
		0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
	};

	while (!stream->damaged) {
		unsigned symbol = take_symbol(stream, literals), length, far, distance;

		if (symbol == END_OF_BLOCK)
			return;
		if (symbol < END_OF_BLOCK) {
			put(stream, symbol);
			continue;
		}
		symbol -= END_OF_BLOCK + 1;
		if (symbol >= sizeof(length_bits)) {
			stream->damaged = true;
			return;
		}
		length = length_base[symbol] + take(stream, length_bits[symbol]);
		far = take_symbol(stream, distances);
		if (far >= 30) {
			stream->damaged = true;
			return;
		}
		distance = far < 4 ? far + 1 :
			   ((2 + (far & 1)) << (far / 2 - 1)) + 1 + take(stream, far / 2 - 1);
		copy(stream, length, distance);
	}
}

static void take_stored(struct stream *stream)
{
	unsigned length;

	take(stream, stream->held % 8);
	length = take(stream, 16);
	if (take(stream, 16) != (~length & 0xffff))
		stream->damaged = true;
	while (length-- && !stream->damaged)
		put(stream, take(stream, 8));
}

static void take_fixed(struct stream *stream)
{
	uint8_t lengths[LITERALS];
	struct code literals, distances;

	for (unsigned i = 0; i < LITERALS; i++)
		lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
	make_code(stream, &literals, lengths, LITERALS);
	memset(lengths, 5, DISTANCES);
	make_code(stream, &distances, lengths, DISTANCES);
	take_block(stream, &literals, &distances);
}

/* The lengths of both codes in one list, in a code of its own. */
static void take_lengths(struct stream *stream, const struct code *code, uint8_t *lengths, unsigned count)
{
	unsigned done = 0;

	while (done < count && !stream->damaged) {
		unsigned symbol = take_symbol(stream, code), repeat = 1;
		uint8_t length = symbol < 16 ? symbol : 0;

		if (symbol == 16) {
			stream->damaged |= !done;
			length = done ? lengths[done - 1] : 0;
			repeat = 3 + take(stream, 2);
		} else if (symbol > 16) {
			repeat = symbol == 17 ? 3 + take(stream, 3) : 11 + take(stream, 7);
		}
		while (repeat-- && done < count)
			lengths[done++] = length;
	}
}

static void take_dynamic(struct stream *stream)
{
	static const uint8_t order[LENGTH_CODES] = {
		16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
	};
	unsigned literal_count = take(stream, 5) + 257, distance_count = take(stream, 5) + 1;
	unsigned given = take(stream, 4) + 4;
	uint8_t lengths[LITERALS + DISTANCES] = { 0 };
	struct code literals, distances;

	if (literal_count > LITERALS) {
		stream->damaged = true;
		return;
	}
	for (unsigned i = 0; i < given; i++)
		lengths[order[i]] = take(stream, 3);
	make_code(stream, &literals, lengths, LENGTH_CODES);
	memset(lengths, 0, sizeof(lengths));
	take_lengths(stream, &literals, lengths, literal_count + distance_count);
	make_code(stream, &literals, lengths, literal_count);
	make_code(stream, &distances, lengths + literal_count, distance_count);
	take_block(stream, &literals, &distances);
}

/* Magic, method, flags, time, system; an extra field, a name and a comment are not in what we read. */
static bool take_header(struct stream *stream)
{
	static const unsigned char magic[] = { 0x1f, 0x8b, 8, 0 };

	if (stream->end - stream->from < 10 || memcmp(stream->from, magic, sizeof(magic)))
		return false;
	stream->from += 10;
	return true;
}

/* The checksum, which is passed over, and the length. */
static uint32_t take_trailer(struct stream *stream)
{
	uint32_t low;

	take(stream, stream->held % 8);
	take(stream, 16);
	take(stream, 16);
	low = take(stream, 16);
	return low | take(stream, 16) << 16;
}

long inflate_gzip(const unsigned char *file, size_t size, char *to, size_t room)
{
	struct stream stream = { .from = file, .end = file + size, .to = to, .room = room };
	bool last = false;

	if (!take_header(&stream))
		return -1;
	while (!last && !stream.damaged) {
		last = take(&stream, 1);
		switch (take(&stream, 2)) {
		case 0: take_stored(&stream); break;
		case 1: take_fixed(&stream); break;
		case 2: take_dynamic(&stream); break;
		default: stream.damaged = true;
		}
	}
	if (take_trailer(&stream) != (uint32_t)stream.length)
		stream.damaged = true;
	return stream.damaged ? -1 : (long)stream.length;
}
