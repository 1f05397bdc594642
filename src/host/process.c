// SPDX-License-Identifier: GPL-2.0-or-later
/* Processes: their state, scheduling and children, the signals that they block, and the memory that they share. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/instant.h"
#include "host/process.h"
#include "host/sysfile.h"

#ifndef SYS_pidfd_open			/* headers before Linux 5.3; the numbers are the same on all architectures */
#define SYS_pidfd_open 434
#endif
#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif

#define INITIAL_PID_NAMESPACE "pid:[4026531836]"	/* the same for all kernels: PROC_PID_INIT_INO */
#define POLICIES (SCHED_DEADLINE + 1)

static const char *const policies[POLICIES] = {
	[SCHED_FIFO] = "fifo", [SCHED_RR] = "rr", [SCHED_DEADLINE] = "deadline", [SCHED_OTHER] = "other",
	[SCHED_BATCH] = "batch", [SCHED_IDLE] = "idle",
};

/* musl fails with ENOSYS, because POSIX applies these to processes, Linux to threads. Weak: a test may replace them. */
#ifndef __GLIBC__
__attribute__((weak)) int sched_getparam(pid_t pid, struct sched_param *param)
{
	return syscall(SYS_sched_getparam, pid, param);
}

__attribute__((weak)) int sched_getscheduler(pid_t pid)
{
	return syscall(SYS_sched_getscheduler, pid);
}

__attribute__((weak)) int sched_setscheduler(pid_t pid, int policy, const struct sched_param *param)
{
	return syscall(SYS_sched_setscheduler, pid, policy, param);
}
#endif

int process_is_renumbered(void)
{
	char namespace[64] = "";

	if (readlink("/proc/self/ns/pid", namespace, sizeof(namespace) - 1) <= 0)
		return -1;
	return strcmp(namespace, INITIAL_PID_NAMESPACE) != 0;
}

int process_open(pid_t pid)
{
	return open(sysfile_path("/proc/%d/stat", pid), O_RDONLY | O_CLOEXEC);
}

/* The state follows the name, which may hold anything, parentheses and blanks too. */
char process_state(int fd)
{
	char line[128] = "", *end;

	if (pread(fd, line, sizeof(line) - 1, 0) < 0)
		return '\0';
	end = strrchr(line, ')');
	return end && end[1] ? end[2] : '\0';
}

/* Kernels before 5.3, and seccomp filters older than that, have no such call. */
int process_hold(pid_t pid)
{
	return syscall(SYS_pidfd_open, pid, 0);
}

void process_signal(int held, pid_t pid, int signal)
{
	if (held >= 0)
		syscall(SYS_pidfd_send_signal, held, signal, NULL, 0);
	else
		kill(pid, signal);
}

const char *sched_state_policy_name(int policy)
{
	return policy >= 0 && policy < POLICIES && policies[policy] ? policies[policy] : "unknown";
}

void sched_state_look(pid_t pid, struct sched_state *sched_state)
{
	struct sched_param param = { 0 };
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	sched_getparam(pid, &param);
	sched_getaffinity(pid, sizeof(cpus), &cpus);
	*sched_state = (struct sched_state){
		.policy = sched_getscheduler(pid) & ~SCHED_RESET_ON_FORK, .priority = param.sched_priority,
		.cpus = CPU_COUNT(&cpus), .migrations = -1,
	};
	while (sched_state->cpus && !CPU_ISSET(sched_state->first_cpu, &cpus))
		sched_state->first_cpu++;
}

/* Kernels without CONFIG_SCHED_DEBUG do not count migrations. */
void sched_state_read(pid_t pid, struct sched_state *sched_state)
{
	const char *path = pid ? sysfile_path("/proc/%d/sched", pid) : "/proc/self/sched";
	char migrations[32];

	sched_state_look(pid, sched_state);
	if (sysfile_value(path, "se.nr_migrations", migrations, sizeof(migrations)))
		sched_state->migrations = strtoll(migrations, NULL, 10);
}

bool sched_state_differs(const struct sched_state *one, const struct sched_state *other)
{
	return one->policy != other->policy || one->priority != other->priority ||
	       one->cpus != other->cpus || one->first_cpu != other->first_cpu;
}

void children_look(const struct children *children, struct sched_state *now)
{
	*now = (struct sched_state){ .cpus = 0 };
	for (unsigned i = 0; i < children->count; i++) {
		sched_state_look(children->pid[i], now);
		if (sched_state_differs(now, &children->began))
			return;
	}
}

bool children_notice(struct children *children)
{
	siginfo_t news = { .si_pid = 0 };
	int error = errno;
	bool ended;

	while (waitid(P_ALL, 0, &news, WSTOPPED | WCONTINUED | WNOHANG) == 0 && news.si_pid) {
		bool stopped = news.si_code != CLD_CONTINUED;
		uint64_t now_ns = monotonic_ns();

		for (unsigned i = 0; i < children->count; i++) {
			if (children->pid[i] != news.si_pid || children->stopped[i] == stopped)
				continue;
			children->stopped[i] = stopped;
			if (stopped && !children->stopped_count++)
				children->stopped_since_ns = now_ns;
			else if (!stopped && !--children->stopped_count)
				children->stopped_ms += (now_ns - children->stopped_since_ns + 999999) / 1000000;
		}
		news.si_pid = 0;
	}
	ended = waitid(P_ALL, 0, &news, WEXITED | WNOHANG | WNOWAIT) == 0 && news.si_pid;
	errno = error;
	return ended;
}

void children_settle(struct children *children)
{
	if (children->stopped_count)
		children->stopped_ms += (monotonic_ns() - children->stopped_since_ns + 999999) / 1000000;
	children_look(children, &children->ended);
}

/* Faults must kill, and job control must stop us. Any other signal waits until it is read, even if it was ignored. */
int signals_open(struct signals *signals)
{
	static const int left_alone[] = {
		SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT,
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

/* Anonymous, because the limit on the size of files would apply to a file. */
void *shared_create(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}
