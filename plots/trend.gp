# SPDX-License-Identifier: GPL-2.0-or-later
# Draws percentiles and maxima of many runs, over the time of their start or by number, and which of them missed periods.
#
# DATA     data sets: of each line "seconds value", for percentiles and the maximum, seconds from 1970 on, or else numbers;
#          "seconds missed", of a million periods, and "seconds letter" where another kernel begins;
#          "seconds value line direction" where a level begins, the direction 1 where it is higher, else -1
# key      for each line, the name of its statistic
# letters  the letter of each line in a terminal
# most     of a million periods, that a run missed
# is_time  1 where the x axis is one of time, else 0
# of_change, of_missed   what the marks of a level and of missed periods are
# All others are described in style.gp.

if (!exists("style")) {
    print "trend.gp is loaded by realfeel-analyze, which sets what style.gp names"
    exit status 1
}
extra = format eq "dumb" ? 0 : 1 + (most > 0)
load style

if (is_time) {
    days = (x_high - x_low) / 86400
    set xtics time format days > 3 ? "%Y-%m-%d" : "%m-%d %H:%M"
    set xtics days > 3 ? 86400 * ceil(days / 4) : (x_high - x_low) / 4
}
# Periods that were missed stand in a stripe of their own below.
room = most > 0 ? 1.15 : 1
span = y_high / y_low
bottom = y_low / span ** (room - 1) / wider
set yrange [bottom:y_high * wider]
stripe(missed) = y_low * span ** ((room - 1) * (0.9 * missed / most - 1))

if (on_screen) {
    set terminal dumb size 79, 27 + runs + (most > 0) + (note_lines == 2)
    letter(line) = word(letters, int(line))
    plot for [i = 1:runs] data index i - 1 using 1:2 with points pointtype letter(i) title key[i], \
         data index runs using 1:($2 > 0 ? sqrt(bottom * y_low) : NaN) with points pointtype "x" \
             title most > 0 ? of_missed : "", \
         data index runs + 1 using 1:(y_high):2 with labels notitle, \
         @last_line
} else {
    plot data index runs + 1 using 1:(bottom):(0):(y_high - bottom) with vectors nohead \
             linetype 1 linecolor rgb "#909090" linewidth 1 notitle, \
         data index runs + 1 using 1:(y_high):2 with labels left offset 0.4, -0.6 textcolor rgb "#606060" notitle, \
         for [i = 1:runs] data index i - 1 using 1:2 with linespoints linetype i \
             pointsize 0.35 * mark pointtype 7 title key[i], \
         data index runs + 2 using 1:2:($4 > 0 ? 9 : 11):3 with points pointtype variable linecolor variable \
             pointsize 1.3 * mark notitle, \
         data index runs using 1:(bottom):(0):($2 > 0 ? stripe($2) - bottom : NaN) with vectors nohead \
             linetype 1 linecolor rgb "#000000" linewidth 2 notitle, \
         keyentry with points pointtype 9 pointsize 1.3 * mark linecolor rgb "#000000" \
             title of_change, \
         for [i = 1:most > 0] keyentry with lines linetype 1 linecolor rgb "#000000" \
             title of_missed, \
         @last_line
}
