# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Page::Style;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(css dark);

# The colours of the templates, and what they are on a dark page. The shades of a heat map stay what they are.
use constant DARK => {
    '#ffffff' => '#1c1e21', '#000000' => '#e6e6e6', '#303030' => '#d8d8d8', '#606060' => '#a0a0a0',
    '#d8d8d8' => '#404348', '#ececec' => '#2c2f33', '#0072b2' => '#4aa8e8', '#c00000' => '#ff7b72',
    '#d55e00' => '#ff8c3a', '#009e73' => '#2fc79a', '#cc79a7' => '#e29bc4', '#e69f00' => '#f0b429',
};

=head1 NAME

Realfeel::Page::Style - how a page looks, on any screen and in print

=head1 FUNCTIONS

=head2 dark

A hash from the colours of pictures to those that they have on a dark page.

=head2 css

The style sheet.

=cut

sub dark { return DARK }

sub css { return _sheet() =~ s/^\@DARK\n/_dark_pictures()/mer }

sub _dark_pictures {
    my $rules = '';
    for my $light (sort keys %{ DARK() }) {
        $rules .= join '', map { "  svg [$_=\"$light\"] { $_: ${\DARK->{$light}} }\n" } qw(fill stroke color);
    }
    return $rules;
}

sub _sheet {
    return <<'CSS';
:root { color-scheme: light dark; --paper: #fff; --ink: #202124; --soft: #5f6368; --line: #dadce0; --head: #f3f4f6;
  --good: #137333; --doubt: #8a5300; --bad: #b3261e; --mark: #ffe8a3 }
@media screen and (prefers-color-scheme: dark) {
  :root { --paper: #1c1e21; --ink: #e6e6e6; --soft: #a5a9af; --line: #44484d; --head: #282b2f;
    --good: #6fcf8b; --doubt: #f0b429; --bad: #ff7b72; --mark: #5a4a12 }
@DARK
}
* { box-sizing: border-box }
body { margin: 0 auto; padding: 1rem; max-width: 76rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, "DejaVu Sans", sans-serif; overflow-wrap: anywhere }
h1 { font-size: 1rem; font-weight: normal; color: var(--soft); margin: 0 }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .75rem; padding-bottom: .25rem; border-bottom: 1px solid var(--line) }
h3 { font-size: 1rem; margin: 1.25rem 0 .25rem }
ul { margin: .25rem 0 .75rem; padding-left: 1.25rem }
small, caption, figcaption { font-size: .85rem; color: var(--soft) }
.headline { font-size: 1.35rem; line-height: 1.4; margin: 1rem 0 }
.verdicts { list-style: none; margin: 1rem 0; padding: 0 }
.verdicts > li { margin: .5rem 0 }
.verdict { display: inline-block; padding: 0 .6rem; border: 2px solid; border-radius: .3rem; text-transform: uppercase;
  color: var(--soft) }
.verdict.valid { color: var(--good) }
.verdict.suspect { color: var(--doubt); border-style: dashed }
.verdict.invalid { color: var(--paper); background: var(--bad); border-color: var(--bad) }
.wide { overflow-x: auto; margin: .75rem 0; max-width: 100% }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
caption { text-align: left; padding: .25rem 0; max-width: calc(100vw - 2rem); position: sticky; left: 0 }
th, td { padding: .25rem .6rem; border-bottom: 1px solid var(--line); text-align: right; vertical-align: top;
  overflow-wrap: normal }
thead th { background: var(--head); vertical-align: bottom; font-weight: 600 }
tbody th { background: var(--paper); text-align: left; font-weight: normal; color: var(--soft) }
th.short { white-space: nowrap }
th.long { min-width: 9rem; max-width: 14rem; overflow-wrap: anywhere }
@media (min-width: 40rem) { tbody th { position: sticky; left: 0 } }
thead th:first-child, thead th.words { text-align: left }
td { white-space: nowrap }
td.words { text-align: left; white-space: normal; min-width: 9rem; overflow-wrap: anywhere }
td.better { color: var(--good); font-weight: 600 }
td.worse { color: var(--bad); font-weight: 600 }
.differs { color: var(--bad); font-weight: 700 }
mark { background: var(--mark); color: inherit; border-radius: .2rem }
figure { margin: 1.5rem 0 }
svg { display: block; width: 100%; min-width: 34rem; max-width: 60rem; height: auto }
.missing { padding: 1rem; border: 1px dashed var(--line); color: var(--soft) }
pre { padding: .75rem; background: var(--head); white-space: pre-wrap; font: .85rem/1.5 ui-monospace, monospace }
footer { margin-top: 3rem; font-size: .85rem; color: var(--soft) }
@media print { body { max-width: none; font-size: .8rem } .wide { overflow: visible } figure, tr { break-inside: avoid }
  svg { min-width: 0; max-width: 34rem } }
CSS
}

1;
