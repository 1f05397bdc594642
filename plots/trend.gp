# SPDX-License-Identifier: GPL-2.0-or-later
# Draws percentiles and maxima of many runs, over the time of their start or by rank, and which of them missed periods.
#
#   gnuplot -c trend.gp FORMAT PICTURE DATA KEYS TITLE XLABEL YLABEL NUMBERS NOTES
#
# DATA     data sets: four of "seconds value", for p50, p99, p99.9 and the maximum, seconds from 1970 on, or else ranks;
#          "seconds missed", of a million periods, and "seconds letter" where another kernel begins;
#          "seconds value line direction" where a level begins, the direction 1 where it is higher, else -1
# KEYS     four lines, of which each has the name of its statistic
# NUMBERS  the ends of the x axis, the ends of the y axis, the most of a million periods that a run missed,
#          1 where the x axis is one of time, else 0
# The others are described in style.gp.

if (ARGC != 9) {
    print "usage: gnuplot -c trend.gp FORMAT PICTURE DATA KEYS TITLE XLABEL YLABEL NUMBERS NOTES"
    exit status 1
}
format = ARG1; picture = ARG2; data = ARG3; keys = ARG4; title_text = ARG5; x_text = ARG6; y_text = ARG7; numbers = ARG8; notes = ARG9
most = real(word(numbers, 5))
is_time = int(word(numbers, 6))
extra = format eq "dumb" ? 0 : is_time + (most > 0)
load ARG0[1:strlen(ARG0) - strlen("trend.gp")] . "style.gp"

set xrange [number(1):number(2)]
if (is_time) {
    days = (number(2) - number(1)) / 86400
    set xtics time format days > 3 ? "%Y-%m-%d" : "%m-%d %H:%M"
    set xtics days > 3 ? 86400 * ceil(days / 4) : (number(2) - number(1)) / 4
}
set logscale y
# Periods that were missed stand in a stripe of their own below.
room = most > 0 ? 1.15 : 1
span = number(4) / number(3)
bottom = number(3) / span ** (room - 1) / wider
set yrange [bottom:number(4) * wider]
stripe(missed) = number(3) * span ** ((room - 1) * (0.9 * missed / most - 1))

if (on_screen) {
    set terminal dumb size 79, 26 + runs + (most > 0)
    letter(line) = word("5 9 * M", int(line))
    plot for [i = 1:runs] data index i - 1 using 1:2 with points pointtype letter(i) title line_of(keys, i), \
         data index 4 using 1:($2 > 0 ? sqrt(bottom * number(3)) : NaN) with points pointtype "x" \
             title most > 0 ? sprintf("runs that missed some, up to %.0f of a million", ceil(most)) : "", \
         data index 5 using 1:(number(4)):2 with labels notitle, \
         @last_line
} else {
    plot data index 5 using 1:(bottom):(0):(number(4) - bottom) with vectors nohead \
             linetype 1 linecolor rgb "#909090" linewidth 1 dashtype 2 notitle, \
         data index 5 using 1:(number(4)):2 with labels left offset 0.4, -0.6 textcolor rgb "#606060" notitle, \
         for [i = 1:runs] data index i - 1 using 1:2 with linespoints linetype i dashtype solid \
             pointsize 0.35 * mark pointtype 7 title line_of(keys, i), \
         data index 6 using 1:2:($4 > 0 ? 9 : 11):3 with points pointtype variable linecolor variable \
             pointsize 1.3 * mark notitle, \
         data index 4 using 1:(bottom):(0):($2 > 0 ? stripe($2) - bottom : NaN) with vectors nohead \
             linetype 1 linecolor rgb "#000000" linewidth 2 notitle, \
         for [i = 1:is_time] keyentry with points pointtype 9 pointsize 1.3 * mark linecolor rgb "#000000" \
             title "from here on higher; upside down: lower", \
         for [i = 1:most > 0] keyentry with lines linetype 1 linecolor rgb "#000000" \
             title sprintf("missed, up to %.0f of a million", ceil(most)), \
         @last_line
}
