/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What root may, and who is root for the kernel: capabilities(7), which count in the first user namespace only. */
#ifndef HOST_CAPABILITY_H
#define HOST_CAPABILITY_H

#include <linux/capability.h>
#include <stdbool.h>

/* Is it effective, and does it count? The number is that of <linux/capability.h>. */
bool capability_held(int capability);

/* How to come by the capability of that name: "run as root", where that helps. Good until the next call. */
const char *capability_remedy(const char *name);

#endif
