// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "host/sysfile.h"
#include "report/stream.h"

#define READER_PATIENCE_S 60
#define LOOKS_A_SECOND 10

struct stream {
	int fd;
	const struct signals *signals;
	int error;			/* errno of the first failure; nothing is written after it; 0: none */
};

/* Waits up to ms for a signal that ends the run. */
static bool is_to_end(const struct signals *signals, int ms)
{
	struct pollfd event = { .fd = signals->fd, .events = POLLIN };

	return poll(&event, 1, ms) == 1 && signals_read(signals).end;
}

/* To a pipe that is writable, a write of PIPE_BUF bytes does not block: pipe(7). */
static bool await_room(const struct stream *stream)
{
	struct pollfd events[] = {
		{ .fd = stream->fd, .events = POLLOUT },
		{ .fd = stream->signals->fd, .events = POLLIN },
	};

	do {
		poll(events, 2, -1);
	} while (!events[0].revents && !signals_read(stream->signals).end);
	if (!events[0].revents)
		errno = EINTR;
	return events[0].revents;
}

/* fopencookie(3) takes a result of less than size for an error. */
static ssize_t put(void *cookie, const char *bytes, size_t size)
{
	struct stream *stream = cookie;
	size_t done = 0;

	while (done < size && !stream->error) {
		size_t piece = size - done < PIPE_BUF ? size - done : PIPE_BUF;
		ssize_t written = await_room(stream) ? write(stream->fd, bytes + done, piece) : -1;

		if (written >= 0)
			done += written;
		else if (errno != EAGAIN)
			stream->error = errno;
	}
	errno = stream->error;
	return done;
}

static int end(void *cookie)
{
	struct stream *stream = cookie;
	int result = close(stream->fd);

	free(stream);
	return result;
}

/* Without O_NONBLOCK, open() would wait for the pipe's reader, and no signal could end the wait: all are blocked. */
static int open_held(int held, const char *name, const struct signals *signals)
{
	const int flags = O_WRONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK;
	int fd = open(sysfile_held(held), flags);

	if (fd >= 0 || errno != ENXIO)
		return fd;
	warn("warning: nobody reads %s yet; start a reader within %d s, or interrupt to get the report on standard "
	     "output", name, READER_PATIENCE_S);
	for (int i = 0; fd < 0 && errno == ENXIO && i < READER_PATIENCE_S * LOOKS_A_SECOND; i++) {
		if (is_to_end(signals, 1000 / LOOKS_A_SECOND)) {
			errno = EINTR;
			return -1;
		}
		fd = open(sysfile_held(held), flags);
	}
	return fd;
}

FILE *report_stream_open(int held, const char *name, const struct signals *signals)
{
	const cookie_io_functions_t functions = { .write = put, .close = end };
	int fd = held == STDOUT_FILENO ? fcntl(held, F_DUPFD_CLOEXEC, 0) : open_held(held, name, signals);
	struct stream *stream = fd < 0 ? NULL : malloc(sizeof(*stream));

	if (!stream)
		return NULL;
	*stream = (struct stream){ fd, signals, 0 };
	return fopencookie(stream, "w", functions);
}

const char *report_stream_reason(void)
{
	switch (errno) {
	case EINTR: return "interrupted";
	case ENXIO: return "nobody reads it";
	default: return strerror(errno);
	}
}
