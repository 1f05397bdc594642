# SPDX-License-Identifier: GPL-2.0-or-later
# Draws the histograms of one or more runs, the y axis logarithmic.
#
#   gnuplot -c histogram.gp FORMAT PICTURE DATA KEYS TITLE XLABEL YLABEL NUMBERS NOTES
#
# DATA     a data set "edge count" for each run, where the count, or the share of its run, holds up to the next edge;
#          then one of the maxima, "maximum height run", the first run being 1
# NUMBERS  the ends of the x axis, the ends of the y axis, 1 where the x axis is logarithmic, else 0
# The others are described in style.gp.

if (ARGC != 9) {
    print "usage: gnuplot -c histogram.gp FORMAT PICTURE DATA KEYS TITLE XLABEL YLABEL NUMBERS NOTES"
    exit status 1
}
format = ARG1; picture = ARG2; data = ARG3; keys = ARG4; title_text = ARG5; x_text = ARG6; y_text = ARG7; numbers = ARG8; notes = ARG9
load ARG0[1:strlen(ARG0) - strlen("histogram.gp")] . "style.gp"

# A count of 0 has no place on a logarithmic axis: it goes below it, out of sight.
level(count) = count > 0 ? count : number(3) / 100
set logscale y
set xrange [number(1):number(2)]
if (number(5) > 0) {
    set logscale x
    set xrange [number(1) / wider:number(2) * wider]
}
set yrange [number(3):number(4)]

# Fills help to tell a few runs apart and hide many.
opacity = runs <= 4 ? 0.18 : 0

if (on_screen) {
    plot for [i = 1:runs] data index i - 1 using 1:(level($2)) with points linetype i title line_of(keys, i), \
         @last_line
} else {
    plot for [i = 1:runs] data index i - 1 using 1:(level($2)) with fillsteps linetype i \
             fillstyle transparent solid opacity noborder notitle, \
         for [i = 1:runs] data index i - 1 using 1:(level($2)) with steps linetype i title line_of(keys, i), \
         data index runs using 1:2:3:3 with points pointtype variable linecolor variable notitle, \
         @last_line
}
