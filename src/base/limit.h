/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The limit of --max: how late is too late, and how many may be. No I/O. */
#ifndef BASE_LIMIT_H
#define BASE_LIMIT_H

#include <stdint.h>

#define LIMIT_TEXT 48			/* bytes for limit_text() */

struct limit {
	uint64_t ns;			/* the greatest latency that passes; 0: there is no limit */
	uint32_t share;			/* so many of LIMIT_WHOLE may be above; 0: none */
};

#define LIMIT_WHOLE 1000000000

/*
 * Read "TIME" or "TIME@PCT". Returns NULL; or, with the limit unchanged, the reason
 * and the remedy, which complete the message "--max=text: ". They are valid until
 * the next call.
 */
const char *limit_parse(const char *text, struct limit *limit);

/* Write it as it may be typed, "100us" or "1.5ms@99.999", exact and without a needless digit. Returns text. */
const char *limit_text(const struct limit *limit, char text[LIMIT_TEXT]);

/* The percentage as it may be typed: "99.999". A limit without a share has "100". Returns text. */
const char *limit_percent(const struct limit *limit, char text[LIMIT_TEXT]);

/* How many of so many latencies may be above. */
uint64_t limit_allows(const struct limit *limit, uint64_t count);

#endif
