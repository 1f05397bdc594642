# SPDX-License-Identifier: GPL-2.0-or-later
# Draws the latencies of a run over its time as a heat map, and over it the latest of each stretch.
#
#   gnuplot -c slices.gp FORMAT PICTURE DATA KEYS TITLE XLABEL YLABEL NUMBERS NOTES
#
# DATA     data sets: boxes, "start end low high rate shade", the shade from 1 to 5, for a terminal; the latest of
#          each stretch, "start end latest"; the latest of all, "time latest"; the
#          beginnings of the runs that were merged, "start"
# KEYS     a line for the run, and what the rates count
# NUMBERS  the ends of the x axis, the ends of the y axis, the least and the largest rate
# The others are described in style.gp.

if (ARGC != 9) {
    print "usage: gnuplot -c slices.gp FORMAT PICTURE DATA KEYS TITLE XLABEL YLABEL NUMBERS NOTES"
    exit status 1
}
format = ARG1; data = ARG3; keys = ARG4; title_text = ARG5; numbers = ARG8; notes = ARG9
extra = format eq "dumb" ? 0 : 1
limit_axis = "y"
load ARG0[1:strlen(ARG0) - strlen("slices.gp")] . "style.gp"
set output ARG2
set xlabel ARG6
set ylabel ARG7
if (on_screen) set title head_of(ARG7)

set logscale y
set xrange [number(1):number(2)]
set yrange [number(3) / wider:number(4) * wider]
rate(a_second) = a_second >= 10 ? sprintf("%.0f", a_second) : sprintf("%.2g", a_second)
shade(n) = word(". : o O @", int(n))

# Dark to bright, as bright as grey shades would be; the rarest are the darkest, so that one alone is seen.
set palette defined (0 "#440154", 1 "#414487", 2 "#2a788e", 3 "#22a884", 4 "#7ad151", 5 "#fde725")
set logscale cb
set cblabel line_of(keys, 2) offset 1.5 textcolor rgb "#303030"
set format cb (number(5) < 1e-3 || number(6) >= 1e5 ? "10^{%T}" : "%g")
set colorbox user origin graph 1.02, graph 0 size graph 0.025, graph 1 noborder
set cbrange [(number(6) > number(5) ? number(5) : number(5) / 10):number(6)]

if (on_screen) {
    unset colorbox
    set terminal dumb size 79, 26
    plot data index 0 using (($1 + $2) / 2):(sqrt($3 * $4)):(shade($6)) with labels notitle, \
         data index 1 using (($1 + $2) / 2):3 with points pointtype "M" title line_of(keys, 1), \
         keyentry with points pointtype "M" title "the latest of each stretch", \
         keyentry with points pointtype "@" \
             title ". : o O @ stand for " . rate(number(5)) . " to " . rate(number(6)) . " " . line_of(keys, 2)
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
             title "the latest of all; lines: the latest of each stretch"
}
