/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The window of a terminal. */
#ifndef BASE_TERMINAL_H
#define BASE_TERMINAL_H

#include <sys/ioctl.h>

/* 80 columns and 24 rows where the terminal does not say. */
struct winsize terminal_size(int fd);

#endif
