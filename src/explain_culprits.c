// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "explain_culprits.h"

static int compare_names(const struct segment *a, const struct segment *b)
{
	int kinds = strcmp(blame_kind(a), blame_kind(b));

	return kinds ? kinds : strcmp(blame_name(a), blame_name(b));
}

/* Behind the others is room for one that is new. */
static void add(struct culprit *culprit, unsigned *count, const struct blame *blame, const struct segment *segment)
{
	const struct culprit *end = culprit + *count;

	while (culprit < end && compare_names(culprit->segment, segment))
		culprit++;
	*count += culprit == end;
	culprit->segment = segment;
	culprit->wakeups += culprit->last != blame;
	culprit->last = blame;
	culprit->ns += segment_ns(segment);
}

static int compare(const void *a, const void *b)
{
	const struct culprit *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	return compare_names(x->segment, y->segment);
}

struct culprit *culprits_find(const struct blame *const blames[], unsigned wakeups, unsigned *count)
{
	struct culprit *culprits;
	size_t most = 1;

	*count = 0;
	for (unsigned i = 0; i < wakeups; i++)
		most += blames[i] ? blames[i]->count : 0;
	culprits = calloc(most, sizeof(*culprits));
	if (!culprits)
		return NULL;
	for (unsigned i = 0; i < wakeups; i++)
		for (unsigned j = 0; blames[i] && j < blames[i]->count; j++)
			if (blames[i]->segment[j].kind != BLAME_SELF)
				add(culprits, count, blames[i], &blames[i]->segment[j]);
	qsort(culprits, *count, sizeof(*culprits), compare);
	return culprits;
}
