// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "explain_event.h"

static bool blame(struct blame *blame, const struct recording *recording, const struct explain_context *context)
{
	unsigned room = trace_count(recording->data, recording->used);
	struct trace_record *records = malloc((room + 1) * sizeof(*records));

	if (!records)
		return false;
	room = trace_decode(context->layout, recording->data, recording->used, records, room);
	explain_blame(blame, records, room, recording->due_ns, recording->stamp_ns, context->meter);
	free(records);
	return true;
}

struct explained_event *explain_event(const struct event *event, const struct recording *recording,
				      const struct explain_context *context)
{
	struct explained_event *explained = calloc(1, sizeof(*explained));

	if (!explained)
		return NULL;
	explained->facts.smis = event->smis;
	explained->facts.hypervisor = context->hypervisor;
	if (!recording || !blame(&explained->blame, recording, context))
		blame_nothing(&explained->blame, event->late_ns);
	stack_name(&explained->facts.expiry, &explained->blame.expiry, context->symbols);
	stack_name(&explained->facts.arrival, &explained->blame.arrival, context->symbols);
	if (stack_is_of_program(&explained->facts.expiry))
		blame_interrupted_program(&explained->blame);
	return explained;
}
