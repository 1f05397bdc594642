# SPDX-License-Identifier: GPL-2.0-or-later
# Draws percentiles by the number of nines: the value that all but one in N do not exceed.
#
# DATA     two data sets "one_in value" for each run: the curve as far as the run supports it, then the rest, which is
#          drawn thin; then one of the maxima, "one_in maximum run", the first run being 1; then one of confidence
#          intervals, "one_in value low high run"
# The ends of the x axis are powers of 10.
# has_intervals   1 where there are some, else 0
# of_rest, of_interval   what the thin lines and the intervals are
# All others are described in style.gp.

if (!exists("style")) {
    print "percentiles.gp is loaded by realfeel-analyze, which sets what style.gp names"
    exit status 1
}
limit_axis = "y"
extra = 1 + has_intervals
load style

set logscale x
if (!on_screen) { set rmargin 7 }
# gnuplot draws paper below the mark of an error bar, and takes 0 for 1: no more than the mark hides itself.
set pointintervalbox 0.3
# The intervals of several runs stand side by side.
aside(run) = 1.14**(run - (runs + 1) / 2.0)
set xrange [x_low / wider:x_high * wider]
eval mark_nines

if (on_screen) {
    plot for [i = 1:runs] data index 2 * i - 2 using 1:2 with points linetype i title key[i], \
         for [i = 1:runs] data index 2 * i - 1 using 1:2 with points linetype i notitle, \
         @last_line
} else {
    plot for [i = 1:runs] data index 2 * i - 2 using 1:2 with lines linetype i title key[i], \
         for [i = 1:runs] data index 2 * i - 1 using 1:2 with lines linetype i linewidth 0.8 notitle, \
         data index 2 * runs using 1:2:3:3 with points pointtype variable linecolor variable notitle, \
         data index 2 * runs + 1 using ($1 * aside($5)):2:3:4:5 with yerrorbars pointtype 7 \
             pointsize 0.4 * mark linewidth 1.5 linecolor variable notitle, \
         for [i = 1:has_intervals] keyentry with yerrorbars pointtype 7 pointsize 0.4 * mark linewidth 1.5 \
             linecolor rgb "#606060" title of_interval, \
         keyentry with lines linetype 1 linewidth 0.8 linecolor rgb "#606060" title of_rest, \
         @last_line
}
