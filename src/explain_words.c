// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain_words.h"
#include "text.h"

#define TOLD 4

enum saying {
	SAY_RAN,
	SAY_UNPREEMPTED,
	SAY_INTERRUPTS_OFF,
	SAY_TIMER_LATE,
	SAY_TAKEN,
	SAY_PASSED_OVER,
	SAY_BLOCKED,
	SAY_IDLE,
	SAY_INTERRUPT,
	SAY_SOFTIRQ,
	SAY_SELF,
	SAY_NO_RECORD,
	SAY_LOST,
	SAY_RING_ENDS
};

/* @ stands for who it is, # for how long, ~ for a doubt. */
static const char *const sayings[] = {
	[SAY_RAN] = "@ ran #",
	[SAY_UNPREEMPTED] = "@ could not be preempted for #",
	[SAY_INTERRUPTS_OFF] = "interrupts were off~ for # while @ ran",
	[SAY_TIMER_LATE] = "the timer was # late while @ ran",
	[SAY_TAKEN] = "@ took the CPU away for #",
	[SAY_PASSED_OVER] = "@ ran # though we were ready (throttled?)",
	[SAY_BLOCKED] = "@ ran # while we were blocked again",
	[SAY_IDLE] = "woke from idle, #",
	[SAY_INTERRUPT] = "@ #",
	[SAY_SOFTIRQ] = "@ #",
	[SAY_SELF] = "realfeel itself ran #",
	[SAY_NO_RECORD] = "# without any record~",
	[SAY_LOST] = "# unknown, for records were lost",
	[SAY_RING_ENDS] = "the ring ends # after due",
};

/* All segments of which the same is to be said. */
struct part {
	enum saying saying;
	const struct segment *segment;	/* one of them */
	int64_t ns;
};

struct words {
	char *text;
	const struct blame *blame;
	const struct words_facts *facts;
};

static enum saying of_phase(enum blame_phase phase, enum saying otherwise)
{
	switch (phase) {
	case PHASE_TAKEN:
		return SAY_TAKEN;
	case PHASE_PASSED_OVER:
		return SAY_PASSED_OVER;
	case PHASE_BLOCKED:
		return SAY_BLOCKED;
	default:
		return otherwise;
	}
}

static enum saying of_task(const struct segment *segment, const struct trace_task *meter)
{
	if (segment->phase == PHASE_TIMER)
		return SAY_INTERRUPTS_OFF;
	if (segment->phase == PHASE_TIMER_LATE)
		return SAY_TIMER_LATE;
	if (segment->phase == PHASE_READY && blame_is_lower(&segment->task, meter))
		return SAY_UNPREEMPTED;
	return of_phase(segment->phase, SAY_RAN);
}

static enum saying saying_of(const struct segment *segment, const struct trace_task *meter)
{
	switch (segment->kind) {
	case BLAME_TASK:
		return of_task(segment, meter);
	case BLAME_IDLE:
		return of_phase(segment->phase, SAY_IDLE);
	case BLAME_INTERRUPT:
		return SAY_INTERRUPT;
	case BLAME_SOFTIRQ:
		return SAY_SOFTIRQ;
	case BLAME_SELF:
		return SAY_SELF;
	case BLAME_NO_RECORD:
		return SAY_NO_RECORD;
	case BLAME_RING_ENDS:
		return SAY_RING_ENDS;
	default:
		return SAY_LOST;
	}
}

static void put_task(char *text, const struct segment *segment)
{
	const struct trace_task *task = &segment->task;
	char priority[16], *colon;

	if (!task->pid) {
		text_append(text, WORDS_SIZE, "the idle task");
		return;
	}
	trace_priority(task, priority);
	colon = strchr(priority, ':');
	if (colon)
		*colon = ' ';
	text_append(text, WORDS_SIZE, "'%s' (%s%s)", task->comm, priority, segment->lent ? ", lent" : "");
}

static void put_who(char *text, const struct segment *segment)
{
	if (segment->kind == BLAME_SOFTIRQ) {
		text_append(text, WORDS_SIZE, "softirq %s", segment->name);
		if (!blame_is_softirq_thread(&segment->task))
			return;
		text_append(text, WORDS_SIZE, " in ");
	} else if (segment->kind == BLAME_INTERRUPT) {
		if (segment->number < 0)
			text_append(text, WORDS_SIZE, "%s", segment->name);
		else
			text_append(text, WORDS_SIZE, "interrupt '%s' (irq %d)", segment->name, segment->number);
		return;
	}
	put_task(text, segment);
}

/* In one unit, so that one sees which is more: ms, or below a ms of lateness us. */
static void put_time(const struct words *words, int64_t ns)
{
	if (words->blame->late_ns >= 1000000)
		text_append(words->text, WORDS_SIZE, "%.3f ms", ns / 1e6);
	else
		text_append(words->text, WORDS_SIZE, "%.1f us", ns / 1e3);
}

