# SPDX-License-Identifier: GPL-2.0-or-later
# What holds of every page: its figures are those of stats --json, and it needs nothing else.
package PageChecks;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw(drawn_page figures_agree headline opened json page seen stands_alone us);

use FindBin;
use lib "$FindBin::Bin/../plots/lib";
use Analyzer;
use Given;
use JSON::PP ();
use PageTables;
use RunCommand;
use MIME::Base64 qw(decode_base64);
use Test::More;

my $micro = "\xc2\xb5s";

# A page whose pictures are those of Given: most of a page's time would be gnuplot's.
sub page {
    my @arguments = @_;
    my $page;
    given_by(sub { $page = drawn_page(@arguments) });
    return $page;
}

sub drawn_page {
    my @arguments = @_;
    my ($status, $page, $err) = run($analyze, 'report', @arguments);
    is("$status $err", '0 ', "report @arguments: exit status, no complaint");
    return $page;
}

sub json {
    my ($command, @arguments) = @_;
    my ($status, $out) = run($analyze, $command, '--json', @arguments);
    return $status ? () : @{ JSON::PP->new->utf8->decode($out) };
}

# Four digits, and no more than the bins have. The middle of a bin lies between two such numbers: it is a hair more or
# less.
our $hair = 0;

sub us {
    my ($us) = @_;
    return '-' unless defined $us;
    $us += $hair;
    my $places = 4 - length int abs $us;
    return sprintf('%.*f', $places > 2 ? 2 : $places < 0 ? 0 : $places, $us) =~ s/^-(?=[0.]+$)//r;
}

my %measure = ((map { $_ => 'interval' } 'signed interval error', 'interval error (early = 0)', 'interval error'),
    lateness => 'lateness', 'wake-up latency' => 'wakeup', map { $_ => 'wakeups' } 'lateness of wake-ups', 'latency of wake-ups');
# What a cell with this head should say of a run.
sub expected {
    my ($head, $json) = @_;
    return '-' unless $json;
    return $json->{count} if $head eq 'count';
    return defined $json->{"${head}_us"} ? sprintf("%.3f $micro", $json->{"${head}_us"} + $hair / 1e3) =~ s/^-(?=[0.]+ )//r : '-'
        if $head =~ /^(?:min|mean|sd|mode|max)$/;
    if (my ($percentile) = $head =~ /^([\d.]+) %/) {
        my ($is) = grep { $_->{percentile} == $percentile } @{ $json->{percentiles} };
        return '~' . us($is->{roughly_us}) if defined $is->{roughly_us};
        return ($is->{lack} // '') eq 'bins' ? sprintf 'at least %.3f us', $is->{from_us} : "needs $is->{needed}"
            unless defined $is->{value_us};
        my ($low, $high) = @$is{qw(low_us high_us)};
        return us($is->{value_us}) unless defined $low || defined $high;
        return us($is->{value_us}) . "\n" . (defined $low ? us($low) : 'less') . ' to ' . (defined $high ? us($high) : 'more');
    }
    my ($threshold) = $head =~ /^< (\S+) / or return "no such head: $head";
    my ($is) = grep { $_->{threshold_us} == $threshold } @{ $json->{below} };
    return $is ? 100 * $is->{count} / $json->{count} : undef;
}

sub circumstance {
    my ($head, $figures, $run) = @_;
    return ($run->{verdict} // 'no verdict') =~ s/:.*//r if $head eq 'verdict';
    return $run->{results}{missed} // '-' if $head eq 'missed';
    return undef;
}

# Checks each cell of each table of statistics, and returns how many there were.
sub figures_agree {
    my ($page, @files) = @_;
    my @runs = json('stats', @files);
    my ($checked, @wrong) = 0;
    for my $table (grep { $_->{section} =~ /^(?:Figures|Percentiles)/ } tables($page)) {
        my ($heads, @rows) = @{ $table->{rows} };
        for my $i (0 .. $#rows) {
            my $row = $rows[$i];
            for my $column (1 .. $#$row) {
                my ($name) = @files == 1 ? $heads->[$column] : $table->{section} =~ s/.* of the //r;
                my ($head, $run) = @files == 1 ? ($row->[0], $runs[0])
                    : ($heads->[$column], $runs[$i]);
                my $figures = $run->{ $measure{ $name =~ s/ \(.*//r } };
                my $expected = circumstance($head, $figures, $run) // expected($head, $figures);
                next unless defined $expected;
                my $is = $row->[$column];
                $checked++;
                push @wrong, "$name, $head, $run->{file}: '$is', not '$expected'"
                    unless $head =~ /^</ && $is ne '-' ? abs($is =~ s/ %//r - $expected) < 0.51 * 10**-length(($is =~ /\.(\d+)/)[0] // '')
                    : grep { $is eq $_ } $expected, map { local $hair = $_; expected($head, $figures) // '' } -1e-9, 1e-9;
            }
        }
    }
    is_deeply(\@wrong, [], "@files: the figures are those of stats --json");
    return $checked;
}

sub seen { return plain($_[0] =~ s/<style>.*?<\/style>//sr) }

sub headline { return plain($_[0] =~ m{class="headline">(.*?)</(?:p|dl)>}s ? $1 : '') }

sub stands_alone {
    my ($page, $name) = @_;
    my ($style) = $page =~ m{<style>(.*?)</style>}s;
    unlike($style, qr/url\(|\@import/, "$name: the style refers to nothing");
    my @tags = $page =~ /<[A-Za-z](?:[^<>"']|"[^"]*"|'[^']*')*>/g;
    is_deeply([grep { /^<(?:script|iframe|object|embed|image|foreignObject|a|base|form|animate|set)\b/i } @tags], [],
        "$name: no element that runs or fetches");
    is_deeply([grep { s/"[^"]*"/""/gr =~ /\son\w+\s*=/i } @tags], [], "$name: no handler of events");
    my @references = map { /\b(?:href|src|srcset|action|data)\s*=\s*["']([^"']*)/ } @tags;
    is_deeply([grep { !m{^(?:#[\w-]+|data:,|data:image/svg\+xml;base64,[A-Za-z0-9+/]+=*)$} } @references], [],
        "$name: no reference to elsewhere");
    is_deeply([grep { /url\((?!#)/ } @tags], [], "$name: nor by url()");
    my (%seen, @twice) = ();
    @twice = grep { $seen{$_}++ } map { /\sid="([^"]*)"/ } @tags;
    is_deeply(\@twice, [], "$name: names are unique");
    is_deeply([grep { /^#/ && !$seen{ substr $_, 1 } } @references], [], "$name: and those that are referred to are there");
    is(unbalanced($page), '', "$name: elements are closed in order");
    unlike($page, qr/[\x00-\x08\x0b-\x1f\x7f]/, "$name: no control characters");
    ok(utf8::decode(my $copy = $page), "$name: UTF-8");
}

# The page with each picture as a part of it, so that its texts and lines can be asked for.
sub opened {
    my ($page) = @_;
    my $unseen = qr/<\?xml.*?>|<!DOCTYPE.*?>|<(title|desc)>.*?<\/\g1>/s;
    return $page =~ s/<source [^>]*>//gr =~ s{<img src="data:image/svg\+xml;base64,([^"]*)"[^>]*>}{decode_base64($1) =~ s/$unseen//gr}ger;
}

1;
