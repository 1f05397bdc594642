# SPDX-License-Identifier: GPL-2.0-or-later
# Draws what changes did: on the left a line for each pair of runs, from the base to the change; on the right the effect as
# the pairs came in, and between which it lies. Both axes are logarithmic.
#
# DATA     two data sets for each change: "round base change"; "pair ratio so_far low high known", the ratio of a pair, of all
#          up to it, and its interval; known is 1 where it is known that there is an effect, else 0
# key, name                    for each change; the name stands below its pairs
# base_name                    stands there, too, where there is one change
# base_middle, middle          the median of the base, and that times the effect
# ratio_low, ratio_high, effect_text   of the axis on the right; that on the left is y, and x that of pairs
# All others are described in style.gp.

if (!exists("style")) {
    print "pairs.gp is loaded by realfeel-analyze, which sets what style.gp names"
    exit status 1
}
# The mouse would show the last panel's values everywhere.
if (format eq "svg") { format = "still" }
load style

# A short axis is marked as if it were linear.
even_marks = 'span = y_high - y_low; unit = 10**floor(log10(span)); ' \
    . 'step = span < 2 * unit ? unit / 5 : span < 5 * unit ? unit / 2 : unit; set ytics (); ' \
    . 'set for [n = ceil(y_low / step):floor(y_high / step)] ytics add (n * step)'
mark_y = 'set yrange [y_low:y_high]; set format y "%g"; if (y_high < 5 * y_low) { eval even_marks } else { eval log_marks("y") }'
set logscale y
if (!on_screen) { eval mark_y }
if (on_screen) {
    set title title_text . "\n" . y_text . ", " . effect_text . "\n"
    set xtics x_high < 12 ? 1 : ceil(x_high / 10)
    y_low = ratio_low
    y_high = ratio_high
    eval mark_y
    letter(i) = word("o x s a t", (i - 1) % 5 + 1)
    plot 1 with lines linetype 1 notitle, \
         for [i = 1:runs] data index 2 * i - 1 using 1:4 with points pointtype "-" notitle, \
         for [i = 1:runs] data index 2 * i - 1 using 1:5 with points pointtype "-" notitle, \
         for [i = 1:runs] data index 2 * i - 1 using 1:3 with points pointtype letter(i) title key[i], \
         @last_line
} else {
    unset title
    unset key
    unset label 1
    head = 88 + 30 * note_lines
    foot = 95 + 30 * (runs + more)
    is_narrow = format eq "page"
    from_top(y) = 1 - y / real(height)
    set multiplot
    set label 1 title_text at screen 0.5, from_top(30) center noenhanced textcolor rgb "#303030"
    if (note ne "") { set label 2 note at screen 0.5, from_top(86) center noenhanced textcolor rgb "#c00000" }
    set tmargin at screen from_top(head)
    set bmargin at screen 1 - from_top(foot)

    # Each change stands beside its base.
    at(i) = 1.5 * (i - 1)
    set lmargin at screen is_narrow ? 0.19 : 0.135
    set rmargin at screen is_narrow ? 0.49 : 0.45
    set xrange [-0.2:at(runs) + 1.2]
    set xtics () noenhanced scale 0
    if (runs == 1) { set xtics add (base_name 0, name[1] 1) }
    set for [i = 1:runs * (runs > 1)] xtics add (name[i] at(i) + 0.5)
    set xlabel ""
    do for [i = 1:runs] {
        set arrow i from at(i), base_middle[i] to at(i) + 1, middle[i] nohead front linetype i linewidth 5
    }
    plot for [i = 1:runs] data index 2 * i - 2 using (at(i)):2:(1):($3 - $2) with vectors nohead \
             linetype i linewidth 0.8 notitle, \
         for [i = 1:runs] data index 2 * i - 2 using (at(i)):2 with points linetype i pointtype 7 pointsize 0.35 * mark notitle, \
         for [i = 1:runs] data index 2 * i - 2 using (at(i) + 1):3 with points linetype i pointtype 7 pointsize 0.35 * mark notitle

    unset label
    unset arrow
    set lmargin at screen is_narrow ? 0.64 : 0.57
    set rmargin at screen 0.97
    set xrange [x_low:x_high]
    set xtics autofreq scale 1
    set xtics x_high < 12 ? 1 : ceil(x_high / 10)
    y_low = ratio_low
    y_high = ratio_high
    eval mark_y
    set xlabel x_text
    set ylabel effect_text
    set key at screen 0.03, 1 - from_top(30 * (runs + more) + 8) top left
    set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead back linewidth 1.5 linecolor rgb "#606060"
    plot for [i = 1:runs] data index 2 * i - 1 using 1:4:5 with filledcurves linetype i fillstyle transparent solid 0.15 notitle, \
         for [i = 1:runs] data index 2 * i - 1 using 1:2 with points linetype i pointtype 6 pointsize 0.5 * mark notitle, \
         for [i = 1:runs] data index 2 * i - 1 using 1:3 with lines linetype i linewidth 2.5 title key[i], \
         for [i = 1:runs] data index 2 * i - 1 using 1:($6 > 0 ? $3 : NaN) with points linetype i pointtype 7 pointsize 0.7 * mark notitle, \
         @last_line
    unset multiplot
}
