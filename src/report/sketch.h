/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A histogram of one line. Pure. */
#ifndef REPORT_SKETCH_H
#define REPORT_SKETCH_H

#include <stdbool.h>

#include "measure/sums.h"

#define SKETCH_CELLS 24			/* with its ends, the time and the CPU it fits 80 columns */
#define SKETCH_SIZE (3 * SKETCH_CELLS + 1)

/*
 * Draw the latency of all these sums from the least to the greatest, both scales
 * logarithmic: each cell is a range of equal ratio, and is as high as the logarithm of
 * its count. No cell that counts anything is empty. Without unicode the heights are
 * ".:-=+*#@". Without a sample, text is empty.
 */
void sketch(char text[SKETCH_SIZE], const struct sums *const sums[], unsigned count, bool unicode);

#endif
