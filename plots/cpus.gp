# SPDX-License-Identifier: GPL-2.0-or-later
# Draws the latencies of each CPU as a heat map: a row for each CPU, the x axis logarithmic.
#
# DATA     data sets: boxes, "row low high share", the share in %; the 99.9th percentiles, "row value"; the maxima,
#          "row value"; the first row, at the top, being 1
# key      of all CPUs together
# row      the label of each, which may be empty
# shade_text, shade_low, shade_high   what the shares are of, the least, the largest
# of_maximum, of_percentile   what the marks are
# All others are described in style.gp.

if (!exists("style")) {
    print "cpus.gp is loaded by realfeel-analyze, which sets what style.gp names"
    exit status 1
}

# Of many CPUs each has a thinner row.
row_height = rows <= 4 ? 60 : rows <= 12 ? 36 : rows <= 40 ? 22 : rows <= 64 ? 10 : rows <= 128 ? 7 : 3
has_cells = 1
height = 356 + 30 * (limit_names + (remark ne "")) + (rows * row_height < 220 ? 220 : rows * row_height)
load style

set grid noytics nomytics

eval shade_cells

set ytics ()
set for [i = 1:rows] ytics add (row[i] (i) (row[i] eq ""))
set rmargin 12
set style fill solid 1 noborder
# Boxes overlap a little, lest the paper shine through between them; rows only where they are too thin for a seam.
half = row_height > 20 ? 0.46 : 0.505
# Marks stand on paper, for they are as dark as some boxes.
edge = (x_high / x_low)**0.0045
plot data index 0 using (sqrt($2 * $3)):1:2:($3 * 1.005):($1 - half):($1 + half):4 with boxxyerror \
         linecolor palette notitle, \
     for [i = 1:2] data index i using 2:1:($2 / edge):($2 * edge):($1 - half):($1 + half) with boxxyerror \
         fillcolor rgb "#ffffff" notitle, \
     data index 1 using 2:($1 - half):(0):(2 * half) with vectors nohead linetype 1 linecolor rgb "#000000" linewidth 2.5 notitle, \
     data index 2 using 2:($1 - half):(0):(2 * half) with vectors nohead linetype 1 linecolor rgb "#d55e00" linewidth 4 notitle, \
     keyentry with lines linetype nodraw title key[1], \
     keyentry with lines linetype 1 linecolor rgb "#d55e00" linewidth 4 title of_maximum, \
     keyentry with lines linetype 1 linecolor rgb "#000000" linewidth 2.5 title of_percentile, \
     @last_line
