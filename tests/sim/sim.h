/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The simulation: all processes of a run share one world, in which one of them
 * runs at a time and a clock leaps when all of them wait. README says what of it
 * is real.
 */
#ifndef SIM_H
#define SIM_H

#include <dlfcn.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

#define SECOND UINT64_C(1000000000)
#define NEVER UINT64_MAX
#define PROCESSES 80
#define STEPS 64
#define DESCRIPTORS 1024		/* of a process */
#define NAME 24
#define UNTRAPPED 0x51a1L		/* as sixth argument: a call of ours, which guard.c lets pass */

/* What a process waits for, beside a signal: a pipe, by its inode, or one of these. */
#define FOR_TIME UINT64_MAX		/* for that alone */
#define FOR_ANYTHING (UINT64_MAX - 1)
#define FOR_EVENTFD 1
#define FOR_OTHERS 0			/* sockets, children */

/* The next function of this name: that of the C library, or of a sanitizer. */
#define NEXT(function, ...) ({ \
	static __typeof__(&function) next; \
	if (!next) \
		*(void **)&next = dlsym(RTLD_NEXT, #function); \
	next(__VA_ARGS__); })

#define raw(...) raw_call(__VA_ARGS__, 0L, 0L, 0L, 0L, 0L, 0L)

enum kind { PLAIN, RTC, TIMER, CLOCK, STAT, HELD, GROUP };

/* What a descriptor is, in this process and those that it forks. */
struct descriptor {
	enum kind kind;
	pid_t pid;			/* STAT: whose; HELD: of which it is */
	unsigned seen;			/* GROUP: the events when it was last read */
};

enum role { KEEPER, TRIAL, STANDBY, METER, CHILD, LOAD };

struct process {
	pid_t pid;			/* 0: it was waited for */
	int parent;			/* its number, while that lives; else -1 */
	enum role role;
	char name[NAME];		/* "keeper", "meter1": as scripts call it */
	char call[NAME];		/* the last one that it made */
	unsigned born;			/* how many processes were before it */
	unsigned calls, wakeups;
	bool dead, stopped, frozen;
	bool ready;			/* it has something to look at */
	uint64_t awaits, wakes_ns;	/* for what it waits, and until when */
	uint64_t alarm_ns;
	uint64_t late_ns;		/* so much later comes its next wake-up */
	uint64_t draws;			/* of its lateness */
	int parent_death;		/* the signal at its parent's death; 0: none */
	int policy, priority;
	bool locked;
	cpu_set_t cpus;
	unsigned turn;			/* a futex: 1 while it is this process's turn */
};

/* A line of the script, which is due at an instant or at a call. */
struct step {
	uint64_t at_ns;			/* NEVER: at a call */
	char process[NAME], call[NAME];	/* "any" stands for all */
	unsigned nth, seen;
	bool again;			/* at all further calls, too */
	bool hit;			/* something came of it */
	char what[256];
};

struct world {
	uint64_t now_ns, begun_ns;
	uint64_t slept_ns, stepped_ns;	/* what CLOCK_BOOTTIME and CLOCK_REALTIME are ahead */
	uint64_t seed, order, hop_ns;
	cpu_set_t online, allowed;	/* allowed: those that the keeper may use */
	uint64_t capabilities, resolution_ns;
	rlim_t limit[RLIM_NLIMITS];
	char machine[PATH_MAX];		/* files that several runs share */
	bool has_folder[8];		/* of those that tell of a machine, the run has this one */
	unsigned columns;		/* of the terminal; 0: there is none */
	char release[NAME], version[64];	/* of the kernel */
	char traced[NAME];		/* whose calls are logged */
	unsigned group_events;		/* how often a cgroup.events was written */
	unsigned steps;
	struct step step[STEPS];

