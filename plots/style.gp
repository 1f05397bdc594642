# SPDX-License-Identifier: GPL-2.0-or-later
# What all templates share. Each of them is called with nine arguments:
#
#   gnuplot -c KIND.gp FORMAT PICTURE DATA KEYS TITLE XLABEL YLABEL NUMBERS NOTES
#
# FORMAT   png, svg (with gnuplot's script for the mouse), still (an svg without), pdf, or dumb for a terminal
# PICTURE  the file to write
# DATA     a file of data sets, two blank lines between them
# KEYS     a line for each run, each with a newline at its end
# NUMBERS  ends of the axes and the like, separated by blanks
# NOTES    a line in red under the title; it may be empty
#
# Before this file is loaded:
#   format, keys, numbers, title_text, notes  those arguments
#   extra                                     only where the key has more lines than runs: how many

set encoding utf8
on_screen = format eq "dumb"
line_of(text, n) = n == 1 ? text[1:strstrt(text, "\n") - 1] : line_of(text[strstrt(text, "\n") + 1:*], n - 1)
lines_in(text) = strstrt(text, "\n") == 0 ? 0 : 1 + lines_in(text[strstrt(text, "\n") + 1:*])
number(n) = real(word(numbers, n))
runs = lines_in(keys)
lines = runs + (exists("extra") ? extra : 0)

# The key stands below the axes, so a run adds a line to the height and takes nothing from the drawing. Letters are large
# enough to be read when the picture is printed 85 mm wide.
if (format eq "png") set terminal pngcairo size 1000, 570 + 27 * lines font "DejaVu Sans,15" background "white"
if (format eq "svg") set terminal svg size 1000, 570 + 27 * lines font "DejaVu Sans,20" background "white" mouse standalone
if (format eq "still") set terminal svg size 1000, 570 + 27 * lines font "DejaVu Sans,20" background "white"
if (format eq "pdf") set terminal pdfcairo size 20cm, 11.4 + 0.54 * lines cm font "DejaVu Sans,12"
if (on_screen) set terminal dumb size 79, 23 + lines

# The colours of Okabe and Ito, which colour-blind readers can tell apart; dashes are the second cue.
# 8 colours and 5 dashes come together again only after 40 runs.
array colour[8] = [0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xe69f00, 0x56b4e9, 0x000000, 0x999999]
do for [i = 1:12] {
    dash = (i - 1) % 5 + 1
    set linetype i linecolor rgb colour[(i - 1) % 8 + 1] linewidth 2 dashtype dash pointtype i pointsize 1.6
}

set border 3 linecolor rgb "#606060"
set tics nomirror out textcolor rgb "#303030"
set title title_text noenhanced textcolor rgb "#303030"
set xlabel noenhanced
set ylabel noenhanced
set key below left Left reverse vertical maxcols 1 height 1 samplen 3 noenhanced textcolor rgb "#303030"
if (!on_screen) {
    set grid xtics ytics mxtics mytics linetype 1 dashtype 1 linewidth 0.8 linecolor rgb "#d8d8d8", \
        linetype 1 dashtype 1 linewidth 0.4 linecolor rgb "#ececec"
}
if (strlen(notes) > 0) {
    set title offset 0, 1.2
    set label 1 notes at graph 0.5, 1 center offset 0, 0.7 noenhanced textcolor rgb "#c00000"
    set tmargin 4
}

# A decade is written as a power of 10 where it would be too long otherwise.
decade_format(low, high) = low < 1e-4 || high >= 1e6 ? (on_screen ? "1e%T" : "10^{%T}") : "%g"
power_format = on_screen ? "1e%T" : "10^{%T}"
# A hair wider, for a label that stands just on the end of a logarithmic axis can be left out.
wider = 1 + 1e-6
