/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much of the kernel can be preempted, and from what that is known. The
 * kernel says so itself to root alone; else it follows from its version, its
 * command line and its configuration.
 */
#ifndef HOST_PREEMPTION_H
#define HOST_PREEMPTION_H

#include <stdbool.h>

#include "host/environment.h"

/* What the kernel's version says: is it PREEMPT_RT, is it this one or a later one? */
bool kernel_is_rt(void);
bool kernel_is_since(unsigned major, unsigned minor);

/*
 * where is the file in which a kernel that can change its model shows it. Who
 * loses the right to read that one does not fall back on what the kernel was
 * started with: the value then is "unknown".
 */
environment_reader preemption_model, preemption_from;

#endif
