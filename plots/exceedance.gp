# SPDX-License-Identifier: GPL-2.0-or-later
# Draws the share of values above each value, both axes logarithmic, with its bound.
#
# DATA     a data set "value share" for each run; then one "value bound" for each run, where the bound holds up to the
#          next value; then one of the maxima, "maximum share run", the first run being 1
# has_bound   1 where a run has a bound, else 0
# of_bound    what it is
# All others are described in style.gp.

if (!exists("style")) {
    print "exceedance.gp is loaded by realfeel-analyze, which sets what style.gp names"
    exit status 1
}
extra = has_bound
load style

if (on_screen) {
    plot for [i = 1:runs] data index i - 1 using 1:(level($2)) with points linetype i title key[i], \
         @last_line
} else {
    plot for [i = 1:runs] data index i - 1 using 1:(level($2)) with lines linetype i title key[i], \
         for [i = 1:runs] data index runs + i - 1 using 1:(level($2)) with steps linetype i linewidth 0.8 notitle, \
         data index 2 * runs using 1:2:3:3 with points pointtype variable linecolor variable notitle, \
         for [i = 1:has_bound] keyentry with lines linecolor rgb "#606060" linewidth 0.8 title of_bound, \
         @last_line
}
