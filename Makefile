# SPDX-License-Identifier: GPL-2.0-or-later
VERSION := $(shell sed -n "s/^our .VERSION = '\(.*\)';$$/\1/p" analyze/lib/Realfeel/Options.pm)

# Where the project is at home, which all packages name: nowhere yet. The release sets it: make dist HOMEPAGE=URL.
HOMEPAGE = https://realfeel.invalid

prefix  = /usr/local
bindir  = $(prefix)/bin
datadir = $(prefix)/share/realfeel
libexecdir = $(prefix)/libexec/realfeel
mandir  = $(prefix)/share/man
compdir = $(prefix)/share/bash-completion/completions
testdir = $(prefix)/libexec/realfeel-tests
confdir = $(if $(filter /usr,$(prefix)),,$(prefix))/etc/realfeel
unitdir = $(prefix)/lib/systemd/system
INSTALL = install

ifeq ($(origin CC),default)
CC      = $(if $(CROSS_COMPILE),$(CROSS_COMPILE)gcc,cc)
endif
ifeq ($(origin AR),default)
AR      = $(CROSS_COMPILE)ar
endif
CFLAGS ?= -O2 -g
all_cflags   = -std=gnu11 -Wall -Wextra -Wformat-security -Wno-psabi $(werror) $(hardening) $(sanitize) $(CFLAGS)
all_cppflags = -D_GNU_SOURCE $(wide) -DVERSION='"$(VERSION)"' -Isrc -MMD -MP $(CPPFLAGS)
all_ldflags  = -pie -Wl,-z,relro -Wl,-z,now -Wl,--as-needed $(sanitize) $(LDFLAGS)
all_ldlibs   = @$(build)/libraries $(LDLIBS)
test_cflags  = $(all_cflags) $(quickly)
test_link    = $(link) $(if $(quickly),-s)
link         = $(CC) $(all_cflags) $(all_ldflags)
hardening    = -fPIE -fno-plt -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
wide         = -D_TIME_BITS=64 -D_FILE_OFFSET_BITS=64
werror       = $(if $(WERROR),-Werror)
# Compiling a test takes longer than running it, so it is not optimized, and has no symbols unless CFLAGS are given.
quickly      = $(if $(filter file,$(origin CFLAGS)),$(if $(SAN),,-O0 -g0 -U_FORTIFY_SOURCE))
build        = build
PROVE        = prove

ifeq ($(SAN),1)
sanitize  = -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
hardening = -fPIE
build     = build-san
endif

# A line for each file that is made: $(call told,CC,NAME). V=1 shows the commands instead, and -s nothing.
told = $(if $(filter 1,$(V)),,@$(if $(findstring s,$(firstword -$(MAKEFLAGS))),,echo '$1 $2';))

objects    = $(patsubst src/%.c,$(build)/%.o,$(wildcard src/*.c src/*/*.c))
unit_tools = $(addprefix tests/unit/,tap.c evidence.c fake.c fake_kernel.c fake_task.c fake_trace.c killed.c \
	progress_rows.c terminal.c)
