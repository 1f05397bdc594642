// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "report/tell_verdict.h"

static bool is_whole(const struct report *report)
{
	return !strcmp(report->status, "complete");
}

/* The first report that is not complete, or the first of all. */
static const struct report *first_cut_short(const struct report *reports)
{
	for (unsigned i = 0; i < reports->count; i++)
		if (!is_whole(&reports[i]))
			return &reports[i];
	return reports;
}

/* From the first wake-up of the run to the last of the reports that were cut short, or of all when none was. */
static double ended_after_s(const struct report *reports)
{
	uint64_t from_ns = INT64_MAX, cut_ns = 0, to_ns = 0;

	for (unsigned i = 0; i < reports->count; i++) {
		const struct sums *sums = totals_sums(reports[i].totals);

		if (!sums->samples)
			continue;
		from_ns = lesser(from_ns, sums->from_ns);
		to_ns = greater(to_ns, sums->to_ns);
		if (!is_whole(&reports[i]))
			cut_ns = greater(cut_ns, sums->to_ns);
	}
	return to_ns ? ((cut_ns ? cut_ns : to_ns) - from_ns) / 1e9 : 0;
}

/* "; interrupted after 4.0 s of 60 s"; nothing where the run is complete. */
static void tell_end(const struct all *all, char *text, size_t size)
{
	const struct report *cut_short = first_cut_short(all->reports);
	uint64_t duration_ns = all->reports->run->options->duration_ns;
	bool broken = !strcmp(cut_short->status, "break");

	if (is_whole(cut_short))
		return;
	text_append(text, size, "; %s after %.1f s", broken ? "ended by --break" : cut_short->status,
		    ended_after_s(all->reports));
	if (duration_ns) {
		char time[UNITS_TEXT];

		text_append(text, size, " of %s", units_spell(duration_ns, " ", time));
	}
}

/* The first report of that grade with a reason or a remark; the first of all if there is none. */
static const struct report *first_with(const struct all *all, enum grade grade)
{
	for (unsigned i = 0; i < all->count; i++)
		if (all->reports[i].verdict.grade == grade && *all->reports[i].verdict.cause)
			return &all->reports[i];
	return all->reports;
}

/* The reasons of all reports, less the cause of this one, which others may have, too. */
static unsigned count_further(const struct all *all, const struct report *first, unsigned *with_cause)
{
	unsigned further = 0;

	*with_cause = 0;
	for (unsigned i = 0; i < all->count; i++) {
		const struct verdict *verdict = &all->reports[i].verdict;
		bool same = !strcmp(verdict->cause, first->verdict.cause);

		*with_cause += same;
		further += verdict->reasons - (same && verdict->reasons);
	}
	return further;
}

/* ": CPU 1: the hypervisor took 40 ms of CPU time, and 2 more"; the CPU is left out if all have that cause. */
static void tell_cause(const struct all *all, const struct report *first, char *text, size_t size)
{
	unsigned with_cause, further = count_further(all, first, &with_cause);

	text_append(text, size, first->verdict.grade ? ": " : "; remark: ");
	if (with_cause < all->reports->parts)
		text_append(text, size, "%s %s: ", noun_of_part(all), first->name);
	text_append(text, size, "%s", first->verdict.cause);
	if (further)
		text_append(text, size, ", and %u more", further);
}

void tell_verdict(struct block *block, const struct all *all)
{
	static const struct {
		const char *name, *colour;
	} grades[] = {
		[VALID] = { "valid", GREEN }, [SUSPECT] = { "SUSPECT", YELLOW }, [INVALID] = { "INVALID", RED },
	};
	const struct report *first;
	enum grade grade = VALID;
	char text[VERDICT_CAUSE + 256] = "";

	for (unsigned i = 0; i < all->count; i++)
		grade = greater(grade, all->reports[i].verdict.grade);
	text_append(text, sizeof(text), "%s", grades[grade].name);
	first = first_with(all, grade);
	if (*first->verdict.cause)
		tell_cause(all, first, text, sizeof(text));
	tell_end(all, text, sizeof(text));
	block_row(block, "run");
	block_paint(block, grades[grade].colour);
	block_put(block, "%s", text);
	block_end_row(block);
}