/* What leaves no record. */
static void put_doubt(const struct words *words, enum saying saying)
{
	bool hypervisor = words->facts->hypervisor;
	int64_t smis = words->facts->smis;

	if (saying == SAY_INTERRUPTS_OFF) {
		if (hypervisor || smis)
			text_append(words->text, WORDS_SIZE, ", or the CPU was taken away,");
	} else if (smis > 0) {
		text_append(words->text, WORDS_SIZE, " (%" PRId64 " SMI%s)", smis, smis == 1 ? "" : "s");
	} else if (smis == 0) {
		text_append(words->text, WORDS_SIZE, hypervisor ? " (hypervisor?)" : " (and no SMI)");
	} else {
		text_append(words->text, WORDS_SIZE, hypervisor ? " (hypervisor or SMI?)" : " (SMI?)");
	}
}

/* Where in the kernel it was; and where, at last, it made way. */
static void put_stacks(const struct words *words, const struct part *part)
{
	char in[WORDS_SIZE] = "", until[WORDS_SIZE] = "";
	const struct trace_task *task = &part->segment->task;

	if (task->pid == words->blame->interrupted.pid)
		stack_tell_interrupted(&words->facts->expiry, in, sizeof(in));
	if (part->saying == SAY_UNPREEMPTED && task->pid == words->blame->arrival.prev.pid)
		stack_tell_switched(&words->facts->arrival, until, sizeof(until));
	if (*in)
		text_append(words->text, WORDS_SIZE, ", in %s", in);
	if (*until)
		text_append(words->text, WORDS_SIZE, ", until %s", until);
}

static void put_part(const struct words *words, const struct part *part)
{
	for (const char *form = sayings[part->saying]; *form; form++) {
		if (*form == '@')
			put_who(words->text, part->segment);
		else if (*form == '#')
			put_time(words, part->ns);
		else if (*form == '~')
			put_doubt(words, part->saying);
		else
			text_append(words->text, WORDS_SIZE, "%c", *form);
	}
	if (part->saying == SAY_UNPREEMPTED || part->saying == SAY_INTERRUPTS_OFF)
		put_stacks(words, part);
}

/* Is the same to be said of both? */
static bool is_of(const struct part *part, enum saying saying, const struct segment *segment)
{
	const struct segment *one = part->segment;
	bool has_task = saying <= SAY_BLOCKED || (saying == SAY_SOFTIRQ && blame_is_softirq_thread(&segment->task));

	return part->saying == saying && !strcmp(blame_name(one), blame_name(segment)) &&
	       (!has_task || (one->task.pid == segment->task.pid && one->task.prio == segment->task.prio));
}

static unsigned add(struct part *parts, unsigned count, const struct part *part)
{
	unsigned at;

	for (at = 0; at < count && !is_of(&parts[at], part->saying, part->segment); at++)
		;
	if (at < count)
		parts[at].ns += part->ns;
	else
		parts[count++] = *part;
	return count;
}

static unsigned collect(const struct blame *blame, struct part *parts)
{
	unsigned count = 0;

	for (unsigned i = 0; i < blame->count; i++) {
		const struct segment *segment = &blame->segment[i];

		count = add(parts, count,
			    &(struct part){ saying_of(segment, &blame->meter), segment, segment_ns(segment) });
	}
	return count;
}

/* An instant without interrupts, or on the way to us, is nobody's fault. */
static unsigned forgive(struct part *parts, unsigned count)
{
	unsigned left = 0;

	for (unsigned i = 0; i < count; i++) {
		struct part part = parts[i];
		bool fault = part.saying == SAY_INTERRUPTS_OFF || part.saying == SAY_TIMER_LATE ||
			     part.saying == SAY_UNPREEMPTED;

		if (fault && part.ns < BLAME_USUAL_NS)
			part.saying = SAY_RAN;
		left = add(parts, left, &part);
	}
	return left;
}

static int compare(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	return x->segment < y->segment ? -1 : 1;
}

static void put_others(const struct words *words, const struct part *parts, unsigned count)
{
	int64_t ns = 0;

	for (unsigned i = 0; i < count; i++)
		ns += parts[i].ns;
	text_append(words->text, WORDS_SIZE, "; %u other%s ", count, count == 1 ? "" : "s");
	put_time(words, ns);
}

void words_explain(char text[WORDS_SIZE], const struct blame *blame, const struct words_facts *facts)
{
	const struct words words = { text, blame, facts };
	struct part parts[BLAME_SEGMENTS];
	unsigned count = collect(blame, parts);

	count = forgive(parts, count);
	*text = '\0';
	put_time(&words, blame->late_ns);
	text_append(text, WORDS_SIZE, " late");
	if (count == 1 && parts->saying == SAY_LOST) {
		text_append(text, WORDS_SIZE, ": no records were kept");
		return;
	}
	qsort(parts, count, sizeof(*parts), compare);
	for (unsigned i = 0; i < count && i < TOLD; i++) {
		text_append(text, WORDS_SIZE, i ? "; " : ": ");
		put_part(&words, &parts[i]);
	}
	if (count > TOLD)
		put_others(&words, parts + TOLD, count - TOLD);
}
