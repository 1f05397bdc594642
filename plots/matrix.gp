# SPDX-License-Identifier: GPL-2.0-or-later
# Draws small histograms in rows and columns, all with the same axes, which are logarithmic.
#
# DATA     a data set "edge count" for each run, where the count holds up to the next edge; then one of the maxima,
#          "maximum height run", the first run being 1
# rows, columns   which the runs fill row by row
# name, count, maximum, doubt, cpu  of each run, what is written above and in its histogram; the last two may be empty
# All others are described in style.gp.

if (!exists("style")) {
    print "matrix.gp is loaded by realfeel-analyze, which sets what style.gp names"
    exit status 1
}

# In parts of which the width has 1000.
head = note eq "" ? 86 : 116
band = 35
panel = rows == 1 ? 380 : rows <= 4 ? 210 : 130
foot = 85 + 30 * (limit_names > 0)
height = head + rows * (band + panel) + foot

x_short = 0.9 * columns
y_short = rows == 1 ? 1 : rows <= 4 ? 2.2 : 4.3
# The mouse would show the last panel's values everywhere.
if (format eq "svg") { format = "still" }
load style
head = head + second_line
runs = counts
fact(i, n) = n == 1 ? count[i] : n == 2 ? maximum[i] : n == 3 ? doubt[i] : cpu[i]
# The number of CPUs takes the place of doubts that there are not.
line(i, n) = n == 4 && fact(i, 3) eq "" ? 3 : n

of_limits = "dashed: the limit"
do for [i = 1:limit_names] { of_limits = of_limits . (i > 1 ? ", " : " ") . limit_name[i] }

unset key
unset title
unset xlabel
unset ylabel
unset label 1

small = is_svg ? ",16" : format eq "png" ? ",12.5" : ",9.5"
left = format eq "page" ? 0.14 : 0.115
right = format eq "page" ? 0.96 : 0.965
# The last label of an axis and the first of the next stand side by side.
gap = 0.045
width = (right - left - gap * (columns - 1)) / columns
from_left(c) = left + (c - 1) * (width + gap)
from_top(y) = 1 - y / real(height)
top_of(r) = from_top(head + r * band + (r - 1) * panel)

grid = 'set grid xtics ytics mxtics mytics linetype 1 linewidth 0.8 linecolor rgb "#d8d8d8", ' \
    . 'linetype 1 linewidth 0.4 linecolor rgb "#ececec"'
set multiplot
set label 1 title_text at screen 0.5, from_top(30) center noenhanced textcolor rgb "#303030"
if (note ne "") { set label 2 note at screen 0.5, from_top(86) center noenhanced textcolor rgb "#c00000" }
set label 3 x_text at screen left + (right - left) / 2, from_top(height - foot + 63) center noenhanced
if (limit_names) { set label 5 of_limits at screen left + (right - left) / 2, from_top(height - 22) center noenhanced textcolor rgb "#c00000" }
set label 4 y_text at screen 0.02, from_top(head + (height - head - foot) / 2) center rotate noenhanced
set tics scale 0.6
do for [r = 1:rows] {
    do for [c = 1:columns] {
        set lmargin at screen from_left(c)
        set rmargin at screen from_left(c) + width
        set tmargin at screen top_of(r)
        set bmargin at screen top_of(r) - panel / real(height)
        set format x r == rows ? x_format : ""
        set format y c == 1 ? y_format : ""
        # The axes alone, which a place without a run has, too.
        plot level(0) notitle
        unset grid
        do for [n = 1:5] { unset label n }
        i = (r - 1) * columns + c
        if (i <= runs) {
            set label 50 name[i] at screen from_left(c), top_of(r) + 16.0 / height noenhanced textcolor rgb "#303030"
            do for [n = 1:4] {
                set label 50 + n fact(i, n) at graph 1, graph 1 offset -0.5, -0.85 * line(i, n) right noenhanced \
                    font small textcolor rgb (n == 3 ? 0xc00000 : colour[1])
            }
            plot data index i - 1 using 1:(level($2)) with fillsteps linetype 1 fillstyle transparent solid 0.18 noborder, \
                 data index i - 1 using 1:(level($2)) with steps linetype 1, \
                 data index runs using ($3 == i ? $1 : x_low / 100):2 with points linetype 1
            do for [n = 50:54] { unset label n }
        }
        @grid
    }
}
unset multiplot
