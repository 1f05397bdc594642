# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Show::Page::Fleet;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(fleet_headline fleet_sections shown);

use List::Util qw(max min);
use Realfeel::Answer::Facts qw(known);
use Realfeel::Base::Units qw(counted duration short);
use Realfeel::Draw::Trend qw(ranked);
use Realfeel::Model::Report::Measures qw(measure_name);
use Realfeel::Show::Page::Html qw(element list number paragraph prose section table text);
use Realfeel::Show::Page::Pictures qw(inline);
use Realfeel::Show::Page::Runs qw(badge badges missed_some runs verdict);

use constant {
    NAMED       => 5,
    UNEQUAL     => 1.5,         # lengths
    ENOUGH      => 10,          # runs
    PERCENTILES => [50, 99, 99.9],
    US          => "\xc2\xb5s",
    ROUGHLY     => '~ marks a percentile beyond which there are too few wake-ups.',
};

=head1 NAME

Realfeel::Show::Page::Fleet - what the page says of a fleet: which run is the worst, and a row for each

=head1 FUNCTIONS

All but C<shown> return HTML; C<$ranking> is that of L<Realfeel::Answer::Fleet>.

=head2 fleet_headline($ranking)

How many runs have which verdict, and the sentences that one would say: which run is worst, how far the others are from
it, and whether any stands out.

=cut

sub fleet_headline {
    my ($ranking) = @_;
    my ($ranked, @rows) = ($ranking->{ranked}, @{ $ranking->{rows} });
    return element('p', { class => 'headline' }, badges(@rows), ' ', prose(join ' ',
        $ranked ? (_worst($ranking, @rows[0 .. $ranked - 1]), _apart($ranking))
            : 'No run has samples of the ' . measure_name($ranking->{measure}) . '.',
        missed_some(@rows))) . "\n";
}

