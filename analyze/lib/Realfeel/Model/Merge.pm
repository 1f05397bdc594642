# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Model::Merge;
use strict;
use warnings;

use List::Util qw(any min sum0);
use Realfeel::Base::Units qw(printable);
use Realfeel::Input::Format1::Columns qw(LATENCIES PARTS);
use Realfeel::Model::Explain qw(distribution);
use Realfeel::Model::Explain::Sum;
use Realfeel::Model::Likeness qw(doubts);
use Realfeel::Model::Merge::Header;
use Realfeel::Model::Merge::Runs qw(ascending);
use Realfeel::Stat::Distribution;

use constant NONE_IN_COMMON => 'these have no common histogram; merge each kind by itself';
use constant NOT_ALIKE => 'these runs are not alike; if that is meant, give --mixed';
use constant {
    NS_PER_S  => 1_000_000_000,
    BUCKET_US => 100,
    INFINITY  => 9**9**9,
    SIZE      => 8,         # of a number in a packed column
    TOGETHER  => 1000,      # rows
    OF_2002   => 'of 2002, 0.1 ms wide',
    MEASURES  => { interval => ['interval', 'early'], map { $_ => [$_] } LATENCIES },

    # What must be the same in all.
    SAME => [
        [period_ns   => 'another period; ' . NONE_IN_COMMON],
        [lateness_of => 'another way of counting latenesses; ' . NONE_IN_COMMON],
    ],
};

=head1 NAME

Realfeel::Model::Merge - several reports made one

=head1 DESCRIPTION

Reports are added one after the other, and no more is kept than their sum. Neither their order nor the grouping of
merges matters. What all of them know is added exactly; what one of them does not know is left out.

=head1 METHODS

=head2 new(period_ns => $ns, mixed => $bool, cpus => $number)

C<period_ns> is that of files of 2002, C<undef> where it is not known; with C<mixed>, the runs may be unlike, see
L<Realfeel::Model::Likeness>, and the verdict tells it.
C<cpus> is on how many CPUs the runs are of which the reports are of one; 1 if it is left out.

=cut

