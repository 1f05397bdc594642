# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Page::Heading;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(heading title);

use List::Util qw(uniq);
use Realfeel::Facts qw(known);
use Realfeel::Names qw(together);
use Realfeel::Page::Html qw(element text);

use constant {
    NAMES_MAX   => 3,
    VALUES_MAX  => 3,
    NOT_KNOWN   => 'not recorded',
    LENGTH_MAX  => 160,
};

=head1 NAME

Realfeel::Page::Heading - which runs the page is about

=head1 FUNCTIONS

=head2 title(@runs)

The names of the runs, or how many they are.

=head2 heading(@runs)

The title, and below it when and where the runs were made: date, host, kernel, load and source.

=cut

sub title {
    my @runs = @_;
    return @runs > NAMES_MAX ? @runs . ' runs' : join ' / ', map { $_->{name} } @runs;
}

sub heading {
    my @runs = @_;
    my @facts = (
        [date => _date(_values('started', @runs))], [host => _values('hostname', @runs)],
        [kernel => map { _kernel($_) } @runs], [load => map { $_ eq 'none' ? 'no load' : $_ } _values('load', @runs)],
        [source => map { _source($_) } @runs],
    );
    return element('header', {}, "\n", element('p', {}, text('realfeel: how late a real-time process was woken')), "\n",
        element('h1', {}, text(title(@runs))), "\n", element('dl', {}, "\n", map { _fact(@$_) } @facts)) . "\n";
}

sub _fact {
    my ($name, @values) = @_;
    my @known = uniq grep { $_ ne NOT_KNOWN } @values;
    my $text = @known == 0 ? NOT_KNOWN : @known > VALUES_MAX ? @known . ' different' : together(@known);
    $text = substr($text, 0, LENGTH_MAX) . '...' if length $text > LENGTH_MAX;
    return element('div', {}, element('dt', {}, text($name)), ' ', element('dd', {}, text($text))) . "\n";
}

sub _values {
    my ($key, @runs) = @_;
    return map { known($_->{report}, $key) // NOT_KNOWN } @runs;
}

# The first and the last, to the minute.
sub _date {
    my @times = sort grep { $_ ne NOT_KNOWN } @_ or return NOT_KNOWN;
    my ($first, $last) = map { /\A(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/ ? [$1, $2] : [$_, ''] } @times[0, -1];
    my $zone = $times[0] =~ /Z\z/ ? ' UTC' : '';
    return join(' ', grep { $_ ne '' } @$first) . $zone if "@$first" eq "@$last";
    return "$first->[0] $first->[1] to $last->[1]$zone" if $first->[0] eq $last->[0];
    return "$first->[0] to $last->[0]";
}

sub _kernel {
    my ($run) = @_;
    my ($release) = _values('kernel_release', $run);
    my $preemption = $run->{report}->preemption;
    return $release eq NOT_KNOWN || !defined $preemption ? $release : "$release, $preemption";
}

sub _source {
    my ($run) = @_;
    my ($source, $rate) = map { _values($_, $run) } qw(source frequency_hz);
    return $source eq NOT_KNOWN || $rate eq NOT_KNOWN ? $source : "$source at $rate Hz";
}

1;
