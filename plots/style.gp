# SPDX-License-Identifier: GPL-2.0-or-later
# The look that all templates share. Before it is loaded:
#   format  png, svg, pdf, or dumb for a terminal
#   runs    how many runs the key lists; the picture grows with it

set encoding utf8
on_screen = format eq "dumb"

# The key stands below the axes, so a run adds a line to the height and takes nothing from the drawing.
if (format eq "png") set terminal pngcairo size 1000, 560 + 20 * runs font "DejaVu Sans,11" background "white"
if (format eq "svg") set terminal svg size 1000, 560 + 20 * runs font "DejaVu Sans,13" background "white"
if (format eq "pdf") set terminal pdfcairo size 25cm, 14 + 0.5 * runs cm font "DejaVu Sans,10"
if (on_screen) set terminal dumb size 79, 23 + runs

# The colours of Okabe and Ito, which colour-blind readers can tell apart; dashes are the second cue.
# 8 colours and 5 dashes come together again only after 40 runs.
array colour[8] = [0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xe69f00, 0x56b4e9, 0x000000, 0x999999]
do for [i = 1:12] {
    dash = (i - 1) % 5 + 1
    set linetype i linecolor rgb colour[(i - 1) % 8 + 1] linewidth 1.5 dashtype dash pointtype i
}

set border 3 linecolor rgb "#606060"
set tics nomirror out textcolor rgb "#303030"
set title noenhanced textcolor rgb "#303030"
set xlabel noenhanced
set ylabel noenhanced
set key below left Left reverse vertical maxcols 1 height 1 samplen 3 noenhanced textcolor rgb "#303030"
if (!on_screen) {
    set grid xtics ytics mxtics mytics linetype 1 dashtype 1 linewidth 0.8 linecolor rgb "#d8d8d8", \
        linetype 1 dashtype 1 linewidth 0.4 linecolor rgb "#ececec"
}
