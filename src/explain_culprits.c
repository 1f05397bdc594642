// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain_culprits.h"

static struct culprit *find(const struct culprits *culprits, const char *kind, const char *name)
{
	for (unsigned i = 0; i < culprits->count; i++)
		if (!strcmp(culprits->culprit[i].name, name) && !strcmp(culprits->culprit[i].kind, kind))
			return &culprits->culprit[i];
	return NULL;
}

/* Room for all that may be new. */
static bool reserve(struct culprits *culprits, unsigned more)
{
	struct culprit *room = realloc(culprits->culprit, (culprits->count + more) * sizeof(*room));

	if (room)
		culprits->culprit = room;
	return room;
}

static void add(struct culprits *culprits, const struct segment *segment)
{
	const char *kind = blame_kind(segment), *name = blame_name(segment);
	struct culprit *culprit = find(culprits, kind, name);

	if (!culprit) {
		culprit = &culprits->culprit[culprits->count++];
		*culprit = (struct culprit){ .kind = kind };
		snprintf(culprit->name, sizeof(culprit->name), "%s", name);
	}
	culprit->wakeups += culprit->last != culprits->wakeups;
	culprit->last = culprits->wakeups;
	culprit->ns += segment_ns(segment);
}

void culprits_add(struct culprits *culprits, const struct blame *blame)
{
	if (!blame->count || !reserve(culprits, blame->count))
		return;
	culprits->wakeups++;
	for (unsigned i = 0; i < blame->count; i++)
		if (blame->segment[i].kind != BLAME_SELF)
			add(culprits, &blame->segment[i]);
}

static int compare(const void *a, const void *b)
{
	const struct culprit *x = a, *y = b;
	int kinds = strcmp(x->kind, y->kind);

	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	return kinds ? kinds : strcmp(x->name, y->name);
}

void culprits_sort(struct culprits *culprits)
{
	if (culprits->count)
		qsort(culprits->culprit, culprits->count, sizeof(*culprits->culprit), compare);
}

void culprits_free(struct culprits *culprits)
{
	free(culprits->culprit);
	*culprits = (struct culprits){ .count = 0 };
}
