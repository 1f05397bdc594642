# SPDX-License-Identifier: GPL-2.0-or-later
# What all templates share. realfeel-analyze sets these variables and loads one of them:
#
#   style           this file
#   format          png, svg (with gnuplot's script for the mouse), still (an svg without), page (one without, narrower, so
#                   that it can be read on a telephone), wide (one as wide as a page), pdf, or dumb for a terminal
#   picture, data   the file to write; that of data sets, two blank lines between them
#   title_text      two lines: what is shown, where and when; of which kernel and source
#   x_text, y_text  what is written along the axes
#   note, remark    one or two lines in red under the title, and one that ends the key; each may be empty
#   x_low, x_high, y_low, y_high      the ends of the axes
#   x_kind, y_kind  log, power where counts are on a logarithmic axis, or empty
#   key[]           a line for each run
#   limit_name[], limit_place[]
#
# How many elements an array has is in the variable of its name with an s; where it is 0, gnuplot's array has one.
# What a template sets before it loads this file:
#
#   limit_axis      only where limits are on the y axis: "y"
#   has_cells       only where a picture is full of them
#   extra           only where the key has more lines than runs: how many
#   height          only where the picture has another: in parts of which its width has 1000
#   x_short, y_short  only where an axis has less room for marks than usual: how many times

set encoding utf8
on_screen = format eq "dumb"
runs = keys
more = (exists("extra") ? extra : 0) + limit_names + (remark ne "")
if (!exists("height")) height = (format eq "wide" ? 496 : 606) + 30 * (runs + more)
note_lines = note eq "" ? 0 : strstrt(note, "\n") ? 2 : 1
second_line = note_lines == 2 ? 26 : 0
height = height + second_line

# The key stands below the axes, so a run adds a line to the height and takes nothing from the drawing. Letters are large
# enough to be read when the picture is printed 85 mm wide.
if (format eq "png") set terminal pngcairo size 1000, height font "DejaVu Sans,16.5" background "white"
if (format eq "svg") set terminal svg size 1000, height font "DejaVu Sans,20.5" background "white" mouse standalone
if (format eq "still" || format eq "page") set terminal svg size format eq "page" ? 800 : 1000, height font "DejaVu Sans,20.5" background "white"
if (format eq "wide") set terminal svg size 1200, height font "DejaVu Sans,18" background "white"
if (format eq "pdf") set terminal pdfcairo size 20cm, 0.02 * height cm fontscale 0.75 linewidth 1.6 pointscale 0.7 font "DejaVu Sans,12.5"
if (on_screen) set terminal dumb size 79, 23 + runs + limit_names + (remark ne "") + (note_lines == 2)
set output picture

# An SVG's marks are as large as its letters.
is_svg = format eq "svg" || format eq "still" || format eq "page" || format eq "wide"
mark = is_svg ? 1.1 : 1.6
set pointsize mark

# The colours of Okabe and Ito, which colour-blind readers can tell apart; after 8 runs they come again, in thick lines.
array colour[8] = [0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xe69f00, 0x56b4e9, 0x000000, 0x999999]
do for [i = 1:12] {
    set linetype i linecolor rgb colour[(i - 1) % 8 + 1] linewidth (i > 8 ? 4 : 2) dashtype solid pointtype i pointsize mark
}

set border 3 linecolor rgb "#606060"
set tics nomirror out textcolor rgb "#303030"
set title title_text noenhanced textcolor rgb "#303030"
set xlabel x_text noenhanced
set key below left Left reverse vertical maxcols 1 height 1 samplen 3 spacing (is_svg ? 0.9 : 1) noenhanced textcolor rgb "#303030"
if (!on_screen) {
    set ylabel y_text noenhanced
    # Half of the last number of the x axis stands there.
    set rmargin 5
    set grid xtics ytics mxtics mytics linetype 1 linewidth 0.8 linecolor rgb "#d8d8d8", \
        linetype 1 linewidth 0.4 linecolor rgb "#ececec"
}
if (note ne "" && !on_screen) {
    set title offset 0, note_lines + 0.2
    set label 1 note at graph 0.5, 1 center offset 0, note_lines - 0.3 noenhanced textcolor rgb "#c00000"
    set tmargin note_lines + 4
}

# To be plotted last.
last_line = (limit_names ? 'for [i = 1:limit_names] keyentry with lines dashtype 2 linewidth 2.5 linecolor rgb "#c00000" ' \
    . 'title "limit: " . limit_name[i], ' : '') . 'for [i = 1:(remark ne "")] keyentry with lines linetype nodraw title remark'

# A terminal has no room for a title beside the y axis.
head_text = title_text . (note ne "" ? "\n" . note : "") . "\n" . y_text
if (on_screen) set title head_text

# A hair wider, for a label that stands just on the end of a logarithmic axis can be left out.
wider = 1 + 1e-6

