# SPDX-License-Identifier: GPL-2.0-or-later
# Draws what latenesses are made of: the mean share of each part, stacked, over the percentiles of the lateness.
#
#   gnuplot -c parts.gp FORMAT PICTURE DATA KEYS TITLE XLABEL YLABEL NUMBERS NOTES
#
# DATA     data sets: "one_in share share ..." in %, each with those before it added, where a row holds up to the next;
#          "one_in lateness", what is written above the drawing, in quotes; letters for a terminal, "one_in share part"
# KEYS     a line for each part, the first being at the bottom
# NUMBERS  the ends of the x axis; the ends of the y axis
# The others are described in style.gp.

if (ARGC != 9) {
    print "usage: gnuplot -c parts.gp FORMAT PICTURE DATA KEYS TITLE XLABEL YLABEL NUMBERS NOTES"
    exit status 1
}
format = ARG1; picture = ARG2; data = ARG3; keys = ARG4; title_text = ARG5; x_text = ARG6; y_text = ARG7; numbers = ARG8; notes = ARG9
height = 830
load ARG0[1:strlen(ARG0) - strlen("parts.gp")] . "style.gp"

set logscale x
set xrange [number(1):number(2)]
set yrange [number(3):number(4)]
eval mark_nines
set grid noxtics noytics nomxtics nomytics

# Five parts; but a request waits for no timer, so it has not the first.
absent = 5 - runs
again = 4 - absent
letter(part) = word("e w s a t", int(part) + absent)
latency = strstrt(y_text, "wake-up") ? "wake-up latency" : "lateness"

if (on_screen) {
    set title head_text . "; above: the " . latency
    set terminal dumb size 79, (notes eq "" ? 28 : 29) + runs
    # The latenesses stand in a line of their own.
    set yrange [number(3):number(4) * 1.07]
    set ytics number(4) / 5
    plot data index 2 using 1:2:(letter($3)) with labels notitle, \
         data index 1 using 1:(number(4) * 1.04):2 with labels notitle, \
         for [i = runs:1:-1] keyentry with points pointtype letter(i) title line_of(keys, i), \
         @last_line
} else {
    set rmargin 7
    set tmargin notes eq "" ? 4.2 : 5.7
    set title offset 0, notes eq "" ? 1.2 : 2.4
    if (notes ne "") { set label 1 offset 0, 2.2 }
    set label 2 word(latency, words(latency)) at graph 0, graph 1 right offset -1, 0.9 textcolor rgb "#303030"
    # Light beside dark, so that they are told apart in grey; blocked again, which should not be, is hatched.
    array shade[5] = [0x005080, 0x9ad0f0, 0x009e73, 0xd55e00, 0xe8e8e8]
    plot for [i = runs:again + 1:-1] data index 0 using 1:i + 1 with filledcurves x1 fillstyle solid 1 \
             fillcolor rgb shade[i + absent] notitle, \
         data index 0 using 1:again + 1 with filledcurves x1 fillstyle pattern 4 fillcolor rgb shade[4] notitle, \
         for [i = again - 1:1:-1] data index 0 using 1:i + 1 with filledcurves x1 fillstyle solid 1 \
             fillcolor rgb shade[i + absent] notitle, \
         for [i = 1:runs - 1] data index 0 using 1:i + 1 with lines linetype 1 linecolor rgb "#ffffff" linewidth 1 notitle, \
         data index 1 using 1:(number(4)):2 with labels offset 0, 0.9 textcolor rgb "#303030" notitle, \
         for [i = runs:again + 1:-1] keyentry with filledcurves fillstyle solid 1 fillcolor rgb shade[i + absent] dashtype solid title line_of(keys, i), \
         keyentry with filledcurves fillstyle pattern 4 fillcolor rgb shade[4] dashtype solid title line_of(keys, again), \
         for [i = again - 1:1:-1] keyentry with filledcurves fillstyle solid 1 fillcolor rgb shade[i + absent] dashtype solid title line_of(keys, i), \
         @last_line
}
