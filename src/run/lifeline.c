// SPDX-License-Identifier: GPL-2.0-or-later
/* The line by which one process watches another. */
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "run/worker.h"

/* Room for the one descriptor that may accompany the byte: cmsg(3). */
union control {
	struct cmsghdr header;
	char room[CMSG_SPACE(sizeof(int))];
};

int lifeline_open(int ends[2])
{
	return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends);
}

bool lifeline_send(int end, int descriptor)
{
	union control control = { .room = "" };
	struct iovec byte = { "", 1 };
	struct msghdr message = { .msg_iov = &byte, .msg_iovlen = 1 };

	if (descriptor >= 0) {
		message.msg_control = &control;
		message.msg_controllen = sizeof(control);
		control.header.cmsg_level = SOL_SOCKET;
		control.header.cmsg_type = SCM_RIGHTS;
		control.header.cmsg_len = CMSG_LEN(sizeof(descriptor));
		memcpy(CMSG_DATA(&control.header), &descriptor, sizeof(descriptor));
	}
	return sendmsg(end, &message, MSG_NOSIGNAL) == 1;
}

bool lifeline_is_open(int end)
{
	struct pollfd line = { .fd = end };

	return poll(&line, 1, 0) == 0;
}

bool lifeline_receive(int end, int *descriptor)
{
	union control control;
	char said;
	struct iovec byte = { &said, 1 };
	struct msghdr message = {
		.msg_iov = &byte, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof(control),
	};
	const struct cmsghdr *header;

	if (recvmsg(end, &message, MSG_CMSG_CLOEXEC) != 1)
		return false;
	if (!descriptor)
		return true;
	*descriptor = (message.msg_flags & MSG_CTRUNC) ? LIFELINE_NO_ROOM : -1;
	header = CMSG_FIRSTHDR(&message);
	if (header && header->cmsg_type == SCM_RIGHTS && header->cmsg_len == CMSG_LEN(sizeof(*descriptor)))
		memcpy(descriptor, CMSG_DATA(header), sizeof(*descriptor));
	return true;
}
