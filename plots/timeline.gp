# SPDX-License-Identifier: GPL-2.0-or-later
# Draws what had the CPU before the worst wake-ups: a row for each, from the time that it was due to its stamp.
#
# DATA     data sets. Two of boxes, "row from to colour", all and those to be hatched. Two of names, "row where name", on
#          plain boxes and on paper. Two of marks, "row where": expiries and wakings. The first row is at the top.
# key      a line for each colour, one for the expiries, one for the wakings
# shade    the colours
# has_taken   1 where boxes are hatched, else 0
# row      the label of each
# from_text, to_text   what the ends of a row are
# All others are described in style.gp.

if (!exists("style")) {
    print "timeline.gp is loaded by realfeel-analyze, which sets what style.gp names"
    exit status 1
}

# Of few wake-ups each has a higher row. The key has columns of five rows.
row_height = rows <= 4 ? 60 : rows <= 12 ? 40 : 25
height = 356 + 30 * 5 + (rows * row_height < 120 ? 120 : rows * row_height)
load style
set key maxcols 3 maxrows 5
set xtics (from_text 0, to_text 100)
set ytics ()
set for [i = 1:rows] ytics add (row[i] i)
set grid noxtics noytics nomxtics nomytics

set rmargin 4
half = 0.39
edge = 0.34
small = is_svg ? ",15" : format eq "png" ? ",12" : ",9"
tip = mark * (is_svg ? 0.6 : 0.75) * (rows > 12 ? 1 : 1.3)
set style textbox opaque noborder margins 0.5, 0 fillcolor rgb "#fefefe"
# Thinner lines would be blurred.
plot data index 0 using (($2 + $3) / 2):1:2:3:($1 - half):($1 + half):4 with boxxyerror \
         fillstyle solid 1 border rgb "#606060" linecolor rgb variable linewidth 1 notitle, \
     data index 1 using (($2 + $3) / 2):1:2:3:($1 - half):($1 + half) with boxxyerror \
         fillstyle transparent pattern 4 border rgb "#606060" linecolor rgb "#000000" linewidth 1 notitle, \
     data index 2 using 2:1:3 with labels center noenhanced font small notitle, \
     data index 3 using 2:1:3 with labels center noenhanced boxed font small notitle, \
     data index 4 using 2:($1 - edge) with points pointtype 11 pointsize 1.7 * tip linecolor rgb "#ffffff" notitle, \
     data index 5 using 2:($1 + edge) with points pointtype 9 pointsize 1.7 * tip linecolor rgb "#ffffff" notitle, \
     data index 4 using 2:($1 - edge) with points pointtype 11 pointsize tip linecolor rgb "#000000" notitle, \
     data index 5 using 2:($1 + edge) with points pointtype 9 pointsize tip linecolor rgb "#000000" notitle, \
     for [i = 1:shades] keyentry with filledcurves fillstyle solid 1 fillcolor rgb int(shade[i]) title key[i], \
     for [i = 1:has_taken] keyentry with filledcurves fillstyle pattern 4 fillcolor rgb "#000000" title "CPU taken away", \
     keyentry with points pointtype 11 pointsize tip linecolor rgb "#000000" title key[shades + 1], \
     keyentry with points pointtype 9 pointsize tip linecolor rgb "#000000" title key[shades + 2]