sub new {
    my ($class, %option) = @_;
    return bless {
        %option,
        reports => 0,
        knowing => {},      # a measure: how many of them
        first   => {},      # that told a key: its file, and the value
        alike   => Realfeel::Model::Likeness->new(qw(cpu frequency_hz)),
        header  => Realfeel::Model::Merge::Header->new,
        runs    => Realfeel::Model::Merge::Runs->new($option{cpus} // 1),
        parts   => Realfeel::Model::Explain::Sum->new,
        bins    => 0,
        place   => {},      # of each bin, by its packed edges, in the columns of counts
        counts  => { map { $_ => [] } qw(interval early old), LATENCIES },  # old is what files of 2002 have of interval
    }, $class;
}

=head2 add($report, @order)

Adds a L<Realfeel::Model::Report>; C<@order> is for its runs, see L<Realfeel::Model::Merge::Runs>. Dies with one line
when it must not be merged with those before.

=cut

sub add {
    my ($self, $report, @order) = @_;
    my $is_old = $report->format eq '2002';
    my %header = $is_old ? $self->_old_header($report)
        : map { $_ => $report->header($_) } grep { $_ ne 'part' } $report->keys;
    $self->_refuse_other($report, $report->latency_words, latency => 'another measure; ' . NONE_IN_COMMON)
        if $report->latency;
    $self->_refuse_other($report, $header{ $_->[0] } // 'none', @$_) for @{ SAME() };
    my ($unlike) = $self->{alike}->add($report, $report->file);
    _refuse($report, _told(@$unlike{qw(key value file first)}, NOT_ALIKE)) if $unlike && !$self->{mixed};
    $self->{coarse} ||= ($header{bins} // '') eq OF_2002;
    $self->{reports}++;
    $self->{header}->add(\%header);
    $self->{runs}->add($report, \%header, @order);
    my $bins = $report->bins;
    $self->_add_bins($bins, (grep { $bins->has($_) } qw(interval early), LATENCIES), $is_old ? 'old' : ());
    $self->_add_measures($report, \%header);
    $self->{parts}->add($report);
}

sub _old_header {
    my ($self, $report) = @_;
    my $period_ns = $self->{period_ns}
        // _refuse($report, 'a file of 2002 tells no period; give it as in --period=488281ns');
    return (
        period_ns    => $period_ns,
        frequency_hz => 0 + sprintf('%.0f', NS_PER_S / $period_ns),
        samples      => sum0(unpack 'q*', $report->bins->packed('interval')),
        bins         => OF_2002,
        map { $_ => 'unknown' } qw(periods missed early_wakeups),
    );
}

sub _refuse_other {
    my ($self, $report, $value, $key, $what) = @_;
    my $first = $self->{first}{$key} //= { file => $report->file, value => $value };
    _refuse($report, _told($key, $value, @$first{qw(file value)}, $what)) if $value ne $first->{value};
}

sub _told {
    my ($key, $value, $file, $first, $what) = @_;
    return "$key is '$value', but that of $file is '$first': $what";
}

sub _refuse {
    my ($report, $why) = @_;
    die printable($report->file . ": $why") . "\n";
}

sub _add_bins {
    my ($self, $bins, @names) = @_;
    my ($place, $from, $to) = ($self->{place}, map { $bins->packed($_) } qw(from_us to_us));
    my @at;
    for (my $i = 0; $i < length $from; $i += SIZE) {
        push @at, $place->{ substr($from, $i, SIZE) . substr($to, $i, SIZE) } //= $self->{bins}++;
    }
    for my $name (@names) {
        my ($counts, $i) = ($self->{counts}{$name}, 0);
        $counts->[ $at[$i++] ] += $_ for unpack 'q*', $bins->packed($name eq 'old' ? 'interval' : $name);
    }
}

# Files of 2002 have the same buckets, so that what these tell of the interval is found at the end, of all together.
sub _add_measures {
    my ($self, $report, $header) = @_;
    for my $measure (grep { $report->bins->has($_) } keys %{ MEASURES() }) {
        $self->{knowing}{$measure}++;
        $self->{header}->add_moments($measure, $header, sub { $report->$measure }) if $report->format ne '2002';
    }
    return unless $header->{parts_matched};
    for my $part (PARTS) { $self->{header}->add_moments($part, $header, sub { distribution($report, $part) }) }
}

=head2 report

The sum, in the form that L<Realfeel::Output::Writer> takes; nothing can be added then. Dies with one line when the
reports have no measure in common.

=cut

sub report {
    my ($self) = @_;
    my @measures = $self->_common_measures;
    my $joined = $self->{runs}->joined;
    $self->_tell_of_old if @{ $self->{counts}{old} };
    $self->_put_early_to_0 if $self->{coarse};
    return {
        $self->{header}->merged([@measures, $self->{parts}->is_known ? PARTS : ()],
            $joined > 1 ? (slices_joined => $joined) : (),
            $self->{alike}->values, doubts => [map { "suspect: $_" } doubts($self->{alike}->unlike)]),
        histogram => $self->_histogram(map { @{ MEASURES->{$_} } } @measures),
        $self->{runs}->sets,
        $self->{parts}->sets,
    };
}

sub _common_measures {
    my ($self) = @_;
    my @common = grep { ($self->{knowing}{$_} // 0) == $self->{reports} } 'interval', LATENCIES;
    @common = grep { $_ eq 'interval' } @common if $self->{coarse};
    die "the files have no measure in common: some hold latencies only, others none; merge each kind by itself\n"
        unless @common;
    return @common;
}

sub _tell_of_old {
    my ($self) = @_;
    my ($place, $old) = ($self->{place}, $self->{counts}{old});
    my @bins = sort { $a->[0] <=> $b->[0] }
        map { [unpack('d2', $_), $old->[ $place->{$_} ]] } grep { $old->[ $place->{$_} ] } keys %$place;
    my ($low, $high, $count) = map { my $column = $_; [map { $_->[$column] } @bins] } 0 .. 2;
    my $all = Realfeel::Stat::Distribution->new(low => $low, high => $high, count => $count);
    $self->{header}->add_moments('interval', { samples => $all->n }, sub { $all });
}

# As files of 2002 have it.
sub _put_early_to_0 {
    my ($self) = @_;
    my ($interval, $early) = @{ $self->{counts} }{qw(interval early)};
    $interval->[ $self->{place}{ pack 'd2', 0, BUCKET_US } //= $self->{bins}++ ] += sum0(grep { defined } @$early);
    @$early = ();
}

# The places of bins by the text of their edges. Where one bin is open, all have the open bin that begins first, and
# what they have in later bins is in it; and the buckets of 2002 take the bins that begin in them.
sub _cells {
    my ($self) = @_;
    my ($place, %cells) = ($self->{place});
    my $open = min(map { my ($from, $to) = unpack 'd2', $_; $to == INFINITY ? $from : () } keys %$place);
    for my $bin (keys %$place) {
        my ($from, $to) = unpack 'd2', $bin;
        if    ($self->{coarse})                 { $to = BUCKET_US + ($from = BUCKET_US * int($from / BUCKET_US)) }
        elsif (defined $open && $from >= $open) { ($from, $to) = ($open, INFINITY) }
        my $cell = join ' ', map { $_ == INFINITY ? 'inf' : sprintf '%.2f', $_ } $from, $to;
        my $at = delete $place->{$bin};
        $self->_move($at, $cells{$cell} //= $at);
    }
    return \%cells;
}

sub _move {
    my ($self, $from, $to) = @_;
    return if $from == $to;
    for (grep { $_->[$from] } values %{ $self->{counts} }) {
        $_->[$to] += $_->[$from];
        $_->[$from] = 0;
    }
}

sub _histogram {
    my ($self, @names) = @_;
    my $place = $self->_cells;
    my @counts = @{ $self->{counts} }{@names};
    my @bins = ascending(grep { my $bin = $place->{$_}; any { $_->[$bin] } @counts } keys %$place);
    _refuse_overlap(@bins);
    return [['from_us', 'to_us', @names], sub {
        my @next = splice @bins, 0, TOGETHER or return undef;
        return join '', map { my $bin = $place->{$_}; join(' ', $_, map { $_->[$bin] || 0 } @counts) . "\n" } @next;
    }];
}

sub _refuse_overlap {
    my $end = 0;
    for (@_) {
        my ($from, $to) = split / /;
        die 'the bin from ' . (0 + $from)
            . " us is of another width in one file than in the others; merge each kind by itself\n" if $from < $end;
        $end = $to;
    }
}

1;
