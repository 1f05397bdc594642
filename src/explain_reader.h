/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The keeper's side of --explain: reads what the kernel records of a meter
 * beside the run, and adds it up. All zero: there is nothing to be read.
 */
#ifndef EXPLAIN_READER_H
#define EXPLAIN_READER_H

#include "explain_join.h"
#include "explanation.h"
#include "trace_ring.h"

/* The ring and the log have room for what comes meanwhile: see TRACE_RING_SIZE and WAKELOG_SIZE. */
#define EXPLAIN_READ_NS 100000000

struct explain_reader {
	struct trace_ring ring;
	struct explain_join join;
};

/*
 * The ring came as this descriptor, which is the reader's from now on. Returns
 * 0, or -1 with errno: then nothing is read.
 */
int explain_reader_open(struct explain_reader *reader, int event, struct trace_layout *layout, size_t size,
			const struct wakelog *log, unsigned hz);

/* Read what there is. */
void explain_read(struct explain_reader *reader);

/* Add to the explanation what was read of the wake-ups that are in the sums. */
void explain_reader_add(struct explain_reader *reader, struct explanation *explanation, const struct sums *sums);

/* The meter has ended, and all was read. */
void explain_reader_close(struct explain_reader *reader);

#endif
