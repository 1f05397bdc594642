/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All processes that descend from this one, whatever groups and sessions they made. */
#ifndef OFFSPRING_H
#define OFFSPRING_H

#include <sys/types.h>

/*
 * Send the signal to each, but for one child and its own (0: none is spared).
 * Returns how many there were.
 */
unsigned offspring_signal(int signal, pid_t spared);

#endif