unit_tests = $(patsubst tests/unit/%.c,$(build)/unit/%,$(filter-out $(unit_tools),$(wildcard tests/unit/*.c)))
scripts    = realfeel-analyze realfeel-try

# Of the pages that are PODs, which --help reads, too: all but one are in section 1.
pods  = $(patsubst man/%.pod,%,$(wildcard man/*.pod))
pages = $(addprefix $(build)/man/,$(patsubst %,%.1,$(filter-out realfeel-statistics,$(pods))) realfeel-statistics.7)

all: realfeel $(pages)

# The program of the last build, sanitized or not, is the one at the top.
realfeel: $(build)/realfeel FORCE
	$(if $(filter 1,$(V)),,@)cmp -s $< $@ || cp $< $@

# One file, for a machine with none of the libraries that are here.
static:
	$(MAKE) build=$(build)/static LDFLAGS='$(LDFLAGS) -static -s' $(build)/static/realfeel

$(build)/realfeel: $(objects) $(build)/libraries
	$(call told,LD,$@)$(link) -o $@ $(objects) $(all_ldlibs)

# What one C library has and another keeps apart, or leaves to the compiler, is linked where it is found.
$(build)/libraries: Makefile
	@mkdir -p $(@D)
	$(call told,LD,$@)for library in m dl pthread rt argp atomic; do \
		! echo 'int main(void) { return 0; }' | $(link) -x c -o $@.try - -l$$library 2>/dev/null || \
			echo -l$$library; \
	done >$@; rm -f $@.try

$(build)/%.o: src/%.c Makefile
	@mkdir -p $(@D)
	$(call told,CC,$<)$(CC) $(all_cflags) $(all_cppflags) -c -o $@ $<

# All at once, because starting Perl takes longer than making a page.
pod2man = pod2man --section=$1 --center='realfeel' --release='$(VERSION)' \
	$(foreach page,$(filter %.$1,$(pages)),man/$(basename $(notdir $(page))).pod $(page))
$(pages): $(build)/man/made ;
$(build)/man/made: $(patsubst %,man/%.pod,$(pods)) Makefile $(if $(filter-out $(wildcard $(pages)),$(pages)),FORCE)
	@mkdir -p $(@D)
	$(call told,MAN,$(@D))$(call pod2man,1) && $(call pod2man,7) && touch $@

# The program without its main, of which a unit test takes what it needs.
$(build)/program.a: $(filter-out %/main.o,$(objects))
	@rm -f $@
	$(call told,AR,$@)$(AR) rcs $@ $^

# A unit test is one file.
$(build)/unit/%.o: tests/unit/%.c Makefile
	@mkdir -p $(@D)
	$(call told,CC,$<)$(CC) $(test_cflags) $(all_cppflags) -c -o $@ $<

$(build)/unit/%: $(build)/unit/%.o $(build)/unit/tap.o $(build)/program.a $(build)/libraries
	$(call told,LD,$@)$(test_link) -o $@ $(filter %.o,$^) $(build)/program.a $(all_ldlibs)

# These compute for longer than they compile.
$(patsubst %,$(build)/unit/%.o,explain_reader flip killed lossy_ring recordings source_task_cuts totals totals_parts): \
	quickly := $(if $(quickly),-O1 -g0)

$(addprefix $(build)/unit/,asked flip loop loop_explain schedule smis source_thread): $(build)/unit/fake.o
$(addprefix $(build)/unit/report_,remarks verdict): $(build)/unit/evidence.o
$(build)/unit/source_task_random: $(build)/unit/fake_kernel.o
$(addprefix $(build)/unit/source_task_,lost timers wakeups): $(build)/unit/fake_task.o
$(addprefix $(build)/unit/,recordings totals totals_parts): $(build)/unit/killed.o
$(build)/unit/progress: $(build)/unit/progress_rows.o $(build)/unit/terminal.o
$(addprefix $(build)/unit/,report_records trace_record perf_ring): $(build)/unit/fake_trace.o

# What tries the machine's kernel: tests/machine/run.
$(build)/machine/%.o: tests/machine/%.c Makefile
	@mkdir -p $(@D)
	$(call told,CC,$<)$(CC) $(all_cflags) $(all_cppflags) -Itests/unit -c -o $@ $<

$(build)/machine/%: $(build)/machine/%.o $(build)/unit/tap.o $(build)/unit/fake_trace.o $(build)/program.a \
		$(build)/libraries
	$(call told,LD,$@)$(link) -o $@ $(filter %.o,$^) $(build)/program.a $(all_ldlibs)

$(build)/fake_%.so: tests/cli/fake_%.c Makefile
	@mkdir -p $(@D)
	$(call told,CC,$<)\
	$(CC) -std=gnu11 -Wall -Wextra $(werror) -D_GNU_SOURCE -fPIC -shared -pthread $(CFLAGS) $(quickly) -o $@ $< -ldl

# The world in which the program is simulated: tests/sim/README.
$(build)/sim.so: quickly := $(if $(quickly),-O1 -g0)
$(build)/sim.so: $(wildcard tests/sim/*.[ch]) Makefile
	@mkdir -p $(@D)
	$(call told,CC,tests/sim/*.c)\
	$(CC) -std=gnu11 -Wall -Wextra $(werror) -D_GNU_SOURCE -fPIC -shared $(CFLAGS) $(quickly) -o $@ \
		$(filter %.c,$^) -ldl

$(addprefix $(build)/,actor culprit hog kernel laggard launcher sleeper): $(build)/%: tests/lib/%.c Makefile
	@mkdir -p $(@D)
	$(call told,CC,$<)$(CC) $(test_cflags) $(all_cppflags) $(all_ldflags) -pthread -o $@ $(filter %.c,$^)
$(build)/sleeper: tests/lib/sleeper_kinds.c tests/lib/sleeper_kinds.h

# Many tests wait at times, so two run beside each other on each CPU. Only the program has the sanitizers, so with them
# only its tests run. Tests that call make do not share this one's jobs.
# The longest go first, or they would run alone in the end.
# A compiler's warning is an error here, and nowhere else: whoever builds a package may have a newer one.
tests = $(sort $(wildcard $(patsubst %,tests/%/*.t,cli sim $(if $(SAN),,analyze machine plots packaging style))))
long  = $(patsubst %,tests/%.t,analyze/browser analyze/chance analyze/confidence analyze/consumers analyze/hostile \
	analyze/peers analyze/segments_random cli/valgrind packaging/compilers \
	packaging/completion packaging/dist packaging/recipes plots/kinds style/analyzers)
first = $(filter tests/analyze/try_killed.t tests/sim/calls.t tests/cli/readme.t,$(tests))
jobs  = $(shell expr 2 '*' $$(nproc))
programs = all $(unit_tests) $(addprefix $(build)/,fake_rtc.so fake_root.so sim.so actor kernel launcher sleeper \
	$(if $(CHECK_ALL),draw))
check:
	@+$(MAKE) --no-print-directory $(if $(findstring -j,$(MAKEFLAGS)),,-j $$(nproc)) WERROR=1 $(programs)
	@MAKEFLAGS='$(filter-out -j% --jobserver%,$(MAKEFLAGS))' BUILD=$(build) BUILT='$(programs)' \
		tests/run $(jobs) $(first) $(filter-out $(first) $(if $(CHECK_ALL),,$(long)),$(tests)) \
		$(unit_tests)

# CHECK_ALL=1 adds the files that take long, and repeats what is random ten times as often.
check-all:
	$(MAKE) CHECK_ALL=1 check check-guest
	$(MAKE) check-mutants check-kernels check-cross check-lab check-bench check-statistics check-machine

# What this machine's kernel does, as rates: it gates nothing.
check-machine: all $(addprefix $(build)/,hog kernel sleeper fake_root.so \
		$(patsubst tests/%.c,%,$(wildcard tests/machine/*.c)))
	BUILD=$(build) tests/machine/run

check-unit: $(unit_tests)
	$(PROVE) $^

# Some eighty faults, one after the other, each of which the tests must find.
check-mutants:
	tests/mutants/run

# The same for other machines, in emulation.
check-cross:
	prove -v tests/cross

include tests/bench/rules.mk
include tests/statistics/rules.mk

guest_programs = all static $(addprefix $(build)/,fake_root.so fake_rtc.so hog culprit laggard sleeper)

# The longest go first here, too.
guests      ?= $(sort $(wildcard tests/guest/*.t))
first_guests = $(filter tests/guest/remedies.t tests/guest/try.t,$(guests))
check-guest: $(guest_programs)
	BUILD=$(build) tests/run 2 $(first_guests) $(filter-out $(first_guests),$(guests))

# On each series of the kernel that Debian has; tests/guest/README has the table.
check-kernels: $(guest_programs)
	KERNELS=all prove -v tests/guest/kernels.t; status=$$?; tests/guest/kernels; exit $$status

# The experiment of 2002 with the kernels of today, in virtual time, and what three other documents measured.
lab: all
	tests/guest/lab
	tests/guest/documents

check-lab: lab
	prove -v tests/lab

# The pictures that plots/gallery/README names, from reports that are kept.
gallery: all
	plots/gallery/draw

# Ten seconds with whatever the machine has, and the graph here and in run.png.
run: all
	./realfeel -d 10s --best-effort --force -o run.hist
	analyze/realfeel-analyze plot histogram run.hist
	analyze/realfeel-analyze plot histogram -o run.png run.hist

release      = realfeel-$(VERSION)
perl_folders = $(sort $(patsubst analyze/lib/%/,%,$(dir $(wildcard $(addsuffix /*.pm,analyze/lib/Realfeel \
	analyze/lib/Realfeel/* analyze/lib/Realfeel/*/*)))))

