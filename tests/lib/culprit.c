// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Keep the CPU from all others, whatever their priority: culprit KIND COUNT SIZE
 * does it COUNT times. KIND is
 *
 *	write     one write of SIZE KiB into a pipe, which a kernel that does not
 *	          preempt finishes first
 *	kmsg      a line of SIZE characters for the console, which the kernel writes
 *	          with interrupts off
 *	sysrq     sysrq-t, which writes many lines to the console
 *	receive   a datagram to SIZE sockets, which is one soft interrupt
 *	expire    SIZE timers that expire at one instant, in one interrupt
 *	filter    a filter of SIZE instructions for system calls, which the kernel
 *	          tries for each of them, and meanwhile holds the lock of the
 *	          signals, which a timer of the process needs to expire
 *	yield     two processes of priority 97 that give way to each other SIZE
 *	          times, which is more than anyone can record
 *
 * To be run on the CPU of what is to be delayed. Prints when each began and
 * ended, in ns of CLOCK_MONOTONIC. Pauses before each and after the last, for
 * the end of a process takes its time, too. The pauses end at eight phases of
 * the ms in turn.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define S_NS UINT64_C(1000000000)
#define PAUSE_NS 40000000
#define MS_NS UINT64_C(1000000)
#define PHASES 8
#define PORT 7007
/* Before the instant at which timers expire, for others may have the CPU for some ms; and after it. */
#define EARLY_NS 10000000
#define MARGIN_NS 1000000

struct stretch {
	uint64_t from_ns, to_ns;
};

struct kind {
	const char *name;
	void (*prepare)(int size);
	struct stretch (*act)(int size);
};

static int in, out, *fds;
static char *text;
static struct sock_fprog filter;
static uint64_t filter_ns;

static void need(bool ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	exit(1);
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * S_NS + now.tv_nsec;
}

/* A text for a file, all of it in memory. */
static void make_text(char c, int length)
{
	text = malloc(length);
	need(text != NULL, "malloc");
	memset(text, c, length);
}

static void open_out(const char *path)
{
	out = open(path, O_WRONLY);
	need(out >= 0, path);
}

static struct stretch write_text(int length)
{
	struct stretch s = { .from_ns = now_ns() };

	need(write(out, text, length) == length, "write");
	s.to_ns = now_ns();
	return s;
}

static void prepare_write(int size)
{
	int ends[2];

	make_text('x', size << 10);
	need(pipe(ends) == 0 && fcntl(ends[1], F_SETPIPE_SZ, size << 10) >= 0, "pipe");
	in = ends[0];
	out = ends[1];
}

static struct stretch act_write(int size)
{
	struct stretch s = write_text(size << 10);

	for (int left = size; left > 0; left -= 4)
		need(read(in, text, 4096) > 0, "read");
	return s;
}

static void prepare_kmsg(int size)
{
	make_text('x', size);
	memcpy(text, "<0>", 3);
	open_out("/dev/kmsg");
}

static void prepare_sysrq(int size)
{
	(void)size;
	make_text('t', 1);
	open_out("/proc/sysrq-trigger");
}

static struct stretch act_sysrq(int size)
{
	(void)size;
	return write_text(1);
}

static void allow_files(int count)
{
	const struct rlimit files = { count + 16, count + 16 };

	need(setrlimit(RLIMIT_NOFILE, &files) == 0, "setrlimit");
	fds = calloc(count, sizeof(*fds));
	need(fds != NULL, "calloc");
}

static int open_socket(int option)
{
	const int yes = 1, fd = socket(AF_INET, SOCK_DGRAM, 0);

	need(setsockopt(fd, SOL_SOCKET, option, &yes, sizeof(yes)) == 0, "socket");
	return fd;
}

static void prepare_receive(int size)
{
	const struct sockaddr_in here = { .sin_family = AF_INET, .sin_port = htons(PORT) };

	allow_files(size);
	for (int i = 0; i < size; i++) {
		fds[i] = open_socket(SO_REUSEADDR);
		need(bind(fds[i], (const struct sockaddr *)&here, sizeof(here)) == 0, "bind");
	}
	out = open_socket(SO_BROADCAST);
}

static struct stretch act_receive(int size)
{
	const struct sockaddr_in all = {
		.sin_family = AF_INET,
		.sin_port = htons(PORT),
		.sin_addr.s_addr = inet_addr("127.255.255.255"),
	};
	struct stretch s = { .from_ns = now_ns() };
	char byte = 0;

