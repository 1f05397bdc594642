# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Show::Page::Fleet;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(fleet_headline fleet_sections shown);

use List::Util qw(any);
use Realfeel::Answer::Stats qw(known);
use Realfeel::Base::Units qw(duration short);
use Realfeel::Draw::Trend qw(ranked);
use Realfeel::Model::Report::Measures qw(measure_name);
use Realfeel::Show::Figures qw(periods);
use Realfeel::Show::Hosts qw(conclusions hosts_table some_names);
use Realfeel::Show::Page::Html qw(element figure in_us list number paragraph picture prose section table);
use Realfeel::Show::Page::Runs qw(badge badges missed_some runs verdict);
use Realfeel::Show::Words qw(words);

use constant {
    UNEQUAL     => 1.5,         # lengths
    ENOUGH      => 10,          # runs
    PERCENTILES => [50, 99, 99.9],
};

=head1 NAME

Realfeel::Show::Page::Fleet - what the page says of a fleet: which run is the worst, and a row for each

=head1 FUNCTIONS

All but C<shown> return HTML; C<$ranking> is that of L<Realfeel::Answer::Fleet>.

=head2 fleet_headline($ranking)

How many runs have which verdict, and the sentences that one would say: which hosts are bad, and since when; else which
runs exceed their limit, and whether any stands out. Then who missed what, and the greatest maximum, which one of equal
runs has, too.

=cut

sub fleet_headline {
    my ($ranking) = @_;
    my @rows = @{ $ranking->{rows} };
    my @ranked = @rows[0 .. $ranking->{ranked} - 1];
    return element('p', { class => 'headline' }, badges(@rows), ' ', prose(join ' ',
        @ranked ? (_answer($ranking, @ranked), _missed(@ranked), missed_some(@rows), _greatest($ranking, @ranked))
            : words('fleet.no_samples', measure => measure_name($ranking->{measure})))) . "\n";
}

sub _answer {
    my ($ranking, @ranked) = @_;
    return conclusions($ranking->{hosts}) if $ranking->{hosts};
    return (_limits(scalar @{ $ranking->{unread} }, @ranked), _apart($ranking));
}

sub _limits {
    my ($unread, @ranked) = @_;
    my @limited = grep { defined $_->{limit} } @ranked or return;
    my @above = grep { $_->{limit} eq 'exceeded' } @limited;
    return words($unread ? 'fleet.kept_but' : 'fleet.kept', runs => scalar @limited, unread => $unread) unless @above;
    return words(@above == 1 ? 'hosts.exceeds' : 'hosts.exceed', names => some_names(@above));
}

sub _missed {
    my ($first) = sort { known($b->{report}, 'missed') <=> known($a->{report}, 'missed') }
        grep { known($_->{report}, 'missed') } @_ or return;
    return words('fleet.missed', name => $first->{name},
        periods => periods($first->{report}, known($first->{report}, 'missed')));
}

sub _greatest {
    my ($ranking, @ranked) = @_;
    my ($first, @others) = sort { _of($ranking, $b)->{max_us} <=> _of($ranking, $a)->{max_us} } @ranked;
    my @max = map { short(_of($ranking, $_)->{max_us}) } $first, ($first, @others)[@ranked / 2], $others[-1] // $first;
    my ($doubted) = map { words("fleet.doubted_$_") } grep { verdict($first) eq $_ } qw(suspect invalid);
    return words('fleet.greatest', name => $first->{name} . ($doubted // ''), runs => scalar @ranked, max => $max[0],
        half => $max[1], least => $max[2]);
}

# The worst of many equal hosts is the worst by chance.
sub _apart {
    my ($ranking) = @_;
    my ($judged, @apart) = ($ranking->{judged}, @{ $ranking->{apart} });
    return words('hosts.too_short', short => $ranking->{short}, slices => $ranking->{needed}) if $ranking->{short};
    return words('fleet.too_few') if $judged < ENOUGH;
    return words('fleet.none_apart', judged => $judged) unless @apart;
    my ($most, $least) = map { short(_of($ranking, $_)->{usual_us}) } @apart[0, -1];
    my $from_to = $most eq $least ? $most : words('compare.from_to', least => $least, most => $most);
    return words(@apart == 1 ? 'fleet.one_apart' : 'fleet.apart', names => some_names(@apart), usual => $from_to);
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
        $ranking->{hosts} ? section(words('fleet.hosts'), _hosts(hosts_table($ranking->{hosts}))) : (),
        section(words('fleet.runs'), list(_remarks($ranking)), _picture($templates, $ranking, @rows),
            _table($ranking, @rows)),
        section(words('fleet.in_detail'), map { paragraph($_) } _about($ranking)),
    );
}

