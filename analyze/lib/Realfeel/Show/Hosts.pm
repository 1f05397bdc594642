# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Show::Hosts;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(asked_text conclusions hosts_table levels some_names text);

use List::Util qw(any max min sum0 uniqnum);
use Realfeel::Answer::Apart qw(ENOUGH);
use Realfeel::Base::Table;
use Realfeel::Base::Units qw(counted cut_middle duration few printable short wrapped);
use Realfeel::Show::Judge qw(limit_text);
use Realfeel::Show::Words qw(words);

use constant {
    NAMED => 5,                 # hosts, in a sentence
    ROOM  => 38,                # for a name
    US    => "\xc2\xb5s",
};

=head1 NAME

Realfeel::Show::Hosts - many hosts side by side: which is bad, and since when

=head1 FUNCTIONS

C<$answer> is that of L<Realfeel::Answer::Hosts>.

=head2 text($answer)

What to say of them first, and a line for each.

=cut

sub text {
    my ($answer) = @_;
    my ($worse) = grep { @{ $_->{worse} } } @{ $answer->{hosts} };
    my @more = $worse ? words('hosts.more', name => printable($worse->{name})) : ();
    return join '', map { "$_\n" }
        (map { wrapped('', $_) } conclusions($answer), @more), '', hosts_table($answer)->text;
}

=head2 conclusions($answer)

Sentences: who exceeds the limit, who is worse than before, who stands out, each host by its name; else that none does.
And why less is known than could be.

=cut

sub conclusions {
    my ($answer) = @_;
    my @hosts = @{ $answer->{hosts} };
    my @worse = grep { @{ $_->{worse} } } @hosts;
    my @named = few(NAMED, @worse);
    my @told = (
        (map { _worse($_) } @named),
        @worse > @named ? words('hosts.others_worse', others => @worse - @named) : (),
        _apart($answer, grep { $_->{apart} } @hosts),
    );
    my @limits = _limits(grep { $_->{limited} } @hosts);
    return @told || (any { $_->{exceeded} } @hosts) ? (@limits, @told, _too_few($answer), _too_short($answer))
        : _none($answer);
}

# Of one run each, no more than who exceeds it.
sub _limits {
    my @hosts = @_ or return;
    my @above = grep { $_->{exceeded} } @hosts;
    my $limit = asked_text($hosts[0]{series}{asked});
    my $is_once = !any { $_->{limited} > 1 } @hosts;
    return words($is_once ? 'hosts.all_kept_once' : 'hosts.all_kept', hosts => _counted(@hosts), limit => $limit)
        unless @above;
    return words(@above == 1 ? 'hosts.exceeds' : 'hosts.exceed', names => some_names(@above)) if $is_once;
    my @named = few(NAMED, @above);
    return join('; ', (map { words('hosts.exceeded_in', %$_, name => printable($_->{name}), limit => $limit,
            date => _date($_->{last_above})) } @named),
        @above > @named ? words('hosts.others_exceeded', others => @above - @named) : (),
        @hosts > @above ? words('hosts.never', others => @hosts - @above) : ()) . '.';
}

=head2 asked_text($limit)

The limit that was given to all; else that each run has its own.

=cut

sub asked_text {
    my ($limit) = @_;
    return $limit ? limit_text(@$limit{qw(us percentile)}) : words('hosts.own_limit');
}

# That none stands out is not known, either.
sub _too_short {
    my ($answer) = @_;
    return unless $answer->{short};
    return words('hosts.too_short', map { $_ => $answer->{$_} } qw(short slices));
}

# By what could be told.
sub _none {
    my ($answer) = @_;
    my @hosts = @{ $answer->{hosts} };
    my @nothing = ((any { $_->{limited} } @hosts) ? words('hosts.no_limit') : (),
        (any { _is_followed($_) } @hosts) ? words('hosts.not_worse') : (),
        $answer->{judged} >= ENOUGH ? words('hosts.not_apart') : ());
    return (words('hosts.unknown', hosts => _counted(@hosts), needed => $answer->{needed}), _too_short($answer))
        unless @nothing;
    return (words('hosts.none', hosts => _counted(@hosts), is => join words('hosts.or'), @nothing), _too_few($answer),
        _too_short($answer));
}

sub _is_followed { return $_[0]{runs} >= $_[0]{series}{needed} }

sub _too_few {
    my ($answer) = @_;
    my @hosts = @{ $answer->{hosts} };
    my @few = grep { !_is_followed($_) } @hosts or return;
    return words(@few == @hosts ? 'hosts.all_too_few' : 'hosts.too_few', few => scalar @few, hosts => _counted(@hosts),
        needed => $answer->{needed});
}

