# SPDX-License-Identifier: GPL-2.0-or-later
# Draws the latencies of a run over its time as a heat map, and over it the latest of each stretch.
#
#   gnuplot -c slices.gp FORMAT PICTURE DATA KEYS TITLE XLABEL YLABEL NUMBERS NOTES
#
# DATA     data sets: boxes, "start end low high rate shade", the shade from 1 to 5, for a terminal; the latest of
#          each stretch, "start end latest"; the latest of all, "time latest"; the
#          beginnings of the runs that were merged, "start"
# KEYS     a line for the run, what the rates count, and the word for the largest latency
# NUMBERS  the ends of the x axis, the ends of the y axis, the least and the largest rate
# The others are described in style.gp.

if (ARGC != 9) {
    print "usage: gnuplot -c slices.gp FORMAT PICTURE DATA KEYS TITLE XLABEL YLABEL NUMBERS NOTES"
    exit status 1
}
format = ARG1; picture = ARG2; data = ARG3; keys = ARG4; title_text = ARG5; x_text = ARG6; y_text = ARG7; numbers = ARG8; notes = ARG9
limit_axis = "y"
load ARG0[1:strlen(ARG0) - strlen("slices.gp")] . "style.gp"

of_each = "the " . line_of(keys, 3) . " of each stretch"
set logscale y
set xrange [number(1):number(2)]
set yrange [number(3) / wider:number(4) * wider]
eval shade_cells

if (on_screen) {
    unset colorbox
    set terminal dumb size 79, 26
    plot data index 0 using (($1 + $2) / 2):(sqrt($3 * $4)):(shade($6)) with labels notitle, \
         data index 1 using (($1 + $2) / 2):3 with points pointtype "M" title line_of(keys, 1), \
         keyentry with points pointtype "M" title of_each, \
         keyentry with points pointtype "@" \
             title of_shades(line_of(keys, 2))
} else {
    set rmargin 12
    set style fill solid 1 noborder
    # Boxes overlap a little, lest the paper shine through between them.
    seam = number(2) / 1000
    plot data index 0 using (($1 + $2) / 2):(sqrt($3 * $4)):1:($2 + seam):3:($4 * 1.01):5 with boxxyerror \
             linecolor palette notitle, \
         data index 3 using 1:(number(3)):(0):(number(4) - number(3)) with vectors nohead \
             linetype 1 linecolor rgb "#606060" dashtype 2 notitle, \
         data index 1 using 1:3:($2 - $1 + seam):(0) with vectors nohead linetype 1 linecolor rgb "#d55e00" linewidth 3 notitle, \
         data index 2 using 1:2 with points pointtype 6 pointsize mark linewidth 2 linecolor rgb "#d55e00" notitle, \
         keyentry with lines linetype 1 linecolor rgb "#d55e00" linewidth 3 title line_of(keys, 1), \
         keyentry with points pointtype 6 pointsize mark linewidth 2 linecolor rgb "#d55e00" \
             title "the " . line_of(keys, 3) . " of all; lines: " . of_each
}