	need(sendto(out, &byte, 1, 0, (const struct sockaddr *)&all, sizeof(all)) == 1, "sendto");
	s.to_ns = now_ns();
	for (int i = 0; i < size; i++)
		need(recv(fds[i], &byte, 1, MSG_DONTWAIT) == 1, "recv");
	return s;
}

static void prepare_expire(int size)
{
	allow_files(size);
	for (int i = 0; i < size; i++) {
		fds[i] = timerfd_create(CLOCK_MONOTONIC, 0);
		need(fds[i] >= 0, "timerfd_create");
	}
}

/* The process goes on, and sees for how long it was interrupted. */
static struct stretch act_expire(int size)
{
	const uint64_t at_ns = now_ns() + S_NS;
	const struct itimerspec at = { .it_value = { at_ns / S_NS, at_ns % S_NS } };
	struct stretch longest = { 0 }, s = { 0 };

	for (int i = 0; i < size; i++)
		need(timerfd_settime(fds[i], TFD_TIMER_ABSTIME, &at, NULL) == 0, "timerfd_settime");
	while (now_ns() < at_ns - EARLY_NS)
		usleep(MARGIN_NS / 2000);
	for (s.to_ns = now_ns(); s.to_ns < at_ns + MARGIN_NS;) {
		s.from_ns = s.to_ns;
		s.to_ns = now_ns();
		if (s.to_ns - s.from_ns > longest.to_ns - longest.from_ns)
			longest = s;
	}
	return longest;
}

static uint64_t add_filter(void)
{
	const uint64_t from_ns = now_ns();

	need(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0, "seccomp");
	return now_ns() - from_ns;
}

/* It allows everything, but the kernel has to find that out. */
static void prepare_filter(int size)
{
	struct sock_filter *code = calloc(size, sizeof(*code));

	need(code != NULL && signal(SIGALRM, SIG_IGN) != SIG_ERR, "filter");
	for (int i = 0; i < size - 1; i++)
		code[i] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0);
	code[size - 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	filter = (struct sock_fprog){ .len = size, .filter = code };
	filter_ns = add_filter();
}

/* From when the timer expires, in the middle. */
static struct stretch act_filter(int size)
{
	const uint64_t half_ns = filter_ns / 2;
	const struct itimerval at = { .it_value.tv_usec = half_ns / 1000 };
	struct stretch s;

	(void)size;
	need(setitimer(ITIMER_REAL, &at, NULL) == 0, "setitimer");
	s.from_ns = now_ns() + half_ns;
	add_filter();
	s.to_ns = now_ns();
	return s;
}

static void prepare_yield(int size)
{
	const struct sched_param param = { .sched_priority = 97 };

	(void)size;
	need(sched_setscheduler(0, SCHED_FIFO, &param) == 0, "sched_setscheduler");
}

static struct stretch act_yield(int size)
{
	struct stretch s = { .from_ns = now_ns() };
	const pid_t pid = fork();

	need(pid >= 0, "fork");
	for (int i = 0; i < size; i++)
		sched_yield();
	if (pid == 0)
		_exit(0);
	s.to_ns = now_ns();
	waitpid(pid, NULL, 0);
	return s;
}

static void pause_until_phase(int number)
{
	const uint64_t end_ns = now_ns() + PAUSE_NS, at_ns = end_ns - end_ns % MS_NS + number % PHASES * (MS_NS / PHASES);
	const struct timespec at = { at_ns / S_NS, at_ns % S_NS };

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
}

static const struct kind kinds[] = {
	{ "write", prepare_write, act_write },
	{ "kmsg", prepare_kmsg, write_text },
	{ "sysrq", prepare_sysrq, act_sysrq },
	{ "receive", prepare_receive, act_receive },
	{ "expire", prepare_expire, act_expire },
	{ "filter", prepare_filter, act_filter },
	{ "yield", prepare_yield, act_yield },
	{ 0 },
};

int main(int argc, char **argv)
{
	const struct kind *kind = kinds;

	while (kind->name && argc == 4 && strcmp(kind->name, argv[1]))
		kind++;
	if (!kind->name || argc != 4) {
		fputs("culprit KIND COUNT SIZE\n", stderr);
		return 1;
	}
	kind->prepare(atoi(argv[3]));
	for (int i = 0; i < atoi(argv[2]); i++) {
		struct stretch s;

		pause_until_phase(i);
		s = kind->act(atoi(argv[3]));
		printf("%" PRIu64 " %" PRIu64 "\n", s.from_ns, s.to_ns);
	}
	pause_until_phase(0);
	return 0;
}
