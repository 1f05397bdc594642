# SPDX-License-Identifier: GPL-2.0-or-later
# Draws what latenesses are made of: the mean share of each part, stacked, over the percentiles of the lateness.
#
# DATA     data sets: "one_in share share ..." in %, each with those before it added, where a row holds up to the next;
#          "one_in lateness", what is written above the drawing, in quotes
# key      a line for each part, the first being at the bottom
# above_text   what the numbers above the drawing are, written beside them
# All others are described in style.gp.

if (!exists("style")) {
    print "parts.gp is loaded by realfeel-analyze, which sets what style.gp names"
    exit status 1
}
height = 856
load style

set logscale x
eval mark_nines
set grid noxtics noytics nomxtics nomytics

# Five parts; but a request waits for no timer, so it has not the first.
absent = 5 - runs
again = 4 - absent

set rmargin 7
set tmargin note_lines ? note_lines + 5.7 : 5.2
set title offset 0, note_lines ? note_lines + 1.4 : 1.2
if (note ne "") { set label 1 offset 0, note_lines + 1.2 }
set label 2 above_text at graph 0, graph 1 right offset -1, 0.9 textcolor rgb "#303030"
# Light beside dark, so that they are told apart in grey; blocked again, which should not be, is hatched.
array shade[5] = [0x005080, 0x9ad0f0, 0x009e73, 0xd55e00, 0xe8e8e8]
plot for [i = runs:again + 1:-1] data index 0 using 1:i + 1 with filledcurves x1 fillstyle solid 1 \
         fillcolor rgb shade[i + absent] notitle, \
     data index 0 using 1:again + 1 with filledcurves x1 fillstyle pattern 4 fillcolor rgb shade[4] notitle, \
     for [i = again - 1:1:-1] data index 0 using 1:i + 1 with filledcurves x1 fillstyle solid 1 \
         fillcolor rgb shade[i + absent] notitle, \
     for [i = 1:runs - 1] data index 0 using 1:i + 1 with lines linetype 1 linecolor rgb "#ffffff" linewidth 1 notitle, \
     data index 1 using 1:(y_high):2 with labels offset 0, 0.9 textcolor rgb "#303030" notitle, \
     for [i = runs:again + 1:-1] keyentry with filledcurves fillstyle solid 1 fillcolor rgb shade[i + absent] title key[i], \
     keyentry with filledcurves fillstyle pattern 4 fillcolor rgb shade[4] title key[again], \
     for [i = again - 1:1:-1] keyentry with filledcurves fillstyle solid 1 fillcolor rgb shade[i + absent] title key[i], \
     @last_line
