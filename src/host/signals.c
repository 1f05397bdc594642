// SPDX-License-Identifier: GPL-2.0-or-later
#include <sys/signalfd.h>
#include <unistd.h>

#include "host/signals.h"

/*
 * Faults must kill, and job control must stop us as it stops everyone. Every other signal waits until it is read,
 * or for ever, even one that was ignored.
 */
int signals_open(struct signals *signals)
{
	static const int left_alone[] = {
		SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS,
		SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT,
	};
	struct sigaction hangup;
	sigset_t blocked, read;

	sigfillset(&blocked);
	for (size_t i = 0; i < sizeof(left_alone) / sizeof(*left_alone); i++)
		sigdelset(&blocked, left_alone[i]);
	sigprocmask(SIG_SETMASK, &blocked, &signals->former);
	signal(SIGCHLD, SIG_DFL);	/* were it ignored, the status of our processes would be lost */
	sigaction(SIGHUP, NULL, &hangup);
	sigemptyset(&read);
	sigaddset(&read, SIGINT);
	sigaddset(&read, SIGTERM);
	if (hangup.sa_handler != SIG_IGN)	/* nohup ignores it */
		sigaddset(&read, SIGHUP);
	sigaddset(&read, SIGQUIT);
	sigaddset(&read, SIGUSR1);
	signals->fd = signalfd(-1, &read, SFD_CLOEXEC | SFD_NONBLOCK);
	return signals->fd < 0 ? -1 : 0;
}

struct asked signals_read(const struct signals *signals)
{
	struct signalfd_siginfo info;
	struct asked asked = { false, false };

	while (read(signals->fd, &info, sizeof(info)) == sizeof(info)) {
		asked.checkpoint |= info.ssi_signo == SIGUSR1;
		asked.end |= info.ssi_signo != SIGUSR1;
	}
	return asked;
}
