# SPDX-License-Identifier: GPL-2.0-or-later
# Draws how many wake-ups came early and how many late: signed values, the x axis logarithmic to both sides, the y axis
# logarithmic.
#
# A value lies at a place on the x axis: from -1 to 1 it is the value by the end of the linear part, beyond that 1 and as
# many as it has decades above it, with its sign.
# DATA     a data set "place count" for each run, where the count holds up to the next place; then one of the least and
#          the largest values, "place height run", the first run being 1
# linear   the end of the linear part; the ends of the x axis are places
# All others are described in style.gp.

if (!exists("style")) {
    print "early-late.gp is loaded by realfeel-analyze, which sets what style.gp names"
    exit status 1
}
# The mouse would show places.
if (format eq "svg") { format = "still" }
load style

# A count of 0 has no place on a logarithmic axis: it goes below it, out of sight.
level(count) = count > 0 ? count : y_low / 100
set logscale y
set xrange [x_low:x_high]
set yrange [y_low:y_high]

# So many letters have room beside each other.
room = on_screen ? 64 : format eq "page" ? 44 : 62
letters_at(place) = strlen(sprintf("%g", sgn(place) * linear * 10.0**(int(abs(place)) - 1)))
longest = letters_at(x_high) > letters_at(x_low) ? letters_at(x_high) : letters_at(x_low)
step = (longest + 1) * (x_high - x_low) > room ? 2 : 1
set xtics ("0" 0)
do for [i = 1:14] {
    value = linear * 10.0**(i - 1)
    set for [sign = -1:1:2] xtics add (((i - 1) % step == 0 ? sprintf("%g", sign * value) : "") sign * i)
    do for [m = 2:9] {
        set for [sign = -1:1:2] xtics add ("" sign * (i + log10(m)) 1)
    }
}
set arrow 1 from 0, graph 0 to 0, graph 1 nohead linewidth 1 linecolor rgb "#606060"

if (on_screen) {
    plot for [i = 1:runs] data index i - 1 using 1:(level($2)) with points linetype i title key[i]
} else {
    plot for [i = 1:runs] data index i - 1 using 1:(level($2)) with steps linetype i title key[i], \
         data index runs using 1:2:3:3 with points pointtype variable linecolor variable notitle
}
