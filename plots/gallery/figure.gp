# SPDX-License-Identifier: GPL-2.0-or-later
# Draws runs of 2002 and of today above each other: those of 2002 in the layout of then, which is a line through the
# counts of the buckets of 0.1 ms, both axes logarithmic, time from 0.1 ms; those of today so, too; all as exceedance.gp
# does.
#
# DATA        a data set "ms count" for each run, those of 2002 first; then those of exceedance.gp
# of_2002     how many runs are
# time_text, count_text, share_text   what is written along the axes
# share_low, share_high   of the axis of shares; y_low and y_high are of the axis of counts
# below       a line for each run: how many samples lie left of the x axis
# All others are described in ../style.gp.

old = int(of_2002)
all = keys

# From the top to the panels, to the key, and to the end.
array top[3] = [85.0, 410.0, 735.0]
array bottom[3] = [325.0, 650.0, 1025.0]
key_top = 1110.0
height = key_top + 30 * (all + 1) + 5
y_short = 1.9
load style

array head[3] = ["2002, in the layout of 2002; counts solved for from its table", \
    "today, in the layout of 2002; in a guest of 8 ns an instruction", "both, as shares above each value"]
at_screen(place) = 1 - place / height
place_panel = 'set tmargin at screen at_screen(top[i]); set bmargin at screen at_screen(bottom[i]); ' \
    . 'set label 1 head[i] at graph 0, graph 1 left offset 0, 0.8 noenhanced textcolor rgb "#303030"; '

set multiplot title title_text noenhanced textcolor rgb "#303030"
unset title
set lmargin at screen 0.125
set rmargin at screen 0.96
set ylabel count_text
unset key
do for [i = 1:2] {
    first = i == 1 ? 1 : old + 1
    last = i == 1 ? old : all
    eval place_panel
    do for [n = first:last] {
        set label 10 + n below[n] at graph 0.99, graph 0.98 right offset 0, -0.6 - 1.1 * (n - first) \
            noenhanced textcolor rgb colour[n]
    }
    plot for [n = first:last] data index n - 1 using 1:2 with lines linetype n
    do for [n = first:last] { unset label 10 + n }
}

i = 3
eval place_panel
set xlabel time_text
set ylabel share_text
y_low = share_low
y_high = share_high
eval log_axis("y")
set key at screen 0.125, screen at_screen(key_top) left top
plot for [n = 1:all] data index all + n - 1 using 1:(level($2)) with lines linetype n title key[n], \
     for [n = 1:all] data index 2 * all + n - 1 using 1:(level($2)) with steps linetype n linewidth 0.8 notitle, \
     data index 3 * all using 1:2:3:3 with points pointtype variable linecolor variable notitle, \
     keyentry with lines linecolor rgb "#606060" linewidth 0.8 \
         title "upper bound of the share, 95 % confidence"
unset multiplot
