// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain_words.h"
#include "text.h"

#define TOLD 4

enum saying {
	/* of a task */
	SAY_RAN,
	SAY_UNPREEMPTED,
	SAY_INTERRUPTS_OFF,
	SAY_TIMER_LATE,

	/* of a task or an idle CPU */
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

/* @ stands for who it is, # for how long, ~ for a doubt, ^ for since when. */
static const char *const sayings[] = {
	[SAY_RAN] = "@ ran #",
	[SAY_UNPREEMPTED] = "@ could not be preempted for #",
	[SAY_INTERRUPTS_OFF] = "interrupts were off~ for # while @ ran",
	[SAY_TIMER_LATE] = "the timer was # late while @ ran",
	[SAY_TAKEN] = "@ took the CPU away for #",
	[SAY_PASSED_OVER] = "@ ran # although realfeel was ready (throttled?)",
	[SAY_BLOCKED] = "@ ran # while realfeel was blocked again",
	[SAY_IDLE] = "woke from idle, #",
	[SAY_INTERRUPT] = "@ #",
	[SAY_SOFTIRQ] = "@ #",
	[SAY_SELF] = "realfeel itself ran #",
	[SAY_NO_RECORD] = "# without any record~",
	[SAY_LOST] = "# unknown: records were lost",
	[SAY_RING_ENDS] = "the records begin # after ^",
};

/* All segments of which the same is said. */
struct clause {
	enum saying saying;
	const struct segment *segment;	/* one of them */
	int64_t ns;
};

struct words {
	char *text;
	const struct blame *blame;
	const struct words_facts *facts;
};

/* Who had the CPU; and of a task, or an idle CPU, why the meter had not, as far as that is known. */
static enum saying saying_of(const struct segment *segment, const struct trace_task *meter)
{
	static const enum saying by_kind[] = {
		[BLAME_TASK] = SAY_RAN, [BLAME_IDLE] = SAY_IDLE, [BLAME_INTERRUPT] = SAY_INTERRUPT,
		[BLAME_SOFTIRQ] = SAY_SOFTIRQ, [BLAME_SELF] = SAY_SELF, [BLAME_RING_ENDS] = SAY_RING_ENDS,
		[BLAME_NO_RECORD] = SAY_NO_RECORD, [BLAME_LOST] = SAY_LOST,
	};
	static const enum saying by_phase[PHASES] = {
		[PHASE_TIMER] = SAY_INTERRUPTS_OFF, [PHASE_TIMER_LATE] = SAY_TIMER_LATE,
		[PHASE_READY] = SAY_UNPREEMPTED, [PHASE_TAKEN] = SAY_TAKEN, [PHASE_PASSED_OVER] = SAY_PASSED_OVER,
		[PHASE_BLOCKED] = SAY_BLOCKED,
	};
	enum saying why = by_phase[segment->phase];
	bool tells_why = segment->kind == BLAME_IDLE ? why >= SAY_TAKEN : segment->kind == BLAME_TASK;

