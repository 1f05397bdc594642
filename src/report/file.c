// SPDX-License-Identifier: GPL-2.0-or-later
/* Save the reports: in a file that gets its name when it is whole, or to a pipe whose reader may be slow. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/fs.h>
#include <poll.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/diag.h"
#include "host/sysfile.h"
#include "report/report.h"

#define TRIES 100			/* temporary names to try for a free one */
#define READER_PATIENCE_S 60
#define LOOKS_A_SECOND 10

/* Returns -1 after a warning of errno. */
static int refuse(const struct report_file *file)
{
	if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG)
		warn("write %s: %m; make room for %d MB, or name another file with --output",
		     file->path, (int)((file->room - 1) >> 20) + 1);
	else
		warn("write %s: %m; name another file, in a folder that exists and is yours, with --output",
		     file->path);
	return -1;
}

/* Keeps errno. */
static void forget_temporary(struct report_file *file)
{
	int cause = errno;

	if (*file->temporary)
		unlinkat(file->folder, file->temporary, 0);
	*file->temporary = '\0';
	errno = cause;
}

/*
 * Create a file under a temporary name. The name is recorded before the file has it, so that a process that takes over
 * after a kill in between removes the file. Returns the descriptor, or -1 with errno.
 */
static int create_temporary(struct report_file *file)
{
	int fd, tries = TRIES;

	do {
		uint64_t random;

		if (getrandom(&random, sizeof(random), GRND_NONBLOCK) < 0)
			random = tries;
		snprintf(file->temporary, sizeof(file->temporary), "%.200s.%016" PRIx64 ".tmp", file->base, random);
		fd = openat(file->folder, file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	} while (fd < 0 && errno == EEXIST && --tries);
	if (fd < 0)
		*file->temporary = '\0';
	return fd;
}

/* Returns 0, even if the file system cannot reserve any; or -1 with errno. */
static int take_room(int fd, off_t room)
{
	return fallocate(fd, 0, 0, room) == 0 || errno == EOPNOTSUPP || errno == ENOSYS ? 0 : -1;
}

/*
 * The only sure test that a file can be created is to create one. Its name is removed at
 * once, so a kill leaves nothing behind; while open, the file keeps the space.
 */
int report_file_reserve(struct report_file *file, int folder, const char *name, const char *usual, bool force,
			off_t room)
{
	sigset_t all, former;

	signal(SIGXFSZ, SIG_IGN);	/* exceeding the limit on the size of files is then an error */
	if (report_path_choose(file, folder, name, usual, force) < 0)
		return -1;
	file->room = room;
	if (file->stream >= 0)
		return 0;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &former);	/* no signal may end us while the file has a name */
	errno = -folder;
	file->reserve = folder < 0 ? -1 : create_temporary(file);
	forget_temporary(file);
	sigprocmask(SIG_SETMASK, &former, NULL);
	return file->reserve < 0 ? refuse(file) : report_file_extend(file, room);
}

int report_file_extend(struct report_file *file, off_t room)
{
	file->room = room;
	return file->reserve < 0 || take_room(file->reserve, room) == 0 ? 0 : refuse(file);
}

/* May the file of that name be replaced, because it is this one or --force allows it? */
static bool may_replace(const struct report_file *file, const struct stat *this)
{
	struct stat found;

	return fstatat(file->folder, file->base, &found, AT_SYMLINK_NOFOLLOW) == 0 &&
	       (report_path_is_same(&found, this) || (file->force && S_ISREG(found.st_mode)));
}

/* The killed process may have written a part of a file, or given it its name without having recorded that. */
void report_file_inherit(struct report_file *file)
{
	if (may_replace(file, &file->next))
		file->ours = file->next;
	forget_temporary(file);
}

