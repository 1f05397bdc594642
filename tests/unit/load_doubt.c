// SPDX-License-Identifier: GPL-2.0-or-later
/* How a load has ended, and whether the run is to be doubted for it. */
#include <signal.h>
#include <string.h>

#include "load/load.h"
#include "tap.h"

#define MS UINT64_C(1000000)
#define EXIT(status) ((status) << 8)	/* as waitpid() has it */

static char *command[] = { "stress", NULL };

struct example {
	const char *name;
	struct load load;
	uint64_t from_ns;
	bool limited;
	const char *exit, *doubt;
};

static const struct example examples[] = {
	{ "none", { .over = true }, 1000 * MS, true, "unknown", "" },
	{ "running", { .command = command }, 1000 * MS, true, "unknown", "" },
	{ "it stays", { .command = command, .over = true }, 1000 * MS, true, "unknown",
	  "the load has not ended with the run" },
	{ "its children stay",
	  { .command = command, .over = true, .end = LOAD_WITH_RUN, .status = SIGTERM },
	  1000 * MS, true, "signal 15", "a process of the load has not ended with the run" },
	{ "its children cannot be killed",
	  { .command = command, .over = true, .end = LOAD_WITH_RUN, .status = SIGTERM,
	    .left = "dd (process 7) and 2 others" },
	  1000 * MS, true, "signal 15",
	  "a process of the load has not ended with the run: dd (process 7) and 2 others" },
	{ "ended with the run",
	  { .command = command, .over = true, .gone = true, .end = LOAD_WITH_RUN, .status = SIGKILL },
	  1000 * MS, true, "signal 9", "" },
	{ "too early",
	  { .command = command, .end = LOAD_ITSELF, .ended_ns = 1500 * MS },
	  1000 * MS, true, "exit status 0", "the load ended after 0.500 s of 2.000 s: exit status 0" },
	{ "as it liked",
	  { .command = command, .end = LOAD_ITSELF, .ended_ns = 1500 * MS },
	  1000 * MS, false, "exit status 0", "" },
	{ "just after the run",
	  { .command = command, .end = LOAD_ITSELF, .ended_ns = 3001 * MS },
	  1000 * MS, true, "exit status 0", "" },
	{ "failed",
	  { .command = command, .end = LOAD_ITSELF, .status = EXIT(3), .ended_ns = 1500 * MS },
	  1000 * MS, false, "exit status 3", "the load failed after 0.500 s of 2.000 s: exit status 3" },
	{ "before the first wake-up",
	  { .command = command, .end = LOAD_ITSELF, .ended_ns = 999 * MS },
	  1000 * MS, true, "exit status 0", "the load ended before the first wake-up: exit status 0" },
	{ "without a wake-up",
	  { .command = command, .end = LOAD_ITSELF, .status = SIGSEGV, .ended_ns = 999 * MS },
	  0, false, "signal 11", "the load failed before the first wake-up: signal 11" },
	{ "killed with the standby",
	  { .command = command, .end = LOAD_WITH_STANDBY, .ended_ns = 1500 * MS },
	  1000 * MS, true, "unknown", "the load was ended after 0.500 s of 2.000 s: the standby was killed" },
	{ "killed with the standby, after the run",
	  { .command = command, .end = LOAD_WITH_STANDBY, .ended_ns = 3500 * MS },
	  1000 * MS, true, "unknown", "the load was ended after the last wake-up: the standby was killed" },
};

int main(void)
{
	char text[256];

	for (size_t i = 0; i < sizeof(examples) / sizeof(*examples); i++) {
		const struct example *e = &examples[i];

		load_tell_exit(&e->load, text, sizeof(text));
		ok(!strcmp(text, e->exit), "%s: how it ended: %s", e->name, text);
		load_doubt(&e->load, e->from_ns, 3000 * MS, e->limited, text, sizeof(text));
		ok(!strcmp(text, e->doubt), "%s: the doubt it raises: \"%s\"", e->name, text);
	}
	return done();
}
