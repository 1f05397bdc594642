# SPDX-License-Identifier: GPL-2.0-or-later
# What intervals and what rests on them are worth, by runs whose truth is known.
$(build)/draw: tests/statistics/draw.c tests/statistics/loads.c tests/statistics/loads.h Makefile
	@mkdir -p $(@D)
	$(call told,CC,$<)$(CC) $(all_cflags) $(all_cppflags) $(all_ldflags) -o $@ $(filter %.c,$^) -lm

check-statistics: $(build)/draw
	BUILD=$(build) tests/statistics/run
	BUILD=$(build) tests/statistics/run --seconds=600
	BUILD=$(build) tests/statistics/run --runs=30 --seconds=2441
	BUILD=$(build) tests/statistics/run --cpus=4
	BUILD=$(build) tests/statistics/judge
	BUILD=$(build) tests/statistics/judge --seconds=600
	BUILD=$(build) tests/statistics/compare
	BUILD=$(build) tests/statistics/compare series
	BUILD=$(build) tests/statistics/later
	BUILD=$(build) tests/statistics/trial
	BUILD=$(build) tests/statistics/trial --variants=3
	tests/statistics/trend

.PHONY: check-statistics
