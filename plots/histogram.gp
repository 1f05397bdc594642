# SPDX-License-Identifier: GPL-2.0-or-later
# Draws the histograms of one or more runs, both axes logarithmic.
#
# DATA     a data set "edge count" for each run, where the count, or the share of its run, holds up to the next edge;
#          then one of the maxima, "maximum height run", the first run being 1
# All others are described in style.gp.

if (!exists("style")) {
    print "histogram.gp is loaded by realfeel-analyze, which sets what style.gp names"
    exit status 1
}
load style

# Fills help to tell a few runs apart and hide many.
opacity = runs <= 4 ? 0.18 : 0

if (on_screen) {
    plot for [i = 1:runs] data index i - 1 using 1:(level($2)) with points linetype i title key[i], \
         @last_line
} else {
    plot for [i = 1:runs] data index i - 1 using 1:(level($2)) with fillsteps linetype i \
             fillstyle transparent solid opacity noborder notitle, \
         for [i = 1:runs] data index i - 1 using 1:(level($2)) with steps linetype i title key[i], \
         data index runs using 1:2:3:3 with points pointtype variable linecolor variable notitle, \
         @last_line
}
