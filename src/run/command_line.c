// SPDX-License-Identifier: GPL-2.0-or-later
/* The options, and what each takes. */
#include <argp.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "host/process.h"
#include "load/load.h"
#include "run/command_line.h"
#include "source/registry.h"

#define NO_MLOCK "not a time; leave out -m of cyclictest, as memory is always locked"	/* -m -p95, -mp95 */
#define SEVERAL_RINGS "a list, but a run measures one ring; run once for each"
#define MAX_ARRAY (UINT64_C(16384) * 1024)
#define MAX_LATENCY_NS (2147 * UINT64_C(1000000000))	/* an int32_t of us in the kernel, which rejects the largest */

#define HELP (ARGP_HELP_STD_HELP & ~(ARGP_HELP_EXIT_OK | ARGP_HELP_EXIT_ERR))

enum {
	KEY_DMA_LATENCY = 256,
	KEY_BEST_EFFORT,
	KEY_ALIGNED,
	KEY_WAKER,
	KEY_THREADS,
	KEY_PROCESSES,
	KEY_ARRAY,
	KEY_LABEL,
	KEY_EXPLAIN,
	KEY_CHECK,
	KEY_LOAD,
	KEY_USAGE,
};

static const struct argp_option table[] = {
	/* Options of cyclictest, refused with what to do instead. */
	{ NULL, 'l', "N", OPTION_HIDDEN, "use -n N", 0 },
	{ NULL, 'i', "US", OPTION_HIDDEN, "use -f HZ: -i 500 is -f 2000", 0 },
	{ NULL, 't', "N", OPTION_HIDDEN | OPTION_ARG_OPTIONAL, "use -a LIST: -t 4 is -a 0-3", 0 },
	{ NULL, 'S', NULL, OPTION_HIDDEN, "use -a all", 0 },
	{ NULL, 'H', "US", OPTION_HIDDEN, "not needed: the report has a histogram", 0 },

	{ NULL, 0, NULL, 0, "What to measure:", 1 },
	{ "source", 's', "NAME", 0, "what wakes the process: " SOURCE_NAMES " (auto)", 0 },
	{ "device", 'D', "FILE", 0, "the RTC (/dev/rtc, else /dev/rtc0)", 0 },
	{ "clock", 'c', "NAME", 0, "clock to read: auto, tsc, monotonic (auto)", 0 },
	{ "frequency", 'f', "HZ", 0, "periods per second (2048)", 0 },
	{ "cpu", 'a', "LIST", 0, "measure on each of these CPUs: 3, 0-3,6, all", 0 },
	{ "aligned", KEY_ALIGNED, NULL, 0, "wake all CPUs at the same instant", 0 },
	{ "waker", KEY_WAKER, "CPU", 0, "CPU of the waker of --source=thread (the measured CPU)", 0 },
	{ "threads", KEY_THREADS, "LIST", 0,
	  "threads of the program of --source=task, by number or name: 4711,loop; all (all of a process)", 0 },
	{ "processes", KEY_PROCESSES, "N", 0, "processes in a ring, 2 to 256 (2)", 0 },
	{ "array", KEY_ARRAY, "SIZE", 0, "size of the array that each process of a ring sums: 16k (0)", 0 },
	{ "explain", KEY_EXPLAIN, "WHAT", OPTION_ARG_OPTIONAL,
	  "record why wake-ups are late: parts (of each delay), blame (also what had the CPU before the worst; the "
	  "default), stacks (also where in the kernel it was)", 0 },
	{ "load", KEY_LOAD, "NAME|FILE", 0,
	  "load the machine with stress-ng during the run: kernel, rr, list (the loads); or a stress-ng job FILE", 0 },

	{ NULL, 0, NULL, 0, "How long, and whether it passes:", 2 },
	{ "samples", 'n', "N", 0, "stop after N samples (default: run until interrupted)", 0 },
	{ "duration", 'd', "TIME", 0, "stop after TIME", 0 },
	{ "max", 'm', "TIME[@PCT]", 0,
	  "exit with status 2 if any wake-up is later than TIME; 100us@99.999: 1 in 100,000 may be later", 0 },
	{ "break", 'b', "TIME", 0,
	  "end at the first wake-up later than TIME, and stop the kernel's tracer", 0 },

	{ NULL, 0, NULL, 0, "The report:", 3 },
	{ "output", 'o', "FILE", 0,
	  "the report (default: named after the kernel release); - is standard output", 0 },
	{ "force", 'F', NULL, 0, "overwrite FILE", 0 },
	{ "label", KEY_LABEL, "TEXT", 0, "name the run, in the report", 0 },
	{ "checkpoint", 'C', "TIME", 0, "save the report so far every TIME (60s); 0: at the end only", 0 },
	{ "quiet", 'q', NULL, 0, "print errors only", 0 },

	{ NULL, 0, NULL, 0, "Safety and rights:", 4 },
	{ "check", KEY_CHECK, "WHAT", OPTION_ARG_OPTIONAL,
	  "list what would spoil the run, and exit without measuring: rt (status 4 if not PREEMPT_RT)", 0 },
	{ "priority", 'p', "N", 0, "real-time priority (95)", 0 },
	{ "policy", 'P', "NAME", 0, "scheduling policy: fifo, rr, other (fifo; ring, task: other)", 0 },
	{ "best-effort", KEY_BEST_EFFORT, NULL, 0,
	  "go on without real-time rights, and say so in the verdict", 0 },
	{ "dma-latency", KEY_DMA_LATENCY, "TIME", 0,
	  "hold /dev/cpu_dma_latency at TIME (0us); off: leave the idle states alone", 0 },

	{ "help", 'h', NULL, 0, "print this and exit", -1 },
	{ "usage", KEY_USAGE, NULL, 0, "print a short list of the options and exit", -1 },
	{ "version", 'V', NULL, 0, "print the version and exit", -1 },
	{ 0 }
};

