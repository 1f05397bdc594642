# SPDX-License-Identifier: GPL-2.0-or-later
# Draws the histograms of one or more runs, both axes logarithmic.
#
#   gnuplot -c histogram.gp FORMAT PICTURE DATA KEYS TITLE XLABEL YLABEL XMIN XMAX
#
# FORMAT   png, svg, pdf, or dumb for a terminal
# PICTURE  the file to write
# DATA     a data set "edge count" for each run, two blank lines between them; the count holds up to the next edge
# KEYS     a line for each run, each with a newline at its end
# XMIN, XMAX  the ends of the x axis

if (ARGC != 9) {
    print "usage: gnuplot -c histogram.gp FORMAT PICTURE DATA KEYS TITLE XLABEL YLABEL XMIN XMAX"
    exit status 1
}
data = ARG3
xmin = real(ARG8)
xmax = real(ARG9)
line_of(text, n) = n == 1 ? text[1:strstrt(text, "\n") - 1] : line_of(text[strstrt(text, "\n") + 1:*], n - 1)
lines_in(text) = strstrt(text, "\n") == 0 ? 0 : 1 + lines_in(text[strstrt(text, "\n") + 1:*])

format = ARG1
runs = lines_in(ARG4)
load ARG0[1:strlen(ARG0) - strlen("histogram.gp")] . "style.gp"
set output ARG2
set title ARG5
set xlabel ARG6
set ylabel ARG7
if (on_screen) set title ARG5 . "\n" . ARG7

# A count of 0 has no place on a logarithmic axis: it goes below it, out of sight.
below_axis = 0.01
level(count) = count > 0 ? count : below_axis
set logscale xy
# A hair wider, for a label that stands just on the end of a logarithmic axis can be left out.
set xrange [xmin * (1 - 1e-6):xmax * (1 + 1e-6)]
stats data using 2 nooutput
set yrange [0.7:10**ceil(log10(STATS_max < 5 ? 5 : 1.2 * STATS_max))]
set format x "%g"
set format y (on_screen ? "1e%T" : "10^{%T}")

# Where few decades are shown, the 2 and the 5 of each have room for a label.
if (xmax / xmin <= 1e4) {
    set for [i = -3:12] xtics add (10.0**i, 2 * 10.0**i, 5 * 10.0**i)
}

# Fills help to tell a few runs apart and hide many.
opacity = runs <= 4 ? 0.18 : 0

if (on_screen) {
    plot for [i = 1:runs] data index i - 1 using 1:(level($2)) with points linetype i title line_of(ARG4, i)
} else {
    plot for [i = 1:runs] data index i - 1 using 1:(level($2)) with fillsteps linetype i \
             fillstyle transparent solid opacity noborder notitle, \
         for [i = 1:runs] data index i - 1 using 1:(level($2)) with steps linetype i title line_of(ARG4, i)
}
