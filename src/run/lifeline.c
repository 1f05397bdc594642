// SPDX-License-Identifier: GPL-2.0-or-later
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "run/lifeline.h"

/* Room for the one descriptor that may accompany the byte: cmsg(3). */
union control {
	struct cmsghdr header;
	char room[CMSG_SPACE(sizeof(int))];
};

int lifeline_open(struct lifeline *lifeline)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return -1;
	*lifeline = (struct lifeline){ ends[0], ends[1] };
	return 0;
}

static void attach(struct msghdr *message, union control *control, int descriptor)
{
	message->msg_control = control;
	message->msg_controllen = sizeof(*control);
	control->header.cmsg_level = SOL_SOCKET;
	control->header.cmsg_type = SCM_RIGHTS;
	control->header.cmsg_len = CMSG_LEN(sizeof(descriptor));
	memcpy(CMSG_DATA(&control->header), &descriptor, sizeof(descriptor));
}

bool lifeline_tell(int tells, int descriptor)
{
	union control control = { .room = "" };
	struct iovec byte = { "", 1 };
	struct msghdr message = { .msg_iov = &byte, .msg_iovlen = 1 };

	if (descriptor >= 0)
		attach(&message, &control, descriptor);
	return sendmsg(tells, &message, MSG_NOSIGNAL) == 1;
}

bool lifeline_is_heard(int tells)
{
	struct pollfd line = { .fd = tells };

	return poll(&line, 1, 0) == 0;
}

bool lifeline_hear(int hears, int *descriptor)
{
	union control control;
	char said;
	struct iovec byte = { &said, 1 };
	struct msghdr message = {
		.msg_iov = &byte, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof(control),
	};
	const struct cmsghdr *header;

	if (recvmsg(hears, &message, MSG_CMSG_CLOEXEC) != 1)
		return false;
	*descriptor = (message.msg_flags & MSG_CTRUNC) ? LIFELINE_NO_ROOM : -1;
	header = CMSG_FIRSTHDR(&message);
	if (header && header->cmsg_type == SCM_RIGHTS && header->cmsg_len == CMSG_LEN(sizeof(*descriptor)))
		memcpy(descriptor, CMSG_DATA(header), sizeof(*descriptor));
	return true;
}
