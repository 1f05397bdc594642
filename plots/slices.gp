# SPDX-License-Identifier: GPL-2.0-or-later
# Draws the latencies of a run over its time as a heat map, and over it the worst of each slice.
#
# DATA     data sets: boxes, "start end low high rate"; the worst of each slice, "start end worst"; the worst of all,
#          "time worst"; the beginnings of the runs that were merged, "start"; the slices with SMIs, "start end"
# key      of the run
# has_runs   1 where runs were merged, else 0
# has_smis   1 where there were any, else 0
# of_each, of_all, of_run, of_smis   what the lines and the mark are
# shade_text, shade_low, shade_high   what the rates count, the least, the largest
# All others are described in style.gp.

if (!exists("style")) {
    print "slices.gp is loaded by realfeel-analyze, which sets what style.gp names"
    exit status 1
}
limit_axis = "y"
has_cells = 1
extra = 2 + has_runs + has_smis
load style

eval shade_cells

set rmargin 12
set style fill solid 1 noborder
# Boxes overlap a little, lest the paper shine through between them.
seam = x_high / 1000
plot data index 0 using (($1 + $2) / 2):(sqrt($3 * $4)):1:($2 + seam):3:($4 * 1.01):5 with boxxyerror \
         linecolor palette notitle, \
     data index 3 using 1:(y_low):(0):(y_high - y_low) with vectors nohead \
         linetype 1 linecolor rgb "#606060" notitle, \
     data index 4 using 1:(y_high * wider):($2 - $1 + seam):(0) with vectors nohead \
         linetype 1 linecolor rgb "#0072b2" linewidth 6 notitle, \
     data index 1 using 1:3:($2 - $1 + seam):(0) with vectors nohead linetype 1 linecolor rgb "#d55e00" linewidth 3 notitle, \
     data index 2 using 1:2 with points pointtype 6 pointsize mark linewidth 2 linecolor rgb "#d55e00" notitle, \
     keyentry with lines linetype nodraw title key[1], \
     keyentry with lines linetype 1 linecolor rgb "#d55e00" linewidth 3 title of_each, \
     keyentry with points pointtype 6 pointsize mark linewidth 2 linecolor rgb "#d55e00" title of_all, \
     for [i = 1:has_runs] keyentry with lines linetype 1 linecolor rgb "#606060" title of_run, \
     for [i = 1:has_smis] keyentry with lines linetype 1 linecolor rgb "#0072b2" linewidth 6 title of_smis, \
     @last_line