sub _hosts {
    my ($table) = @_;
    return table(caption => $table->caption, columns => [$table->columns], rows => [$table->rows]);
}

# Without gnuplot other pictures complain of it.
sub _picture {
    my ($templates, $ranking, @rows) = @_;
    my @points = grep { defined $_->{max_us} } map { _point($_, _of($ranking, $_)) } @rows or return;
    my $label = measure_name($ranking->{measure});
    my $picture = eval { picture(ranked($templates, $label, @points), words('fleet.by_rank')) };
    return figure('fleet', words('fleet.picture'), $picture, $@);
}

sub _point {
    my ($row, $is) = @_;
    my ($missed, $periods) = map { known($row->{report}, $_) } qw(missed periods);
    my %us = map { $_ => $is->{us}{$_} // $is->{roughly_us}{$_} } @{ PERCENTILES() };
    return {
        %$row{qw(name report)},
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
    my ($short, $long) = (sort { $a->{s} <=> $b->{s} } grep { defined $_->{s} }
        map { { name => $_->{name}, s => known($_->{report}, 'duration_s') } } @rows)[0, -1];
    my @again = @{ $ranking->{given_again} };
    my @unlike = @{ $ranking->{unlike} };
    my @unread = @{ $ranking->{unread} };
    return (
        @unread ? words('fleet.unread', files => some_names(map { { name => $_ } } @unread)) : (),
        $ranked && @empty ? words('fleet.empty', names => some_names(@empty)) : (),
        @unlike ? words('fleet.unlike', keys => join ', ', @unlike) : (),
        $short && $long->{s} > UNEQUAL * $short->{s}
            ? words('fleet.unequal', name => $short->{name},
                least => duration($short->{s}), most => duration($long->{s}))
            : (),
        @again ? words('fleet.again', names => some_names(map { { name => $_ } } @again)) : (),
    );
}

sub _table {
    my ($ranking, @rows) = @_;
    my @is = map { _of($ranking, $_) } @rows;
    my $is_limited = any { defined $_->{limit} } @rows;
    my @is_rough = grep { defined } map { values %{ $_->{roughly_us} // {} } } @is;
    my %name = ((map { $_ => $_->{name} } @rows),
        map { $_ => words('fleet.is_apart', name => $_->{name}) } @{ $ranking->{apart} });
    return table(
        caption => words('fleet.table', measure => ucfirst measure_name($ranking->{measure})),
        note    => @is_rough ? words('sign.roughly') : undef,
        columns => [words('head.run'), { head => words('head.verdict'), align => 'left' },
            $is_limited ? { head => words('column.limit'), align => 'left' } : (), in_us(words('head.max')),
            words('head.missed'), map { in_us(words('head.percentile', percentile => $_)) } @{ PERCENTILES() }],
        rows    => [map { _row($name{ $rows[$_] }, $rows[$_], $is[$_], $is_limited) } 0 .. $#rows],
    );
}

sub _row {
    my ($name, $row, $is, $is_limited) = @_;
    my $limit = words('fleet.limit_' . ($row->{limit} // 'none'));
    my ($us, $roughly) = @$is{qw(us roughly_us)};
    my @percentiles = map { defined $roughly->{$_} ? '~' . number($roughly->{$_}) : number($us->{$_}) }
        @{ PERCENTILES() };
    return [$name, { html => badge(verdict($row)) }, $is_limited ? $limit : (), number($is->{max_us}),
        known($row->{report}, 'missed'), @percentiles];
}

sub _about {
    my ($ranking) = @_;
    my ($best, @worst) = ($ranking->{best}, @{ $ranking->{worst} });
    return unless @worst;
    return words($best ? 'fleet.about_both' : 'fleet.about', names => some_names(@worst),
        best => $best && $best->{name});
}

=head2 shown($ranking)

The runs of which all is told, as L<Realfeel::Show::Page::Runs> has them, under the names that they have in the fleet.

=cut

sub shown {
    my ($ranking) = @_;
    my @rows = (grep({ defined } $ranking->{best}), @{ $ranking->{worst} }) or return;
    return runs([map { $_->{run} } @rows], map { $_->{name} } @rows);
}

1;
