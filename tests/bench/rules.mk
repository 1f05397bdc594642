# SPDX-License-Identifier: GPL-2.0-or-later
# Side by side with cyclictest. Each helper is a program of one file, but for the loop on a stubbed wait.
bench-tools: realfeel $(build)/hog $(addprefix $(build)/bench/,bare step loop stub.so) $(build)/stepped/realfeel

$(build)/bench/%: tests/bench/%.c Makefile
	@mkdir -p $(@D)
	$(call told,CC,$<)$(CC) $(all_cflags) $(all_cppflags) $(all_ldflags) -o $@ $(filter %.c,$^) $(filter %.a,$^) -lm

$(build)/bench/day: $(build)/program.a

$(build)/bench/loop: tests/bench/stub.c $(build)/program.a

$(build)/bench/stub.so: tests/bench/stub.c tests/bench/stub.h Makefile
	@mkdir -p $(@D)
	$(call told,CC,$<)$(CC) $(all_cflags) $(all_cppflags) -fPIC -shared -o $@ $<

# To be single-stepped, which makes every sample late and leaves time for few: its bins are a thousand times as wide, and the
# keeper empties the buffers a sixtieth as often, for the first samples of each are new extremes.
$(build)/stepped/realfeel: FORCE
	$(MAKE) build=$(build)/stepped CPPFLAGS='$(CPPFLAGS) -DHIST_STEP=10000 -DTICK_NS=60000000000' $@

bench: bench-tools $(build)/draw
	BUILD=$(build) tests/bench/run
	@echo
	BUILD=$(build) tests/bench/analysis
	@echo
	BUILD=$(build) tests/bench/explain
	@echo
	BUILD=$(build) tests/bench/task

# Not in check: what it times wants a machine that does nothing else.
check-bench: bench-tools $(build)/draw
	BUILD=$(build) prove tests/bench

.PHONY: bench bench-tools check-bench
