// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/task_order.h"

void task_order_init(struct task_order *order, struct task_place *place, unsigned room)
{
	*order = (struct task_order){ .place = place, .room = room };
}

static int rank(enum task_event event)
{
	return event == TASK_TIMER_EXPIRY ? -1 : event == TASK_TIMER_DONE;
}

static bool is_before(const struct task_place *a, const struct task_place *b)
{
	if (a->record.at_ns != b->record.at_ns)
		return a->record.at_ns < b->record.at_ns;
	if (rank(a->record.event) != rank(b->record.event))
		return rank(a->record.event) < rank(b->record.event);
	return a->number < b->number;
}

void task_order_put(struct task_order *order, const struct task_record *record)
{
	const struct task_place new = { .record = *record, .number = order->put++ };
	unsigned i = order->count;

	if (record->at_ns < order->taken_ns || order->count == order->room) {
		if (order->lost_ns <= record->at_ns)
			order->lost_ns = record->at_ns + 1;
		return;
	}
	for (; i && is_before(&new, &order->place[(i - 1) / 2]); i = (i - 1) / 2)
		order->place[i] = order->place[(i - 1) / 2];
	order->place[i] = new;
	order->count++;
}

static void remove_first(struct task_order *order)
{
	const struct task_place last = order->place[--order->count];
	unsigned i = 0, child;

	while ((child = 2 * i + 1) < order->count) {
		if (child + 1 < order->count && is_before(&order->place[child + 1], &order->place[child]))
			child++;
		if (!is_before(&order->place[child], &last))
			break;
		order->place[i] = order->place[child];
		i = child;
	}
	order->place[i] = last;
}

bool task_order_take(struct task_order *order, uint64_t until_ns, struct task_record *record)
{
	if (order->lost_ns) {
		*record = (struct task_record){
			.event = TASK_LOST, .at_ns = order->taken_ns, .until_ns = order->lost_ns,
		};
		order->lost_ns = 0;
		return true;
	}
	if (order->count && order->place[0].record.at_ns < until_ns) {
		*record = order->place[0].record;
		order->taken_ns = record->at_ns;
		remove_first(order);
		return true;
	}
	if (order->taken_ns < until_ns)
		order->taken_ns = until_ns;
	return false;
}
