/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers as people write and read them: "5000000", "250us", "13.46 us". No I/O. */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include <stdint.h>

/*
 * Both read the whole text as a number and return NULL; or, with the number
 * unchanged, the reason and the remedy, which complete the message
 * "--option=text: ". They are valid until the next call.
 */

/* A whole decimal number from least to most. */
const char *units_count(const char *text, uint64_t least, uint64_t most, uint64_t *value);

/* A time with its unit (ns, us, ms, s, m, h, d; also 1.5s), in ns: 0 to 292 years. */
const char *units_time(const char *text, uint64_t *ns);

#define UNITS_TEXT 32			/* bytes for the texts below */

/* Write a time exactly and as short as it can be: "100us", "1.5ms", with gap before the unit. Returns text. */
const char *units_spell(uint64_t ns, const char *gap, char text[UNITS_TEXT]);

/* Write a time with four digits, in the unit that fits: "0.850 us", "13.46 us", "1.003 s". Returns text. */
const char *units_figure(int64_t ns, char text[UNITS_TEXT]);

#endif