/* reason: what is wrong with the text, and what to give instead; NULL if nothing is wrong. */
static void refuse(const char *option, const char *text, const char *reason)
{
	if (reason)
		die(EXIT_NOT_MEASURED, "--%s=%s: %s", option, text, reason);
}

static uint64_t count_of(const char *option, const char *text, uint64_t least, uint64_t most)
{
	uint64_t value;

	refuse(option, text, units_count(text, least, most, &value));
	return value;
}

/* zero: why the time must not be 0; NULL if it may be, even without a unit. */
static uint64_t time_of(const char *option, const char *text, const char *zero)
{
	uint64_t ns = 0;

	if (zero || strcmp(text, "0"))
		refuse(option, text, units_time(text, &ns));
	refuse(option, text, ns ? NULL : zero);
	return ns;
}

/* Returns us, or -1 for off. */
static int32_t dma_latency_of(const char *text)
{
	uint64_t ns;

	if (!strcmp(text, "off"))
		return -1;
	ns = time_of("dma-latency", text, NULL);
	refuse("dma-latency", text, ns > MAX_LATENCY_NS ? "too long; give at most 2147s" : NULL);
	return ns / 1000;
}

/* The arrays hold 32-bit numbers. */
static uint32_t array_of(const char *text)
{
	char *end;
	unsigned long long number = strtoull(text, &end, 10);
	unsigned unit = strcmp(end, "k") ? 1 : 1024;

	refuse("array", text, strchr(text, ',') ? SEVERAL_RINGS : NULL);
	if (!isdigit((unsigned char)*text) || (*end && unit == 1) || number > MAX_ARRAY / unit ||
	    number * unit % sizeof(uint32_t))
		refuse("array", text, "not a size; give a multiple of 4 up to 16384k");
	return number * unit;
}

static enum explain_level explain_of(const char *text)
{
	enum explain_level level = text ? EXPLAIN_PARTS : EXPLAIN_BLAME;

	while (text && level <= EXPLAIN_STACKS && strcmp(text, options_explain_name(level)))
		level++;
	refuse("explain", text, level > EXPLAIN_STACKS ? "unknown; use one of parts, blame, stacks" : NULL);
	return level;
}

/* cyclictest's -D is a duration: seconds, or a number with a unit. A file of that name takes precedence. */
static const char *device_of(const char *text)
{
	size_t digits = strspn(text, "0123456789"), units = strspn(text + digits, "smhd");

	if (digits && units <= 1 && !text[digits + units] && access(text, F_OK) < 0)
		die(EXIT_NOT_MEASURED, "-D %s is an option of cyclictest; use -d %s%s", text, text, units ? "" : "s");
	return text;
}

static void set_job(struct options *options, const char *text)
{
	if (!strcmp(text, "list"))
		exit(job_list() == 0 && diag_flush() ? EXIT_MEASURED : EXIT_NOT_MEASURED);
	options->load = job_command(text, &options->job, &options->load_name);
	refuse("load", text, options->load ? NULL : "no load or file has that name; --load=list lists the loads, "
	       "or give a stress-ng job file");
}