	if (why == SAY_UNPREEMPTED && !blame_is_lower(&segment->task, meter))
		tells_why = false;
	return tells_why ? why : by_kind[segment->kind];
}

static void put_task(char *text, const struct segment *segment)
{
	const struct trace_task *task = &segment->task;
	char priority[TRACE_PRIORITY], *colon;

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
static void put_stacks(const struct words *words, const struct clause *clause)
{
	char in[WORDS_SIZE] = "", until[WORDS_SIZE] = "";
	const struct trace_task *task = &clause->segment->task;

	if (task->pid == words->blame->interrupted.pid)
		stack_tell_interrupted(&words->facts->expiry, in, sizeof(in));
	if (clause->saying == SAY_UNPREEMPTED && task->pid == words->blame->arrival.prev.pid)
		stack_tell_switched(&words->facts->arrival, until, sizeof(until));
	if (*in)
		text_append(words->text, WORDS_SIZE, ", in %s", in);
	if (*until)
		text_append(words->text, WORDS_SIZE, ", until %s", until);
}

static void put_clause(const struct words *words, const struct clause *clause)
{
	for (const char *form = sayings[clause->saying]; *form; form++) {
		if (*form == '@')
			put_who(words->text, clause->segment);
		else if (*form == '#')
			put_time(words, clause->ns);
		else if (*form == '~')
			put_doubt(words, clause->saying);
		else if (*form == '^')
			text_append(words->text, WORDS_SIZE, words->blame->asked ? "the request" : "due");
		else
			text_append(words->text, WORDS_SIZE, "%c", *form);
	}
	if (clause->saying == SAY_UNPREEMPTED || clause->saying == SAY_INTERRUPTS_OFF)
		put_stacks(words, clause);
}

/* Is the same to be said of both? */
static bool is_of(const struct clause *clause, enum saying saying, const struct segment *segment)
{
	const struct segment *one = clause->segment;
	bool has_task = saying <= SAY_BLOCKED || (saying == SAY_SOFTIRQ && blame_is_softirq_thread(&segment->task));

	return clause->saying == saying && !strcmp(blame_name(one), blame_name(segment)) &&
	       (!has_task || (one->task.pid == segment->task.pid && one->task.prio == segment->task.prio));
}

static unsigned add(struct clause *clauses, unsigned count, const struct clause *clause)
{
	unsigned at;

	for (at = 0; at < count && !is_of(&clauses[at], clause->saying, clause->segment); at++)
		;
	if (at < count)
		clauses[at].ns += clause->ns;
	else
		clauses[count++] = *clause;
	return count;
}

static unsigned collect(const struct blame *blame, struct clause *clauses)
{
	unsigned count = 0;

	for (unsigned i = 0; i < blame->count; i++) {
		const struct segment *segment = &blame->segment[i];

		count = add(clauses, count,
			    &(struct clause){ saying_of(segment, &blame->meter), segment, segment_ns(segment) });
	}
	return count;
}

/* An instant without interrupts, or on the way to us, is nobody's fault. */
static unsigned forgive(struct clause *clauses, unsigned count)
{
	unsigned left = 0;

	for (unsigned i = 0; i < count; i++) {
		struct clause clause = clauses[i];
		bool fault = clause.saying == SAY_INTERRUPTS_OFF || clause.saying == SAY_TIMER_LATE ||
			     clause.saying == SAY_UNPREEMPTED;

		if (fault && clause.ns < BLAME_USUAL_NS)
			clause.saying = SAY_RAN;
		left = add(clauses, left, &clause);
	}
	return left;
}

static int compare(const void *a, const void *b)
{
	const struct clause *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	return x->segment < y->segment ? -1 : 1;
}

static void put_others(const struct words *words, const struct clause *clauses, unsigned count)
{
	int64_t ns = 0;

	for (unsigned i = 0; i < count; i++)
		ns += clauses[i].ns;
	text_append(words->text, WORDS_SIZE, "; %u other%s ", count, count == 1 ? "" : "s");
	put_time(words, ns);
}

void words_explain(char text[WORDS_SIZE], const struct blame *blame, const struct words_facts *facts)
{
	const struct words words = { text, blame, facts };
	struct clause clauses[BLAME_SEGMENTS];
	unsigned count = collect(blame, clauses);

	count = forgive(clauses, count);
	*text = '\0';
	put_time(&words, blame->late_ns);
	text_append(text, WORDS_SIZE, blame->asked ? " after the request" : " late");
	if (count == 1 && clauses->saying == SAY_LOST) {
		text_append(text, WORDS_SIZE, ": no records were kept");
		return;
	}
	qsort(clauses, count, sizeof(*clauses), compare);
	for (unsigned i = 0; i < count && i < TOLD; i++) {
		text_append(text, WORDS_SIZE, i ? "; " : ": ");
		put_clause(&words, &clauses[i]);
	}
	if (count > TOLD)
		put_others(&words, clauses + TOLD, count - TOLD);
}
