# SPDX-License-Identifier: GPL-2.0-or-later
VERSION := $(shell sed -n "s/^our .VERSION = '\(.*\)';$$/\1/p" analyze/realfeel-analyze)

prefix  = /usr/local
bindir  = $(prefix)/bin
datadir = $(prefix)/share/realfeel
mandir  = $(prefix)/share/man
compdir = $(prefix)/share/bash-completion/completions
testdir = $(prefix)/libexec/realfeel-tests
confdir = $(if $(filter /usr,$(prefix)),,$(prefix))/etc/realfeel
unitdir = $(prefix)/lib/systemd/system
tmpfilesdir = $(prefix)/lib/tmpfiles.d
INSTALL = install

CC     ?= cc
CFLAGS ?= -O2 -g
all_cflags   = -std=gnu11 -Wall -Wextra -Wformat-security -Wno-psabi $(werror) $(hardening) $(sanitize) $(CFLAGS)
all_cppflags = -D_GNU_SOURCE $(wide) -DVERSION='"$(VERSION)"' -Isrc -MMD -MP $(CPPFLAGS)
all_ldflags  = -pie -Wl,-z,relro -Wl,-z,now $(sanitize) $(LDFLAGS)
hardening    = -fPIE -fno-plt -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
wide         = -D_TIME_BITS=64 -D_FILE_OFFSET_BITS=64
werror       = $(if $(WERROR),-Werror)
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
unit_tools = $(addprefix tests/unit/,tap.c fake.c fake_kernel.c fake_task.c fake_trace.c killed.c progress_rows.c \
	terminal.c)
unit_tests = $(patsubst tests/unit/%.c,$(build)/unit/%,$(filter-out $(unit_tools),$(wildcard tests/unit/*.c)))

all: realfeel realfeel-analyze.1

# The program of the last build, sanitized or not, is the one at the top.
realfeel: $(build)/realfeel FORCE
	$(if $(filter 1,$(V)),,@)cmp -s $< $@ || cp $< $@

$(build)/realfeel: $(objects)
	$(call told,LD,$@)$(CC) $(all_cflags) $(all_ldflags) -o $@ $^ -lm

$(build)/%.o: src/%.c Makefile
	@mkdir -p $(@D)
	$(call told,CC,$<)$(CC) $(all_cflags) $(all_cppflags) -c -o $@ $<

realfeel-analyze.1: analyze/realfeel-analyze
	$(call told,MAN,$@)pod2man --section=1 --center='Linux General Commands Manual' --release='$(VERSION)' $< $@

# A unit test is one file, linked with all of the program but main.
$(build)/unit/%.o: tests/unit/%.c Makefile
	@mkdir -p $(@D)
	$(call told,CC,$<)$(CC) $(all_cflags) $(all_cppflags) -c -o $@ $<

$(build)/unit/%: $(build)/unit/%.o $(build)/unit/tap.o $(filter-out %/main.o,$(objects))
	$(call told,LD,$@)$(CC) $(all_cflags) $(all_ldflags) -o $@ $^ -lm

$(addprefix $(build)/unit/,asked flip loop loop_explain schedule smis source_thread): $(build)/unit/fake.o
$(build)/unit/source_task_random: $(build)/unit/fake_kernel.o
$(addprefix $(build)/unit/source_task_,deduced lost timers wakeups): $(build)/unit/fake_task.o
$(addprefix $(build)/unit/,recordings totals totals_parts): $(build)/unit/killed.o
$(addprefix $(build)/unit/,progress progress_cells progress_sentence): \
	$(build)/unit/progress_rows.o $(build)/unit/terminal.o
$(addprefix $(build)/unit/,report_records trace_record trace_record_list perf_ring perf_ring_kernel): \
	$(build)/unit/fake_trace.o

$(build)/fake_%.so: tests/cli/fake_%.c Makefile
	@mkdir -p $(@D)
	$(call told,CC,$<)\
	$(CC) -std=gnu11 -Wall -Wextra $(werror) -D_GNU_SOURCE -fPIC -shared -pthread $(CFLAGS) -o $@ $< -ldl

$(build)/hog $(build)/culprit $(build)/sleeper: $(build)/%: tests/lib/%.c Makefile
	@mkdir -p $(@D)
	$(call told,CC,$<)$(CC) $(all_cflags) $(all_cppflags) $(all_ldflags) -pthread -o $@ $<

# What measures is tested one by one, and alone. The sanitizers are in the program alone, so with them its tests are.
# A compiler's warning is an error here, and nowhere else: who builds a package may have a newer one.
check: WERROR = 1
check: all check-unit $(addprefix $(build)/,fake_links.so fake_rtc.so fake_root.so fake_time.so hog sleeper draw)
	BUILD=$(build) prove -r tests/cli
	$(if $(SAN),,BUILD=$(build) prove -r -j 2 tests/style tests/packaging tests/analyze tests/plots)

check-unit: $(unit_tests)
	$(PROVE) $(unit_tests)

# The same for other machines, in emulation.
check-cross:
	prove -v tests/cross

include tests/bench/rules.mk
include tests/statistics/rules.mk

check-guest: all $(build)/fake_rtc.so $(build)/hog $(build)/culprit
	prove -v -j 2 tests/guest

# The experiment of 2002 with the kernels of today, in virtual time, and what three other documents measured.
lab: all
	tests/guest/lab
	tests/guest/documents

check-lab: lab
	prove -v tests/lab

# The pictures that plots/gallery/README names, from reports that are kept.
gallery: all
	plots/gallery/draw

# Ten seconds with whatever the machine has, the listing, and the graph here and in run.png.
run: all
	./realfeel -d 10s --best-effort --force -o run.hist
	analyze/realfeel-analyze run.hist
	analyze/realfeel-analyze plot histogram run.hist
	analyze/realfeel-analyze plot histogram -o run.png run.hist

release      = realfeel-$(VERSION)
perl_folders = $(sort $(patsubst analyze/lib/%/,%,$(dir $(wildcard $(addsuffix /*.pm,analyze/lib/Realfeel \
	analyze/lib/Realfeel/* analyze/lib/Realfeel/*/*)))))