# The units and the manual pages are for /usr as they stand: $(call relocate,FILE,FOLDER) installs one for the prefix.
units    = realfeel@.service realfeel@.timer
relocate = sed 's|/usr/bin|$(bindir)|g; s|/usr/libexec/realfeel|$(libexecdir)|g; s|/usr/share/realfeel|$(datadir)|g; \
	s|/etc/realfeel|$(confdir)|g' $1 | $(INSTALL) -m 644 /dev/stdin $(DESTDIR)$2/$(notdir $1)

# What measures, alone: to build and to install it takes a C compiler and make.
install-program: realfeel
	$(INSTALL) -d $(DESTDIR)$(bindir) $(addprefix $(DESTDIR)$(mandir)/man,5 7 8)
	$(INSTALL) realfeel $(DESTDIR)$(bindir)
	$(call relocate,man/realfeel.5,$(mandir)/man5)
	$(call relocate,man/realfeel-sources.7,$(mandir)/man7)
	$(call relocate,man/realfeel.8,$(mandir)/man8)

install: all install-program
	$(INSTALL) -d $(addprefix $(DESTDIR)$(datadir)/,plots man $(addprefix lib/,$(perl_folders))) \
		$(DESTDIR)$(mandir)/man1 $(DESTDIR)$(compdir) \
		$(DESTDIR)$(unitdir) $(DESTDIR)$(libexecdir) $(DESTDIR)$(confdir)
	$(INSTALL) $(addprefix analyze/,$(scripts)) $(DESTDIR)$(bindir)
	for folder in $(perl_folders); do \
		$(INSTALL) -m 644 analyze/lib/$$folder/*.pm $(DESTDIR)$(datadir)/lib/$$folder || exit; done
	$(INSTALL) -m 644 analyze/lib/Realfeel/Show/page.css $(DESTDIR)$(datadir)/lib/Realfeel/Show
	$(INSTALL) -m 644 plots/*.gp $(DESTDIR)$(datadir)/plots
	$(INSTALL) -m 644 analyze/schema.json $(DESTDIR)$(datadir)
	$(INSTALL) -m 644 packaging/*.job $(DESTDIR)$(datadir)
	for name in realfeel realfeel-analyze; do \
		$(INSTALL) -m 644 packaging/realfeel.bash $(DESTDIR)$(compdir)/$$name || exit; done
	ln -sf realfeel-analyze $(DESTDIR)$(compdir)/realfeel-try
	$(foreach page,$(pages),$(call relocate,$(page),$(mandir)/man$(subst .,,$(suffix $(page)))) &&) :
	$(INSTALL) -m 644 man/*.pod $(DESTDIR)$(datadir)/man
	$(call relocate,packaging/systemd/realfeel@.service,$(unitdir))
	$(call relocate,packaging/systemd/realfeel@.timer,$(unitdir))
	$(INSTALL) packaging/systemd/realfeel-night $(DESTDIR)$(libexecdir)
	test -e $(DESTDIR)$(confdir)/night.conf || \
		$(INSTALL) -m 644 packaging/systemd/night.conf $(DESTDIR)$(confdir)

# A test of what is installed, for a package of its own.
install-tests:
	$(INSTALL) -d $(DESTDIR)$(testdir)/lib
	$(INSTALL) tests/packaging/installed $(DESTDIR)$(testdir)
	$(INSTALL) -m 644 tests/lib/RunCommand.pm $(DESTDIR)$(testdir)/lib

# The options of one's own runs stay.
uninstall:
	! cmp -s packaging/systemd/night.conf $(DESTDIR)$(confdir)/night.conf || rm -f $(DESTDIR)$(confdir)/night.conf
	test ! -d $(DESTDIR)$(confdir) || rmdir --ignore-fail-on-non-empty $(DESTDIR)$(confdir)
	rm -rf $(DESTDIR)$(datadir) $(DESTDIR)$(libexecdir) $(DESTDIR)$(testdir)
	rm -f $(foreach name,realfeel $(scripts),$(DESTDIR)$(bindir)/$(name) $(DESTDIR)$(compdir)/$(name)) \
		$(addprefix $(DESTDIR)$(mandir)/,$(patsubst %,man1/%.1,$(pods)) man5/realfeel.5 man8/realfeel.8 \
			$(addprefix man7/realfeel-,sources.7 statistics.7)) \
		$(addprefix $(DESTDIR)$(unitdir)/,$(units))

# The release, of the same bytes wherever it is packed, whatever git and gzip are told there. As they stand, packages
# name a home that cannot be.
dist:
	@test -z "$$(git rev-parse --show-prefix || echo none)" && git diff --quiet HEAD || \
		{ echo >&2 'make dist: a release is a commit; commit what was changed, in a clone'; exit 1; }
	rm -rf $(release)
	git -c core.attributesFile=/dev/null -c core.autocrlf=false \
		archive --prefix=$(release)/ HEAD | tar -x
	find $(release)/packaging -type f -exec sed -i 's|https://realfeel.invalid|$(HOMEPAGE)|g' {} +
	tar --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime=@$$(git log -1 --format=%ct) \
		-cf $(release).tar $(release)
	GZIP= gzip -9nf $(release).tar
	rm -rf $(release)

# What other build systems take of packaging/, with the sums of the release, which these cannot have in it.
recipes: dist
	rm -rf $(build)/recipes
	mkdir -p $(build)/recipes
	tar -C $(build)/recipes --strip-components=2 -xf $(release).tar.gz \
		$(addprefix $(release)/packaging/,alpine buildroot openwrt yocto)
	find $(build)/recipes -type f -exec sed -i -e "s/0\{128\}/$$(sha512sum $(release).tar.gz | cut -c -128)/" \
		-e "s/0\{64\}/$$(sha256sum $(release).tar.gz | cut -c -64)/" {} +

clean:
	rm -rf build build-san realfeel run.hist run.png $(release).tar.gz

-include $(wildcard $(build)/*.d $(build)/*/*.d)
.SECONDARY:
FORCE:
.PHONY: all static check check-all check-machine check-mutants check-unit check-cross check-guest check-kernels lab \
	check-lab gallery run install install-program install-tests uninstall dist recipes clean FORCE
