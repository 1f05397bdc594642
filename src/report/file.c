// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "host/libc.h"
#include "host/sysfile.h"
#include "report/file.h"

#define TRIES 100			/* temporary names, until one is free */
#define READER_PATIENCE_S 60
#define LOOKS_A_SECOND 10

/* Returns -1 after a warning of errno. */
static int refuse(const struct report_file *file)
{
	if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG)
		warn("write %s: %m; make room for %d MB, or name another file with --output",
		     file->place.path, (int)((file->room - 1) >> 20) + 1);
	else
		warn("write %s: %m; name another file, in a folder that exists and is yours, with --output",
		     file->place.path);
	return -1;
}

/* Keeps errno. */
static void forget_temporary(struct report_file *file)
{
	int cause = errno;

	if (*file->temporary)
		unlinkat(file->place.folder, file->temporary, 0);
	*file->temporary = '\0';
	errno = cause;
}

/*
 * Create a file under a temporary name. That is recorded before the file has it, so
 * that a process that takes over after a kill in between removes the file. Returns
 * the descriptor, or -1 with errno.
 */
static int create_temporary(struct report_file *file)
{
	int fd = -1;

	errno = EEXIST;
	for (int tries = 0; tries < TRIES && fd < 0 && errno == EEXIST; tries++) {
		uint64_t random;

		if (getrandom(&random, sizeof(random), GRND_NONBLOCK) < 0)
			random = tries;
		snprintf(file->temporary, sizeof(file->temporary), "%.200s.%016" PRIx64 ".tmp",
			 report_path_base(&file->place), random);
		fd = openat(file->place.folder, file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	}
	if (fd < 0)
		*file->temporary = '\0';
	return fd;
}

/* Returns 0, also where the file system cannot reserve any; or -1 with errno. */
static int take_room(int fd, off_t room)
{
	return fallocate(fd, 0, 0, room) == 0 || errno == EOPNOTSUPP || errno == ENOSYS ? 0 : -1;
}

/*
 * The only sure test that a file can be created is to create one. Its name goes at
 * once, so a kill leaves nothing; open it keeps the room.
 */
static int create_reserve(struct report_file *file)
{
	errno = -file->place.folder;
	file->reserve = file->place.folder < 0 ? -1 : create_temporary(file);
	if (file->reserve < 0)
		return -1;
	forget_temporary(file);
	return take_room(file->reserve, file->room);
}

int report_file_reserve(struct report_file *file, int folder, const char *name, const char *usual, bool force,
			off_t room)
{
	sigset_t all, former;
	int result;

	signal(SIGXFSZ, SIG_IGN);	/* to exceed the limit on the size of files is then an error */
	file->reserve = -1;
	file->room = room;
	if (report_path_choose(&file->place, folder, name, usual, force) < 0)
		return -1;
	if (file->place.stream >= 0)
		return 0;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &former);	/* no signal may end us while the file has a name */
	result = create_reserve(file);
	sigprocmask(SIG_SETMASK, &former, NULL);
	return result < 0 ? refuse(file) : 0;
}

int report_file_extend(struct report_file *file, off_t room)
{
	file->room = room;
	return file->reserve < 0 || take_room(file->reserve, room) == 0 ? 0 : refuse(file);
}

static bool is_there(const struct report_path *place, struct file_identity identity)
{
	struct stat found;

	return fstatat(place->folder, report_path_base(place), &found, AT_SYMLINK_NOFOLLOW) == 0 &&
	       found.st_dev == identity.device && found.st_ino == identity.inode;
}

/* The killed process may have written a part of a file, or given it its name without having recorded that. */
void report_file_inherit(struct report_file *file)
{
	if (is_there(&file->place, file->next))
		file->ours = file->next;
	forget_temporary(file);
}

