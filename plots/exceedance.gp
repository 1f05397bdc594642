# SPDX-License-Identifier: GPL-2.0-or-later
# Draws the share of values above each value, both axes logarithmic, with its bound.
#
#   gnuplot -c exceedance.gp FORMAT PICTURE DATA KEYS TITLE XLABEL YLABEL NUMBERS NOTES
#
# DATA     a data set "value share" for each run; then one "value bound" for each run, where the bound holds up to the
#          next value; then one of the maxima, "maximum share run", the first run being 1
# NUMBERS  the ends of the x axis, the ends of the y axis, 1 where a run has a bound, else 0
# The others are described in style.gp.

if (ARGC != 9) {
    print "usage: gnuplot -c exceedance.gp FORMAT PICTURE DATA KEYS TITLE XLABEL YLABEL NUMBERS NOTES"
    exit status 1
}
format = ARG1; picture = ARG2; data = ARG3; keys = ARG4; title_text = ARG5; x_text = ARG6; y_text = ARG7; numbers = ARG8; notes = ARG9
has_bound = int(word(numbers, 5))
extra = has_bound
load ARG0[1:strlen(ARG0) - strlen("exceedance.gp")] . "style.gp"

# A share of 0 has no place on a logarithmic axis: it goes below it, out of sight.
level(share) = share > 0 ? share : number(3) / 100
set logscale xy
set xrange [number(1) / wider:number(2) * wider]
set yrange [number(3):number(4)]

if (on_screen) {
    plot for [i = 1:runs] data index i - 1 using 1:(level($2)) with points linetype i title line_of(keys, i), \
         @last_line
} else {
    plot for [i = 1:runs] data index i - 1 using 1:(level($2)) with lines linetype i title line_of(keys, i), \
         for [i = 1:runs] data index runs + i - 1 using 1:(level($2)) with steps linetype i linewidth 1.4 \
             dashtype "." notitle, \
         data index 2 * runs using 1:2:3:3 with points pointtype variable linecolor variable notitle, \
         for [i = 1:has_bound] keyentry with lines linecolor rgb "#606060" linewidth 1.4 dashtype "." \
             title "upper bound of the share, 95 % confidence", \
         @last_line
}