# The units are for /usr as they stand.
units     = realfeel@.service realfeel@.timer
relocated = sed 's|/usr/bin|$(bindir)|g; s|/usr/share/realfeel|$(datadir)|g; s|/etc/realfeel|$(confdir)|g'

install: all
	$(INSTALL) -d $(DESTDIR)$(bindir) $(DESTDIR)$(datadir)/plots \
		$(addprefix $(DESTDIR)$(datadir)/lib/,$(perl_folders)) \
		$(DESTDIR)$(mandir)/man1 $(DESTDIR)$(mandir)/man5 $(DESTDIR)$(mandir)/man8 $(DESTDIR)$(compdir) \
		$(DESTDIR)$(unitdir) $(DESTDIR)$(tmpfilesdir) $(DESTDIR)$(confdir)
	$(INSTALL) realfeel analyze/realfeel-analyze $(DESTDIR)$(bindir)
	for folder in $(perl_folders); do \
		$(INSTALL) -m 644 analyze/lib/$$folder/*.pm $(DESTDIR)$(datadir)/lib/$$folder || exit; done
	$(INSTALL) -m 644 plots/*.gp $(DESTDIR)$(datadir)/plots
	$(INSTALL) -m 644 analyze/schema.json $(DESTDIR)$(datadir)
	$(INSTALL) -m 644 packaging/*.job $(DESTDIR)$(datadir)
	$(INSTALL) -m 644 packaging/realfeel.bash $(DESTDIR)$(compdir)/realfeel
	ln -sf realfeel $(DESTDIR)$(compdir)/realfeel-analyze
	$(INSTALL) -m 644 realfeel-analyze.1 $(DESTDIR)$(mandir)/man1
	$(INSTALL) -m 644 man/realfeel.5 $(DESTDIR)$(mandir)/man5
	$(INSTALL) -m 644 man/realfeel.8 $(DESTDIR)$(mandir)/man8
	for unit in $(units); do \
		$(relocated) packaging/systemd/$$unit | \
			$(INSTALL) -m 644 /dev/stdin $(DESTDIR)$(unitdir)/$$unit || exit; done
	$(INSTALL) packaging/systemd/realfeel-night $(DESTDIR)$(datadir)
	$(INSTALL) -m 644 packaging/systemd/realfeel.tmpfiles $(DESTDIR)$(tmpfilesdir)/realfeel.conf
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
	rm -rf $(DESTDIR)$(datadir) $(DESTDIR)$(testdir)
	rm -f $(DESTDIR)$(bindir)/realfeel $(DESTDIR)$(bindir)/realfeel-analyze \
		$(DESTDIR)$(compdir)/realfeel $(DESTDIR)$(compdir)/realfeel-analyze \
		$(DESTDIR)$(mandir)/man1/realfeel-analyze.1 $(DESTDIR)$(mandir)/man5/realfeel.5 \
		$(DESTDIR)$(mandir)/man8/realfeel.8 $(addprefix $(DESTDIR)$(unitdir)/,$(units)) \
		$(DESTDIR)$(tmpfilesdir)/realfeel.conf

# The release, of the same bytes wherever it is packed, whatever git and gzip are told there.
dist:
	@test -z "$$(git rev-parse --show-prefix || echo none)" && git diff --quiet HEAD || \
		{ echo >&2 'make dist: a release is a commit; commit what was changed, in a clone'; exit 1; }
	git -c core.attributesFile=/dev/null -c core.autocrlf=false -c tar.umask=0022 \
		archive --prefix=$(release)/ --output=$(release).tar HEAD
	GZIP= gzip -9nf $(release).tar

clean:
	rm -rf build build-san realfeel realfeel-analyze.1 run.hist run.png $(release).tar.gz

-include $(wildcard $(build)/*.d $(build)/*/*.d)
.SECONDARY:
FORCE:
.PHONY: all check check-unit check-cross check-guest lab check-lab gallery run \
	install install-tests uninstall dist clean FORCE