/* The file gets the name, but takes it from no other. Where the file system has no such rename, a link does that. */
static int rename_to_free(const struct report_file *file, const char *name)
{
	int folder = file->place.folder;
	struct stat found;

	if (renameat2(folder, file->temporary, folder, name, RENAME_NOREPLACE) == 0)
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

/* The name must survive a loss of power, too, if the file system can promise that. */
static void sync_folder(int folder)
{
	int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	fsync(fd);
	close(fd);
}

/* Replaces only our own report, or a file that --force allows; any other file of that name is left alone. */
static int publish(struct report_file *file)
{
	struct report_path *place = &file->place;
	bool moved = false, overwrite = is_there(place, file->ours) || report_path_may_replace(place);
	int folder = place->folder;

	while ((overwrite ? renameat(folder, file->temporary, folder, report_path_base(place)) :
			    rename_to_free(file, report_path_base(place))) < 0) {
		if (errno != EEXIST && errno != EISDIR)
			return -1;
		report_path_take_next(place);
		overwrite = false;
		moved = true;
	}
	*file->temporary = '\0';
	file->ours = file->next;
	sync_folder(folder);
	if (moved && place->named)
		warn("%s appeared during the run; the report is in %s instead", place->first, place->path);
	return 0;
}

/* What is written to: the reader of a pipe may be slow. */
struct stream {
	int fd;
	const struct signals *signals;
	int error;			/* errno of the first failure; nothing is written after it; 0: none */
};

/* To a pipe that is writable, a write of PIPE_BUF bytes does not block: pipe(7). A signal ends the wait. */
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

/* Returns 0, or -1 with errno. */
static int write_report(const struct report_file *file, int fd, report_printer *print, const void *what)
{
	struct stream stream = { fd, file->signals, 0 };
	FILE *out = fopencookie(&stream, "w", (cookie_io_functions_t){ .write = put });

	if (out)
		print(out, what);
	if ((!out || fclose(out) != 0) && !stream.error)
		stream.error = errno;
	errno = stream.error;
	return stream.error ? -1 : 0;
}

/* Release the room beyond the report, and sync the report to the disk before it gets its name. */
static int finish(struct report_file *file, int fd)
{
	struct stat found;

	if (ftruncate(fd, lseek(fd, 0, SEEK_CUR)) < 0 || fsync(fd) < 0 || fstat(fd, &found) < 0)
		return -1;
	file->next = (struct file_identity){ found.st_dev, found.st_ino };
	return 0;
}

/* The report takes the room of the reserve. Where there is none, the disk may be full only when it is written. */
static int save_file(struct report_file *file, report_printer *print, const void *what)
{
	int fd = create_temporary(file), result = -1;

	if (fd < 0)
		return -1;
	if (file->reserve >= 0 && ftruncate(file->reserve, 0) == 0)
		take_room(fd, file->room);
	if (write_report(file, fd, print, what) == 0 && finish(file, fd) == 0)
		result = publish(file);
	forget_temporary(file);
	close(fd);
	return result;
}

int report_file_checkpoint(struct report_file *file, report_printer *print, const void *what)
{
	if (file->place.stream >= 0)
		return 0;
	if (save_file(file, print, what) < 0)
		return -1;
	if (file->reserve >= 0)
		take_room(file->reserve, file->room);	/* without room, the next save may fail, with a message */
	return 0;
}

/* Without O_NONBLOCK, open() would wait for the pipe's reader, and no signal could end the wait: all are blocked. */
static int open_held(const struct report_file *file)
{
	const int flags = O_WRONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK;
	struct pollfd event = { .fd = file->signals->fd, .events = POLLIN };
	int fd = open(sysfile_held(file->place.stream), flags);

	if (fd < 0 && errno == ENXIO)
		warn("warning: nobody reads %s yet; start a reader within %d s, or interrupt to get the report on "
		     "standard output", file->place.path, READER_PATIENCE_S);
	for (int i = 0; fd < 0 && errno == ENXIO && i < READER_PATIENCE_S * LOOKS_A_SECOND; i++) {
		bool ended = poll(&event, 1, 1000 / LOOKS_A_SECOND) == 1 && signals_read(file->signals).end;

		errno = EINTR;
		fd = ended ? -1 : open(sysfile_held(file->place.stream), flags);
	}
	return fd;
}

/* Returns 0, or -1 with errno. On some file systems only close() shows whether all was written. */
static int save_stream(struct report_file *file, int to, report_printer *print, const void *what)
{
	int fd = to == STDOUT_FILENO ? fcntl(to, F_DUPFD_CLOEXEC, 0) : open_held(file);
	int result = fd < 0 ? -1 : write_report(file, fd, print, what);

	file->streamed = result == 0;
	return fd >= 0 && close(fd) < 0 ? -1 : result;
}

/* Returns 0, or -1 with errno. */
static int save_in_place(struct report_file *file, report_printer *print, const void *what)
{
	struct report_path *place = &file->place;

	if (place->stream >= 0)
		return save_stream(file, place->stream, print, what);
	if (save_file(file, print, what) < 0)
		return -1;
	if (report_path_follow(place))
		warn("the folder of %s was moved during the run; the report is in %s", place->first, place->path);
	return 0;
}

/* errno in words that suit a pipe or a device, too. */
static const char *reason(void)
{
	return errno == EINTR ? "interrupted" : errno == ENXIO ? "nobody reads it" : strerror(errno);
}

int report_file_save(struct report_file *file, report_printer *print, const void *what)
{
	const struct report_path *place = &file->place;

	if (file->streamed || save_in_place(file, print, what) == 0)	/* streamed: by a keeper that was killed */
		return place->moved || (place->named && strcmp(place->path, place->first)) ? -1 : 0;
	if (place->stream != STDOUT_FILENO) {
		warn("write %s: %s; the report follows on standard output", place->path, reason());
		if (save_stream(file, STDOUT_FILENO, print, what) == 0)
			return -1;
	}
	warn("write standard output: %s; the report is lost", reason());
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

const char *report_file_name(const struct report_file *file)
{
	return file->place.stream == STDOUT_FILENO ? "standard output" : file->place.path;
}
