// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/limit.h"
#include "base/units.h"

#define PERCENT (LIMIT_WHOLE / 100)
#define DECIMALS 7			/* of a percentage that is a whole share */

static const char not_a_percentage[] = "what follows @ is no percentage; give one, as in 100us@99.999";

/* "99.999" as a share of LIMIT_WHOLE. */
static const char *read_percentage(const char *text, uint64_t *share)
{
	size_t whole = strspn(text, "0123456789"), point = text[whole] == '.';
	size_t decimals = strspn(text + whole + point, "0123456789");
	uint64_t value = 0, unit = PERCENT;

	if (!whole || text[whole + point + decimals] || point > decimals)
		return not_a_percentage;
	if (decimals > DECIMALS)
		return "so small a share cannot be counted; give at most 7 decimals";
	for (size_t i = 0; i < whole && value < LIMIT_WHOLE; i++)
		value = 10 * value + (text[i] - '0') * (uint64_t)PERCENT;
	for (size_t i = whole + 1; i <= whole + decimals; i++)
		value += (text[i] - '0') * (unit /= 10);
	*share = value;
	return NULL;
}

const char *limit_parse(const char *text, struct limit *limit)
{
	const char *at = strchr(text, '@'), *reason;
	uint64_t ns, kept = LIMIT_WHOLE;
	char time[64];

	snprintf(time, sizeof(time), "%.*s", at ? (int)(at - text) : (int)strlen(text), text);
	reason = units_time(time, &ns);
	if (!reason && at)
		reason = read_percentage(at + 1, &kept);
	if (reason)
		return reason;
	if (!ns)
		return "no wake-up comes that soon; give more, as in 150us";
	if (at && (kept == 0 || kept >= LIMIT_WHOLE))
		return "a share is more than 0 and less than 100 %; give one, as in 100us@99.999, or leave it out";
	*limit = (struct limit){ ns, LIMIT_WHOLE - kept };
	return NULL;
}

const char *limit_percent(const struct limit *limit, char text[LIMIT_TEXT])
{
	uint32_t kept = LIMIT_WHOLE - limit->share;
	char *end = text + snprintf(text, LIMIT_TEXT, "%u.%0*u", kept / PERCENT, DECIMALS, kept % PERCENT);

	while (end[-1] == '0')
		*--end = '\0';
	if (end[-1] == '.')
		end[-1] = '\0';
	return text;
}

const char *limit_text(const struct limit *limit, char text[LIMIT_TEXT])
{
	char time[UNITS_TEXT], percent[LIMIT_TEXT];

	units_spell(limit->ns, "", time);
	snprintf(text, LIMIT_TEXT, "%s%s%.16s", time, limit->share ? "@" : "",
		 limit->share ? limit_percent(limit, percent) : "");
	return text;
}

/* Rounded down; the product of both might not fit. */
uint64_t limit_allows(const struct limit *limit, uint64_t count)
{
	return count / LIMIT_WHOLE * limit->share + count % LIMIT_WHOLE * limit->share / LIMIT_WHOLE;
}
