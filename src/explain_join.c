// SPDX-License-Identifier: GPL-2.0-or-later
#include "explain_join.h"

/* The oldest wake-up that is not settled; NULL when there is none yet. */
static const struct wakelog_entry *oldest(struct explain_join *join)
{
	uint64_t overrun = join->overrun;

	if (join->first < join->end)
		return &join->ahead[join->first];
	join->first = 0;
	join->end = wakelog_read(join->log, &join->next, &join->overrun, join->ahead, JOIN_AHEAD);
	if (join->overrun > overrun)
		parts_doubt(&join->search);
	return join->end ? join->ahead : NULL;
}

static void settle(struct explain_join *join, const struct wakelog_entry *entry)
{
	struct explain_row row = { .stamp_ns = entry->stamp_ns };
	bool known = parts_settle(&join->search, entry->due_ns, entry->stamp_ns, &row.parts);

	join->first++;
	if (known && entry->periods && join->count < join->room)
		join->rows[join->count++] = row;
}

/* What the kernel recorded after a stamp belongs to a later wake-up. */
static void settle_before(struct explain_join *join, uint64_t at_ns)
{
	const struct wakelog_entry *entry;

	while ((entry = oldest(join)) && entry->stamp_ns < at_ns)
		settle(join, entry);
}

void explain_join_take(void *context, const struct trace_record *record)
{
	struct explain_join *join = context;

	if (record->kind == TRACE_LOST)
		join->lost += record->lost;
	else
		settle_before(join, record->at_ns);
	parts_take(&join->search, record);
}

void explain_join_settle(struct explain_join *join, uint64_t count)
{
	const struct wakelog_entry *entry;

	while ((entry = oldest(join)) && join->next - (join->end - join->first) < count)
		settle(join, entry);
}