/* The file gets the name, but never replaces another. Where the file system has no such rename, a link does that. */
static int rename_to_free(const struct report_file *file)
{
	const char *name = file->base;
	int folder = file->folder;
	struct stat found;

	if (syscall(SYS_renameat2, folder, file->temporary, folder, name, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -1;
	if (linkat(folder, file->temporary, folder, name, 0) == 0)
		return unlinkat(folder, file->temporary, 0);
	if (errno != EEXIST && fstatat(folder, name, &found, AT_SYMLINK_NOFOLLOW) < 0)
		return renameat(folder, file->temporary, folder, name);
	errno = EEXIST;
	return -1;
}

/*
 * Replaces only our own report, or a file that --force allows; any other file of that name is left alone. The name must
 * survive a loss of power, too, if the file system can promise that.
 */
static int publish(struct report_file *file)
{
	bool moved = false;
	int folder = file->folder, fd;

	while ((!moved && may_replace(file, &file->ours) ? renameat(folder, file->temporary, folder, file->base) :
		rename_to_free(file)) < 0) {
		if (errno != EEXIST && errno != EISDIR)
			return -1;
		report_path_take_next(file);
		moved = true;
	}
	*file->temporary = '\0';
	file->ours = file->next;
	fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	fsync(fd);
	close(fd);
	if (moved && file->named)
		warn("%s appeared during the run; the report is in %s instead", file->first, file->path);
	return 0;
}

/* What is written to: the reader of a pipe may be slow. */
struct stream {
	const struct signals *signals;
	int fd, error;			/* error: errno of the first failure; nothing is written after it; 0: none */
};

/*
 * To a pipe that is writable, a write of PIPE_BUF bytes does not block: pipe(7). A signal ends
 * the wait. fopencookie(3) takes a result of less than size for an error.
 */
static ssize_t put(void *cookie, const char *bytes, size_t size)
{
	struct stream *stream = cookie;
	size_t done = 0;

	while (done < size && !stream->error) {
		struct pollfd events[] = { { stream->fd, POLLOUT, 0 }, { stream->signals->fd, POLLIN, 0 } };
		size_t piece = size - done < PIPE_BUF ? size - done : PIPE_BUF;
		ssize_t written;

		poll(events, 2, -1);
		if (!events[0].revents)
			stream->error = signals_read(stream->signals).end ? EINTR : 0;
		else if ((written = write(stream->fd, bytes + done, piece)) >= 0)
			done += written;
		else if (errno != EAGAIN)
			stream->error = errno;
	}
	errno = stream->error;
	return done;
}

/* Returns 0, or -1 with errno. */
static int write_report(const struct report_file *file, int fd, const struct report *reports)
{
	struct stream stream = { file->signals, fd, 0 };
	FILE *out = fopencookie(&stream, "w", (cookie_io_functions_t){ .write = put });

	if (out)
		report_print(out, reports);
	if ((!out || fclose(out) != 0) && !stream.error)
		stream.error = errno;
	errno = stream.error;
	return stream.error ? -1 : 0;
}

/*
 * The report takes the room of the reserve, and releases what it does not need. It is on the disk before it gets its
 * name. Where nothing was reserved, a full disk may show only on writing.
 */
static int save_file(struct report_file *file, const struct report *reports)
{
	int fd = create_temporary(file), result = -1;

	if (fd < 0)
		return -1;
	if (file->reserve >= 0 && ftruncate(file->reserve, 0) == 0)
		take_room(fd, file->room);
	if (write_report(file, fd, reports) == 0 && ftruncate(fd, lseek(fd, 0, SEEK_CUR)) == 0 &&
	    fsync(fd) == 0 && fstat(fd, &file->next) == 0)
		result = publish(file);
	forget_temporary(file);
	close(fd);
	return result;
}

int report_file_checkpoint(struct report_file *file, const struct report *reports)
{
	int result = file->stream >= 0 ? 0 : save_file(file, reports);

	if (result == 0 && file->reserve >= 0)
		take_room(file->reserve, file->room);	/* without room, the next save may fail, with a message */
	return result;
}

/* Without O_NONBLOCK, open() would wait for the pipe's reader, and no signal could end the wait: all are blocked. */
static int open_held(const struct report_file *file)
{
	struct pollfd event = { .fd = file->signals->fd, .events = POLLIN };

	for (int i = 0; ; i++) {
		int fd = open(sysfile_path("/proc/self/fd/%d", file->stream),
			      O_WRONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);

		if (fd >= 0 || errno != ENXIO || i == READER_PATIENCE_S * LOOKS_A_SECOND)
			return fd;
		if (i == 0)
			warn("warning: nothing is reading %s yet; start a reader within %d s, or interrupt to get the "
			     "report on standard output", file->path, READER_PATIENCE_S);
		if (poll(&event, 1, 1000 / LOOKS_A_SECOND) == 1 && signals_read(file->signals).end) {
			errno = EINTR;
			return -1;
		}
	}
}

/* Returns 0, or -1 with errno. On some file systems only close() shows whether all was written. */
static int save_stream(struct report_file *file, int to, const struct report *reports)
{
	int fd = to == STDOUT_FILENO ? fcntl(to, F_DUPFD_CLOEXEC, 0) : open_held(file);
	int result = fd < 0 ? -1 : write_report(file, fd, reports);

	file->streamed = result == 0;
	return fd >= 0 && close(fd) < 0 ? -1 : result;
}

/* errno in words that suit a pipe or a device, too. */
static const char *reason(void)
{
	return errno == EINTR ? "interrupted" : errno == ENXIO ? "nothing is reading it" : strerror(errno);
}

int report_file_save(struct report_file *file, const struct report *reports)
{
	if (file->streamed)		/* by a keeper that was killed */
		return 0;
	if (file->stream >= 0 && save_stream(file, file->stream, reports) == 0)
		return 0;
	if (file->stream < 0 && save_file(file, reports) == 0) {
		if (!report_path_follow(file))
			return file->named && strcmp(file->path, file->first) ? -1 : 0;
		warn("the folder containing %s was moved during the run; the report is in %s", file->first, file->path);
		return -1;
	}
	if (file->stream != STDOUT_FILENO) {
		warn("write %s: %s; the report follows on standard output", file->path, reason());
		if (save_stream(file, STDOUT_FILENO, reports) == 0)
			return -1;
	}
	warn("write to standard output: %s; the report is lost", reason());
	return -1;
}

void report_file_guard_descriptors(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDONLY);
	while (fd >= 0 && fd <= STDERR_FILENO);
	close(fd);
}
