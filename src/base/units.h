/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text to numbers, as people write them on a command line: "5000000", "250us". No I/O. */
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

#endif