static error_t set(struct options *options, int key, const char *arg)
{
	switch (key) {
	case 'n': options->samples = count_of("samples", arg, 1, INT64_MAX); break;
	case 'd': options->duration_ns = time_of("duration", arg, "must be more than 0, as in 10s"); break;
	case 'f': options->frequency_hz = count_of("frequency", arg, 0, UNSET_RATE - 1); break;
	case 's': options->source = arg; break;
	case 'D': options->device = device_of(arg); break;
	case 'c': options->clock = arg; break;
	case 'p': options->priority = count_of("priority", arg, 1, 99); break;
	case 'P': options->policy = arg; break;
	case 'a': refuse("cpu", arg, cpus_parse(arg, &options->cpus)); break;
	case KEY_ALIGNED: options->aligned = true; break;
	case KEY_WAKER: options->waker.cpu = count_of("waker", arg, 0, CPUS_MAX - 1); break;
	case KEY_THREADS: options->threads = arg; break;
	case KEY_PROCESSES:
		refuse("processes", arg, strchr(arg, ',') ? SEVERAL_RINGS : NULL);
		options->processes = count_of("processes", arg, 2, CHILDREN_MAX + 1);
		break;
	case KEY_ARRAY: options->array_bytes = array_of(arg); break;
	case 'o': options->output = arg; break;
	case 'm': refuse("max", arg, *arg == '-' || *arg == 'p' ? NO_MLOCK : limit_parse(arg, &options->max)); break;
	case 'b': options->break_ns = time_of("break", arg, "must be more than 0, as in 150us"); break;
	case 'C':	/* the keeper empties the buffers once a second; in between there is nothing new to save */
		options->checkpoint_ns = time_of("checkpoint", arg, NULL);
		refuse("checkpoint", arg, options->checkpoint_ns && options->checkpoint_ns < 1000000000 ?
		       "too often; give 1s or more, or 0 for never" : NULL);
		break;
	case 'F': options->force = true; break;
	case KEY_DMA_LATENCY: options->dma_latency_us = dma_latency_of(arg); break;
	case KEY_LABEL:
		refuse("label", arg, *arg ? NULL : "empty; give a text, or leave it out");
		options->label = arg;
		break;
	case KEY_BEST_EFFORT: options->best_effort = true; break;
	case KEY_EXPLAIN: options->explain = explain_of(arg); break;
	case KEY_LOAD: set_job(options, arg); break;
	case KEY_CHECK:
		refuse("check", arg, arg && strcmp(arg, "rt") ? "unknown; use rt" : NULL);
		options->check_rt = arg;
		options->check = true;
		break;
	case 'q': options->quiet = true; break;
	default:
		for (const struct argp_option *option = table; option->flags & OPTION_HIDDEN; option++)
			if (option->key == key)
				die(EXIT_NOT_MEASURED, "-%c is an option of cyclictest; %s", key, option->doc);
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/* cyclictest's -h takes a number, in the same word or in the next: argp goes on with that word. */
static bool gives_size(const char *word)
{
	const char *option = *word == '-' && word[1] != '-' ? strchr(word, 'h') : NULL;

	return isdigit((unsigned char)(option ? option[1] : *word));
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;
	/* A "--" that was the argument of an option does not count. */
	bool is_quoted = state->quoted && state->argv[state->quoted - 1] != state->hook;

	if (key != ARGP_KEY_ARG && key < ARGP_KEY_END)
		state->hook = arg;	/* the argument of the last option */
	if (key == ARGP_KEY_NO_ARGS && is_quoted)
		die(EXIT_NOT_MEASURED, "no command after --; give a load, or leave out --");
	if (key == 'V')
		puts("realfeel " VERSION);
	if (key == 'h' && state->next < state->argc && gives_size(state->argv[state->next]))
		die(EXIT_NOT_MEASURED, "-h is an option of cyclictest; not needed: the report has a histogram");
	if (key == 'h' || key == KEY_USAGE)
		argp_state_help(state, stdout, key == 'h' ? HELP : ARGP_HELP_USAGE);
	if (key == 'V' || key == 'h' || key == KEY_USAGE)
		exit(diag_flush() ? EXIT_MEASURED : EXIT_NOT_MEASURED);
	if (key != ARGP_KEY_ARG)
		return set(options, key, arg);
	if (!is_quoted)
		die(EXIT_NOT_MEASURED, "%s: unexpected; a load goes after --, and a report to realfeel-analyze", arg);
	if (options->job)
		die(EXIT_NOT_MEASURED, "%s: --load=%s is already the load; leave one out", arg, options->job);
	/* Everything after "--" belongs to the load. */
	options->load = &state->argv[state->next - 1];
	state->next = state->argc;
	return 0;
}

struct options command_line_read(int argc, char **argv)
{
	static const struct argp argp = {
		.options = table,
		.parser = parse,
		.args_doc = "[-- COMMAND [ARG...]]",
		.doc = "Measure how late Linux wakes a real-time process, "
		       "under the load COMMAND if there is one.\v"
		       "TIME takes ns, us, ms, s, m, h, d: 250us, 12h. See realfeel(8).\n\n"
		       "Examples:\n"
		       "  realfeel -a all -d 10m -o run.hist    ten minutes on every CPU\n"
		       "  realfeel --max=100us -- make -j8      fail if any wake-up is later\n"
		       "  realfeel -a 1 -d 1m --explain         then: realfeel-analyze explain FILE\n"
		       "  realfeel -s task:NAME -d 1m           the threads of another program\n",
	};
	struct options options = {
		.frequency_hz = UNSET_RATE, .source = "auto", .clock = "auto",
		.checkpoint_ns = 60 * UINT64_C(1000000000), .dma_latency_us = UNSET_LATENCY,
		.waker.cpu = -1, .array_bytes = UNSET_ARRAY, .argv = argv,
	};

	argp_err_exit_status = EXIT_NOT_MEASURED;
	argp_parse(&argp, argc, argv, ARGP_NO_HELP | ARGP_IN_ORDER, NULL, &options);
	command_line_complete(&options);
	return options;
}
