/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads by name: job files of stress-ng. Those that ship are NAME.job in packaging
 * beside the program or, where that is not, in share/realfeel below the prefix of
 * the program.
 */
#ifndef LOAD_JOB_H
#define LOAD_JOB_H

#include <stdbool.h>
#include <stddef.h>

/* Print the names of the loads that ship, each with what it is. Returns 0, or -1 after a warning. */
int job_list(void);

/*
 * The command that runs a load in silence until it is ended: the load that ships
 * by that name or, as text with a slash is none, the file of that name, which
 * *job names; *name is that of a load that ships, else NULL. Valid until the next
 * call; NULL if there is no such file.
 */
char **job_command(const char *text, const char **job, const char **name);

/* Does the job make its processes real-time? */
bool job_is_realtime(const char *file);

/*
 * For a process that ends soon: would stress-ng run the command's job for this user?
 * It starts nothing of it. Returns false with the last line of what it says.
 */
bool job_is_accepted(char **command, char *reason, size_t size);

#endif