# By what it is ranked.
sub _worst {
    my ($ranking, @ranked) = @_;
    my $worst = $ranked[0];
    my ($verdict, $missed, $limit) = (verdict($worst), map { known($worst->{report}, $_) } qw(missed max));
    my @max = sort { $b <=> $a } map { _of($ranking, $_)->{max_us} } @ranked;
    my @told = (
        ($limit // '') eq 'exceeded' ? 'above its limit' : (),
        $missed ? counted($missed, 'period') . ' missed' : (),
        'at most ' . short(_of($ranking, $worst)->{max_us}) . ' us',
        $verdict =~ /^(?:suspect|invalid)$/ ? $verdict : (),
    );
    return "The worst is $worst->{name}: " . join(', ', @told) . '. Half of ' . counted(scalar @ranked, 'run')
        . ' have a maximum of ' . short($max[$#max / 2]) . ' us or less, the least is ' . short($max[-1]) . ' us.';
}

# The worst of many equal hosts is the worst by chance.
sub _apart {
    my ($ranking) = @_;
    my ($judged, @apart) = ($ranking->{judged}, @{ $ranking->{apart} });
    return 'Too few have alike slices to judge whether any stands out.' if $judged < ENOUGH;
    return "None of $judged stands out from the others by its usual maximum, that of half of its slices." unless @apart;
    my @us = map { short(_of($ranking, $_)->{usual_us}) } @apart;
    return _some(@apart) . (@apart == 1 ? ' stands' : ' stand') . ' out from the others by the usual maximum, '
        . 'that of half of the slices, with ' . ($us[0] eq $us[-1] ? '' : "$us[-1] to ")
        . "$us[0] us; of 100 fleets of as many equal hosts up to 5 have one that does.";
}

sub _of {
    my ($ranking, $row) = @_;
    return $row->{measures}{ $ranking->{measure} };
}

=head2 fleet_sections($templates, $ranking)

The table with a row for each run, the worst first, below a picture of all; and what all that follows is about.

=cut

sub fleet_sections {
    my ($templates, $ranking) = @_;
    my @rows = @{ $ranking->{rows} };
    return (
        section('Runs', list(_remarks($ranking)), _picture($templates, $ranking, @rows), _table($ranking, @rows)),
        section('The worst in detail', map { paragraph($_) } _about($ranking)),
    );
}

# Without gnuplot other pictures complain of it.
sub _picture {
    my ($templates, $ranking, @rows) = @_;
    my @points = grep { defined $_->{max_us} } map { _point($_, _of($ranking, $_)) } @rows or return;
    my $label = measure_name($ranking->{measure});
    my $picture = eval { inline(ranked($templates, $label, @points), 'fleet-', 'all runs by rank') }
        // element('p', { class => 'missing' }, text('No picture: ' . $@ =~ s/\n\z//r . '.'));
    return element('figure', { class => 'fleet' }, "\n", $picture, element('figcaption', {},
        text('Each run, in the order of the table: its percentiles and maximum.'))) . "\n";
}

sub _point {
    my ($row, $is) = @_;
    my ($missed, $periods) = map { known($row->{report}, $_) } qw(missed periods);
    my %us = map { $_ => $is->{us}{$_} // $is->{roughly_us}{$_} } @{ PERCENTILES() };
    return {
        report     => $row->{report},
        p50_us     => $us{50},
        p99_us     => $us{99},
        p999_us    => $us{99.9},
        max_us     => $is->{max_us},
        missed_ppm => $missed && $periods ? 1e6 * $missed / $periods : undef,
    };
}

sub _remarks {
    my ($ranking) = @_;
    my ($ranked, @rows) = ($ranking->{ranked}, @{ $ranking->{rows} });
    my @empty = @rows[$ranked .. $#rows];
    my @seconds = map { known($_->{report}, 'duration_s') // () } @rows;
    my ($least, $most) = (min(@seconds), max(@seconds));
    my @again = @{ $ranking->{given_again} };
    my @unlike = @{ $ranking->{unlike} };
    return (
        $ranked && @empty ? 'Without samples, and so not ranked: ' . _some(@empty) . '.' : (),
        @unlike ? 'The runs are not alike: they differ in ' . join(', ', @unlike) . '.' : (),
        defined $least && $most > UNEQUAL * $least ? 'They are ' . duration($least) . ' to ' . duration($most)
            . ' long: a longer one has a greater maximum.' : (),
        @again ? 'Given more than once, and counted once: ' . _some(map { { name => $_ } } @again) . '.' : (),
    );
}

# The first of them by name.
sub _some {
    my @runs = @_;
    my @names = map { $_->{name} } @runs > NAMED ? @runs[0 .. NAMED - 1] : @runs;
    return join(', ', @names) . (@runs > NAMED ? ' and ' . (@runs - NAMED) . ' others' : '');
}

sub _table {
    my ($ranking, @rows) = @_;
    my @cells = map { [_cells($_, _of($ranking, $_))] } @rows;
    return table(
        caption => ucfirst measure_name($ranking->{measure}) . ' of each run'
            . '; above its limit, missed periods, the maximum: the worst by this stands first',
        note    => (grep { /^~/ } map { @$_ } @cells) ? ROUGHLY : undef,
        columns => ['run', { head => 'verdict', align => 'left' }, (map { "$_ % (${\US})" } @{ PERCENTILES() }),
            "maximum (${\US})", 'missed'],
        rows    => \@cells,
    );
}

sub _cells {
    my ($row, $is) = @_;
    my @percentiles = map { _percentile($is, $_) } @{ PERCENTILES() };
    return ($row->{name}, { html => badge(verdict($row)) }, @percentiles, number($is->{max_us}),
        known($row->{report}, 'missed') // '-');
}

sub _percentile {
    my ($is, $percentile) = @_;
    my $roughly = $is->{roughly_us}{$percentile};
    return defined $roughly ? '~' . number($roughly) : number($is->{us}{$percentile});
}

sub _about {
    my ($ranking) = @_;
    my ($best, @worst) = ($ranking->{best}, @{ $ranking->{worst} });
    return unless @worst;
    my $beside = $best ? ", and about $best->{name}, the best" : '';
    return 'All that follows is about ' . _some(@worst) . $beside
        . '. Name others to realfeel-analyze report for the same of them.';
}

=head2 shown($ranking)

The runs of which all is told, as L<Realfeel::Show::Page::Runs> has them, under the names that they have in the fleet.

=cut

sub shown {
    my ($ranking) = @_;
    my @rows = (grep({ defined } $ranking->{best}), @{ $ranking->{worst} }) or return;
    my @runs = runs(map { $_->{run} } @rows);
    return map { { %{ $runs[$_] }, name => $rows[$_]{name} } } 0 .. $#runs;
}

1;
