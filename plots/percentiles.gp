# SPDX-License-Identifier: GPL-2.0-or-later
# Draws percentiles by the number of nines: the value that all but one in so many do not exceed.
#
#   gnuplot -c percentiles.gp FORMAT PICTURE DATA KEYS TITLE XLABEL YLABEL NUMBERS NOTES
#
# DATA     two data sets "one_in value" for each run: the curve as far as the run supports it, then the rest, which is
#          drawn thin; then one of the maxima, "one_in maximum run", the first run being 1; then one of confidence
#          intervals, "one_in value low high run"
# NUMBERS  the ends of the x axis, powers of 10; the ends of the y axis; 1 when that is logarithmic, else 0
# The others are described in style.gp.

if (ARGC != 9) {
    print "usage: gnuplot -c percentiles.gp FORMAT PICTURE DATA KEYS TITLE XLABEL YLABEL NUMBERS NOTES"
    exit status 1
}
format = ARG1; picture = ARG2; data = ARG3; keys = ARG4; title_text = ARG5; x_text = ARG6; y_text = ARG7; numbers = ARG8; notes = ARG9
limit_axis = "y"
load ARG0[1:strlen(ARG0) - strlen("percentiles.gp")] . "style.gp"

set logscale x
if (!on_screen) { set rmargin 7 }
# gnuplot draws paper below the mark of an error bar, and takes 0 for 1: no more than the mark hides itself.
set pointintervalbox 0.3
set xrange [number(1) / wider:number(2) * wider]
eval mark_nines
set yrange [number(3):number(4)]
if (number(5) > 0) {
    set logscale y
    set yrange [number(3) / wider:number(4) * wider]
}

if (on_screen) {
    plot for [i = 1:runs] data index 2 * i - 2 using 1:2 with points linetype i title line_of(keys, i), \
         for [i = 1:runs] data index 2 * i - 1 using 1:2 with points linetype i notitle
} else {
    plot for [i = 1:runs] data index 2 * i - 2 using 1:2 with lines linetype i title line_of(keys, i), \
         for [i = 1:runs] data index 2 * i - 1 using 1:2 with lines linetype i linewidth 0.8 notitle, \
         data index 2 * runs using 1:2:3:3 with points pointtype variable linecolor variable notitle, \
         data index 2 * runs + 1 using 1:2:3:4:5 with yerrorbars pointtype 7 \
             pointsize 0.4 * mark linewidth 1.5 dashtype 1 linecolor variable notitle
}