	bool settled;			/* the keeper has a descriptor for signals: the preflight is over */
	unsigned count, passes, running;	/* running: the number of the process that has the turn */
	unsigned born, born_as[LOAD + 1];
	struct process process[PROCESSES];
	pid_t leaving;			/* it has given its turn away to end or to stop; 0: none has */
	long switches;			/* how often it had gone to sleep before */

	struct {
		char paths[PATH_MAX];	/* names, with ':' between */
		unsigned long hz, low_byte, stale;
		bool on, silent, rushes;
		uint64_t due_ns;
	} rtc;
};

extern struct world *world;
extern struct process *self;		/* NULL: this process is not, or no longer, in the world */
extern char sim_folder[PATH_MAX];	/* the script, the log, and the machine's files */

#define for_each_process(one) \
	for (struct process *one = world->process; one < world->process + world->count; one++)

/* world.c */
struct process *process_find(const char *name);
struct process *process_of(pid_t pid);	/* one that is dead, too, until it is waited for; NULL: it is none of ours */
struct process *process_add(void);	/* before its fork; it is not ready */
bool process_may_run(const struct process *process);
uint64_t draw(uint64_t *state, uint64_t below);
long raw_call(long number, ...);
__attribute__((noreturn, format(printf, 1, 2))) void world_abort(const char *format, ...);
__attribute__((format(printf, 1, 2))) void world_log(const char *format, ...);

/* turn.c */
bool turn_wait(uint64_t until_ns, uint64_t awaits);	/* returns true when a signal interrupts it */
void turn_rouse(uint64_t awaits);	/* something came about that may be waited for */
void turn_pass(void);			/* give the turn to the next process, and wait for it; if this one is dead, end */
void turn_take(void);

/* process.c */
void process_send(struct process *process, int signal);	/* a fatal one to this process: the others notice first */

/* kill.c */
struct look {				/* what the kernel says of a process */
	char state;			/* 'X': it is gone */
	pid_t parent;
	long switches;			/* how often it has gone to sleep */
};

void process_signal_to(struct process *process, int signal);	/* while this process blocks all signals */
void process_end(const char *how);	/* this process is about to end, and gives the turn to the next */
bool process_heed(const sigset_t *mask);	/* is there a signal that interrupts? A fatal one ends this process */
void process_settle(void);
struct look process_look(pid_t pid);
void process_stop_now(void);

/* script.c */
void script_read(void);
uint64_t script_due_ns(void);
void script_run(void);			/* what is due now */
void script_end(void);			/* the log has what nothing came of */

/* A call begins. It is counted, and what the script has for it is done. Returns true, with errno, if it is to fail. */
bool script_fails(const char *call);

/* time.c */
int time_sleep(uint64_t until_ns);	/* returns 0 or EINTR */
int time_wake(uint64_t due_ns);		/* the same, as late as a timer is */
ssize_t timer_read(void *buffer);
ssize_t clock_read(void);

/* rtc.c */
bool rtc_names(const char *path);
int rtc_open(void);
void rtc_close(int fd);			/* if it is the RTC */
void rtc_leave(void);			/* as a process does that ends */
bool rtc_is_readable(void);
ssize_t rtc_read(void *buffer, size_t size);

/* machine.c */
void machine_begin(void);		/* after the script was read */
const char *machine_path(const char *path, char below[PATH_MAX]);
const char *machine_split(const char *path, struct process **process);
void machine_put(const char *path, const char *text);
const char *machine_line(const char *path);	/* the first, until it is called again */
bool machine_is_group(const char *path);
void machine_set_online(int cpus);
void machine_parse_cpus(const char *list, cpu_set_t *cpus);
const char *machine_list_cpus(const cpu_set_t *cpus);	/* as 0,2,3, until it is called again */
void machine_offline(int cpu);

/* files.c */
struct descriptor descriptor_get(int fd);
int descriptor_set(int fd, enum kind kind, pid_t pid);	/* returns fd */

/* guard.c */
void guard_install(bool first);	/* the first process of the world, or one that executed a program */

#endif
