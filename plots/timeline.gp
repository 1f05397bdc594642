# SPDX-License-Identifier: GPL-2.0-or-later
# Draws who had the CPU before the worst wake-ups: a row for each, from the time that it was due to its stamp.
#
# DATA     data sets. Six of boxes, "row from to": tasks, idle, interrupts, the
#          measuring process, softirqs, and what is unknown. Two of names, "row where name colour", on plain boxes and on
#          hatched ones. Two of marks, "row where": expiries and wakings. The first row is at the top.
# key      a line for each of those six, one for the expiries, one for the wakings
# row      the label of each
# from_text, to_text   what the ends of a row are
# All others are described in style.gp.

if (!exists("style")) {
    print "timeline.gp is loaded by realfeel-analyze, which sets what style.gp names"
    exit status 1
}

# Of few wake-ups each has a higher row.
row_height = rows <= 4 ? 60 : rows <= 12 ? 40 : 25
height = 330 + 30 * 7 + (rows * row_height < 120 ? 120 : rows * row_height)
load style
set xtics (from_text 0, to_text 100)
set ytics ()
set for [i = 1:rows] ytics add (row[i] i)
set grid noxtics noytics nomxtics nomytics

set rmargin 4
# Light and dark, plain and hatched, so that they are told apart in grey, too. Thinner lines would be blurred.
array shade[6] = [0xe69f00, 0xf4f4f4, 0x005a8c, 0x009e73, 0x56b4e9, 0xd55e00]
hatch(kind) = kind - 1
half = 0.39
edge = 0.34
small = is_svg ? ",15" : format eq "png" ? ",12" : ",9"
tip = mark * (is_svg ? 0.6 : 0.75) * (rows > 12 ? 1 : 1.3)
set style textbox opaque noborder margins 0.5, 0 fillcolor rgb "#fefefe"
plot for [i = 1:4] data index i - 1 using (($2 + $3) / 2):1:2:3:($1 - half):($1 + half) with boxxyerror \
         fillstyle solid 1 border rgb "#606060" fillcolor rgb shade[i] linewidth 1 dashtype solid notitle, \
     for [i = 5:6] data index i - 1 using (($2 + $3) / 2):1:2:3:($1 - half):($1 + half) with boxxyerror \
         fillstyle pattern hatch(i) border rgb "#606060" fillcolor rgb shade[i] linewidth 1 dashtype solid notitle, \
     data index 6 using 2:1:3:4 with labels center noenhanced font small textcolor rgb variable notitle, \
     data index 7 using 2:1:3:4 with labels center noenhanced boxed font small textcolor rgb variable notitle, \
     data index 8 using 2:($1 - edge) with points pointtype 11 pointsize 1.7 * tip linecolor rgb "#ffffff" notitle, \
     data index 9 using 2:($1 + edge) with points pointtype 9 pointsize 1.7 * tip linecolor rgb "#ffffff" notitle, \
     data index 8 using 2:($1 - edge) with points pointtype 11 pointsize tip linecolor rgb "#000000" notitle, \
     data index 9 using 2:($1 + edge) with points pointtype 9 pointsize tip linecolor rgb "#000000" notitle, \
     for [i = 1:4] keyentry with filledcurves fillstyle solid 1 fillcolor rgb shade[i] dashtype solid title key[i], \
     for [i = 5:6] keyentry with filledcurves fillstyle pattern hatch(i) fillcolor rgb shade[i] dashtype solid title key[i], \
     keyentry with points pointtype 11 pointsize tip linecolor rgb "#000000" title key[7], \
     keyentry with points pointtype 9 pointsize tip linecolor rgb "#000000" title key[8], \
     @last_line