# A logarithmic axis has marks at 1, 2 and 5 of a decade, at 1 and 3, at each power of 10, or only at some, as there is room.
if (!exists("x_short")) x_short = format eq "page" ? 1.4 : 1
if (!exists("y_short")) y_short = format eq "wide" ? 1.3 : 1
log_marks(a) = 'decades = log10(' . a . '_high / ' . a . '_low); crowd = decades * ' . a . '_short; ' \
    . 'first = ceil(log10(' . a . '_low) - 1e-6); last = floor(log10(' . a . '_high) + 1e-6); ' \
    . 'is_power = ' . a . '_kind eq "power" || decades >= 1.5 && (' . a . '_low < 1e-4 || ' . a . '_high > 1e6 || crowd > 20); ' \
    . a . '_format = is_power ? (on_screen ? "1e%T" : "10^{%T}") : "%.10g"; set format ' . a . ' ' . a . '_format; ' \
    . 'set ' . a . 'tics (); set for [d = first:last:ceil(crowd / 10)] ' . a . 'tics add (10.0**d); ' \
    . 'if (!is_power && (crowd < 5 || decades < 1.5)) { ' \
    . '    set for [d = first - 1:last] for [m = (crowd < 3.1 ? 2 : 3):5:3] ' . a . 'tics add (m * 10.0**d) }; ' \
    . 'set for [d = first - 1:last] for [m = 1:(crowd <= 7 ? 9 : 1)] ' . a . 'tics add ("" m * 10.0**d 1)'
log_axis(a) = 'set logscale ' . a . '; set ' . a . 'range [' . a . '_low / wider:' . a . '_high * wider]; ' . log_marks(a)
set xrange [x_low:x_high]
set yrange [y_low:y_high]
if (x_kind ne "") { eval log_axis("x") }
if (y_kind ne "") { eval log_axis("y") }

# A count or a share of 0 has no place on a logarithmic axis: it goes below it, out of sight.
level(count) = count > 0 ? count : y_low / 100

# Only limits are dashed, on a white line where there are cells; their names are in the key.
if (!exists("limit_axis")) limit_axis = "x"
limit_line = ' nohead front from ' . (limit_axis eq "x" ? 'first limit_place[i], graph 0 to first limit_place[i], graph 1' \
    : 'graph 0, first limit_place[i] to graph 1, first limit_place[i]')
do for [i = 1:limit_names] {
    if (exists("has_cells")) { eval 'set arrow 100 + i' . limit_line . ' linewidth 5.5 linecolor rgb "#ffffff"' }
    eval 'set arrow 200 + i' . limit_line . ' dashtype 2 linewidth 2.5 linecolor rgb "#c00000"'
}

# To be evaluated where cells are shaded from shade_low to shade_high, which are of shade_text. Dark to bright, as bright as
# grey shades would be; the rarest are the darkest, so that one alone is seen. Of less than two decades the ends are
# labelled, too, unless a power of 10 is close by.
rounded(x) = x >= 10 ? sprintf("%.0f", x) : sprintf("%.2g", x)
shade_cells = \
    'shade_end = shade_low == shade_high ? shade_low / 10 : shade_low; ' \
    . 'set palette defined (0 "#440154", 1 "#414487", 2 "#2a788e", 3 "#22a884", 4 "#7ad151", 5 "#fde725"); ' \
    . 'set logscale cb; ' \
    . 'set cblabel shade_text offset 1.5 textcolor rgb "#303030"; ' \
    . 'set format cb (shade_low < 1e-3 || shade_high >= 1e5 ? "10^{%T}" : "%g"); ' \
    . 'set colorbox user origin graph 1.02, graph 0 size graph 0.025, graph 1 noborder; ' \
    . 'set cbrange [shade_end:shade_high]; ' \
    . 'close = 0.12 * log10(shade_high / shade_end); ' \
    . 'is_close(beyond) = beyond > 0 && beyond < close; ' \
    . 'if (shade_high < 100 * shade_end) { ' \
    . '    set cbtics add ((is_close(ceil(log10(shade_end)) - log10(shade_end)) ? "" : rounded(shade_end)) shade_end); ' \
    . '    set cbtics add ((is_close(log10(shade_high) - floor(log10(shade_high))) ? "" : rounded(shade_high)) shade_high) }'

# To be evaluated where the x axis is one in N.
nines(n) = n == 0 ? "0" : n == 1 ? "90" : n == 2 ? "99" : "99." . "9999999999999999"[1:n - 2]
mark_nines = 'decades = int(log10(x_high) + 1e-6); ' \
    . 'each = decades <= (on_screen || format eq "page" ? 6 : 7) ? 1 : decades <= 10 ? 2 : 4; ' \
    . 'set xtics (); ' \
    . 'set for [i = 0:decades] xtics add ((i % each == 0 ? nines(i) : "") 10.0**i); ' \
    . 'set for [i = 0:decades] for [m = 2:9] xtics add ("" m * 10.0**i 1); ' \
    . 'if (!on_screen && decades <= 6) { set xtics add ("50" 2) }'
