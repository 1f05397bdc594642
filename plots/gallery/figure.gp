# SPDX-License-Identifier: GPL-2.0-or-later
# Draws runs of 2002 and of today above each other: those of 2002 in the layout of then, which is a line through the
# counts of the buckets of 0.1 ms, both axes logarithmic, time from 0.1 ms; those of today so, too; all as exceedance.gp
# does.
#
#   gnuplot -c figure.gp FORMAT PICTURE DATA KEYS TITLE XLABEL YLABELS NUMBERS BELOW
#
# DATA     a data set "ms count" for each run, those of 2002 first; then those of exceedance.gp
# YLABELS  a line for the counts, one for the shares
# NUMBERS  the ends of the x axis, of the axis of counts, of that of shares, the number of runs of 2002, of all;
#          the marks of the x axis; those of the axis of counts; no limits; the marks of the axis of shares
# BELOW    a line for each run: how many samples lie left of the x axis
# The others are described in ../style.gp.

if (ARGC != 9) {
    print "usage: gnuplot -c figure.gp FORMAT PICTURE DATA KEYS TITLE XLABEL YLABELS NUMBERS BELOW"
    exit status 1
}
format = ARG1; picture = ARG2; data = ARG3; keys = ARG4; title_text = ARG5; numbers = ARG8; notes = ""; below = ARG9
# Each panel has labels of its own.
x_text = ""; y_text = ""
old = int(word(numbers, 7))
all = int(word(numbers, 8))

# From the top to the panels, to the key, and to the end.
array top[3] = [85.0, 410.0, 735.0]
array bottom[3] = [325.0, 650.0, 1025.0]
key_top = 1110.0
height = key_top + 30 * (all + 1) + 5
load ARG0[1:strlen(ARG0) - strlen("gallery/figure.gp")] . "style.gp"

array head[3] = ["2002, in the layout of 2002; counts solved for from its table", \
    "today, in the layout of 2002; in a guest of 8 ns an instruction", "both, as shares above each value"]
at_screen(place) = 1 - place / height
place_panel = 'set tmargin at screen at_screen(top[i]); set bmargin at screen at_screen(bottom[i]); ' \
    . 'set label 1 head[i] at graph 0, graph 1 left offset 0, 0.8 noenhanced textcolor rgb "#303030"; '

set multiplot title title_text noenhanced textcolor rgb "#303030"
unset title
set lmargin at screen 0.125
set rmargin at screen 0.96
set logscale xy
set xrange [number(1) / wider:number(2) * wider]
set yrange [number(3):number(4)]
set ylabel line_of(ARG7, 1)
unset key
do for [i = 1:2] {
    first = i == 1 ? 1 : old + 1
    last = i == 1 ? old : all
    eval place_panel
    do for [n = first:last] {
        set label 10 + n line_of(below, n) at graph 0.99, graph 0.98 right offset 0, -0.6 - 1.1 * (n - first) \
            noenhanced textcolor rgb colour[n]
    }
    plot for [n = first:last] data index n - 1 using 1:2 with lines linetype n
    do for [n = first:last] { unset label 10 + n }
}

level(share) = share > 0 ? share : number(5) / 100
i = 3
eval place_panel
set xlabel ARG6
set ylabel line_of(ARG7, 2)
set yrange [number(5):number(6)]
y_tics = numbers_line(5)
eval mark_axes
set key at screen 0.125, screen at_screen(key_top) left top
plot for [n = 1:all] data index all + n - 1 using 1:(level($2)) with lines linetype n title line_of(keys, n), \
     for [n = 1:all] data index 2 * all + n - 1 using 1:(level($2)) with steps linetype n linewidth 1.4 \
         dashtype "." notitle, \
     data index 3 * all using 1:2:3:3 with points pointtype variable linecolor variable notitle, \
     keyentry with lines linecolor rgb "#606060" linewidth 1.4 dashtype "." \
         title "upper bound of the share, 95 % confidence"
unset multiplot
