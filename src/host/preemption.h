/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much of the kernel can be preempted, and how that is known. Only root can
 * read it from a kernel that can change its model; for others it follows from the
 * configuration or the version.
 */
#ifndef HOST_PREEMPTION_H
#define HOST_PREEMPTION_H

#include <stdbool.h>
#include <stddef.h>

/* By the kernel's version: is it PREEMPT_RT, is it this release or a later one? */
bool kernel_is_rt(void);
bool kernel_is_since(unsigned major, unsigned minor);

/*
 * The model, and then the source that it was last known from: a kernel that is
 * locked down logs each look into debugfs. where is the file in which a kernel that
 * can change its model shows it. A process that can no longer read that file does
 * not fall back on other sources: the value becomes "unknown".
 */
void preemption_model(char *value, size_t size, const char *where);
void preemption_from(char *value, size_t size, const char *where);

#endif