sub _are_hosts { return !grep { $_->{name} ne ($_->{series}{hostname} // '') } @_ }

# What is of one host each is counted as hosts.
sub _counted {
    my @hosts = @_;
    return _are_hosts(@hosts) ? counted(scalar @hosts, 'host') : words('hosts.series', series => scalar @hosts);
}

sub _worse {
    my ($host) = @_;
    my @worse = @{ $host->{worse} };
    my ($first, @later) = map { my $run = $_; [grep { $_->{run} == $run } @worse] } uniqnum map { $_->{run} } @worse;
    my ($run, $before) = @{ $host->{series}{runs} }[$first->[0]{run} - 1, $first->[0]{run} - 2];
    my ($kernel, $last) = map { $_->{kernel_release} // '' } $run, $before;
    return words($kernel eq $last ? 'hosts.worse' : 'hosts.worse_kernel', name => printable($host->{name}),
        date => _date($run), run => $first->[0]{run}, runs => scalar @{ $host->{series}{runs} },
        kernel => printable($kernel), changes => join '; ', levels($run, @$first), map {
            words('hosts.worse_later', changes => levels($run, @$_), date => _began($host, $_->[0]{run}))
        } @later);
}

sub _date  { return $_[0]{started} =~ s/T.*//r }
sub _began { return _date($_[0]{series}{runs}[ $_[1] - 1 ]) }

=head2 levels($run, @changes)

What was before and after these, which began with this run of L<Realfeel::Answer::Trend>.

=cut

sub levels {
    my ($run, @changes) = @_;
    my ($first, @others) = map { _levels($run, $_) } @changes;
    $first .= words('trend.us') unless $changes[0]{key} eq 'missed_ppm';
    return join ', ', $first, @others;
}

sub _levels {
    my ($run, $change) = @_;
    my ($is_missed, @levels) = ($change->{key} eq 'missed_ppm', @$change{qw(before after)});
    my ($before, $after) = map { $is_missed ? sprintf '%.3g', $_ : short($_) } @levels;
    return words($is_missed ? 'trend.change_missed' : 'trend.change', statistic => $change->{statistic},
        before => $before, after => $after, counted => $run->{counted});
}

sub _apart {
    my ($answer, @apart) = @_;
    return unless @apart;
    my @us = map { $_->{usual_us} } @apart;
    my ($least, $most) = map { short($_) } min(@us), max(@us);
    return words(@apart == 1 ? 'hosts.apart_one' : 'hosts.apart', names => some_names(@apart),
        judged => $answer->{judged},
        usual => $least eq $most ? $most : words('compare.from_to', least => $least, most => $most));
}

=head2 some_names(@hosts)

The first by their names, and how many others there are.

=cut

sub some_names {
    my @hosts = @_;
    my @named = few(NAMED, @hosts);
    return join(', ', map { printable($_->{name}) } @named)
        . (@hosts > @named ? words('fleet.others', others => @hosts - @named) : '');
}

=head2 hosts_table($answer)

A L<Realfeel::Base::Table> with a row for each, as ranked: its runs, whether its limit was kept, the maximum, what was
missed, and since when it is another.

=cut

sub hosts_table {
    my ($answer) = @_;
    my @hosts = @{ $answer->{hosts} };
    my $is_limited = any { $_->{limited} } @hosts;
    my $name = { head => words(_are_hosts(@hosts) ? 'column.host' : 'column.series'), align => 'left' };
    my $max = { head => words('column.max_us'), title => words('html.times', name => words('column.max'), unit => US) };
    my @left = map { { head => words("column.$_"), align => 'left' } } qw(limit changed);
    return Realfeel::Base::Table->new(
        note    => (any { @{ $_->{series}{changes} } } @hosts) ? words('trend.marks') : undef,
        caption => words('hosts.caption', hosts => _counted(@hosts), runs => sum0(map { $_->{runs} } @hosts)),
        columns => [$name, words('column.runs'),
            $is_limited ? $left[0] : (), $max, words('column.missed'), $left[1]],
        rows    => [map { [
            cut_middle($_->{name}, ROOM), $_->{runs}, $is_limited ? _limit($_) : (),
            defined $_->{max_us} ? short($_->{max_us}) : '-', $_->{missed} // '-', _remarks($_),
        ] } @hosts],
    );
}

sub _limit {
    my ($host) = @_;
    return '-' unless $host->{limited};
    return words($host->{exceeded} ? 'hosts.exceeded' : 'hosts.kept', %$host);
}

sub _remarks {
    my ($host) = @_;
    my @remarks = (_since($host), $host->{apart} ? words('hosts.is_apart') : (),
        $host->{is_short} ? words('hosts.newest_short', time => duration($host->{newest_s})) : (),
        $host->{series}{newest_unread} ? words('hosts.newest_unread') : ());
    return @remarks ? join '; ', @remarks : '-';
}

# For the worse, else the last step.
sub _since {
    my ($host) = @_;
    my ($last) = reverse @{ $host->{series}{steps} };
    my @changes = @{ $host->{worse} } ? @{ $host->{worse} } : $last ? @{ $last->{changes} } : return;
    my $run = min(map { $_->{run} } @changes);
    return words('hosts.since', date => _began($host, $run), run => $run,
        changes => join ' ', map { $_->{statistic} . ($_->{worse} ? '^' : 'v') } @changes);
}

1;
