# SPDX-License-Identifier: GPL-2.0-or-later
# Draws the histograms of runs of any length over each other, each count as the share of its run, both axes logarithmic.
#
#   gnuplot -c overlay.gp FORMAT PICTURE DATA KEYS TITLE XLABEL YLABEL NUMBERS NOTES
#
# DATA     a data set "edge share" for each run, where the share holds up to the next edge; then one of the maxima,
#          "maximum height run", the first run being 1
# NUMBERS  the ends of the x axis, the ends of the y axis
# The others are described in style.gp.

if (ARGC != 9) {
    print "usage: gnuplot -c overlay.gp FORMAT PICTURE DATA KEYS TITLE XLABEL YLABEL NUMBERS NOTES"
    exit status 1
}
format = ARG1; data = ARG3; keys = ARG4; title_text = ARG5; numbers = ARG8; notes = ARG9
load ARG0[1:strlen(ARG0) - strlen("overlay.gp")] . "style.gp"
set output ARG2
set xlabel ARG6
set ylabel ARG7
if (on_screen) set title head_of(ARG7)

# A share of 0 has no place on a logarithmic axis: it goes below it, out of sight.
level(share) = share > 0 ? share : number(3) / 100
set logscale xy
set xrange [number(1) / wider:number(2) * wider]
set yrange [number(3):number(4)]

if (on_screen) {
    plot for [i = 1:runs] data index i - 1 using 1:(level($2)) with points linetype i title line_of(keys, i), \
         @last_line
} else {
    plot for [i = 1:runs] data index i - 1 using 1:(level($2)) with steps linetype i title line_of(keys, i), \
         data index runs using 1:2:3:3 with points pointtype variable linecolor variable notitle, \
         @last_line
}
