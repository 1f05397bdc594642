/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers as people write and read them: "5000000", "250us", "13.46 us". No I/O. */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include <stdint.h>

/*
 * These three read the whole text and return NULL; or, with the value unchanged, the reason and the remedy, to follow
 * "--option=text: ", valid until the next call.
 */

/* A whole decimal number from least to most. */
const char *units_count(const char *text, uint64_t least, uint64_t most, uint64_t *value);

/* A time with its unit (ns, us, ms, s, m, h, d; also 1.5s), in ns: 0 to 292 years. */
const char *units_time(const char *text, uint64_t *ns);

#define UNITS_TEXT 32			/* bytes for the next two */

/* Write a time exactly and as briefly as possible: "100us", "1.5ms", with gap before the unit. Returns text. */
const char *units_spell(uint64_t ns, const char *gap, char text[UNITS_TEXT]);

/* Write a time with four digits, in the unit that fits: "0.850 us", "13.46 us", "1.003 s". Returns text. */
const char *units_figure(int64_t ns, char text[UNITS_TEXT]);

#define LIMIT_TEXT 48			/* bytes for limit_text() */
#define LIMIT_WHOLE 1000000000

/* The limit of --max: how late is too late, and how many may be. */
struct limit {
	uint64_t ns;			/* the greatest latency that passes; 0: there is no limit */
	uint32_t share;			/* this many of LIMIT_WHOLE may be above; 0: none */
};

/* "TIME" or "TIME@PCT". */
const char *limit_parse(const char *text, struct limit *limit);

/* As a user types it, "1.5ms@99.999"; or only its percentage, "99.999", "100" without a share. Both return text. */
const char *limit_text(const struct limit *limit, char text[LIMIT_TEXT]);
const char *limit_percent(const struct limit *limit, char text[LIMIT_TEXT]);

/* How many of count values may exceed it. */
uint64_t limit_allows(const struct limit *limit, uint64_t count);

#endif
