# SPDX-License-Identifier: GPL-2.0-or-later
# Makes several reports one, keeping only their sum. Merging is commutative and associative. Only data that every report
# has are kept, and these add up exactly.
package Realfeel::Model::Merge;
use Realfeel::Base::Modern;

use List::Util qw(sum0);
use Realfeel::Base::Units qw(printable);
use Realfeel::Model::Likeness qw(doubts);
use Realfeel::Model::Merge::Runs;
use Realfeel::Model::Sum qw(OF_2002 refuse_other);

use constant {
    NS_PER_S  => 1_000_000_000,
    NOT_ALIKE => 'these runs are not alike; if that is meant, give --mixed',
};

# %option has period_ns for files of 2002, undef if unknown; mixed, to allow runs that are unlike (see Model::Likeness),
# which the verdict then says; and cpus, how many CPUs the runs used, by default 1
sub new ($class, %option) {
    return bless {
        %option,
        alike => Realfeel::Model::Likeness->new(qw(cpu frequency_hz)),
        sum   => Realfeel::Model::Sum->new('merge each kind by itself'),
        runs  => Realfeel::Model::Merge::Runs->new($option{cpus} // 1),
    }, $class;
}

# @order is passed on to Merge::Runs. Dies with one line if the report must not be merged with those before.
sub add ($self, $report, @order) {
    my %header = $report->format eq '2002' ? $self->_old_header($report)
        : map { $_ => $report->header($_) } grep { $_ ne 'part' } $report->keys;
    $self->{sum}->check($report, \%header);
    my ($unlike) = $self->{alike}->add($report, $report->file);
    refuse_other($report, @$unlike{qw(key value file first)}, NOT_ALIKE) if $unlike && !$self->{mixed};
    $self->{runs}->add($report, \%header, @order);
    $self->{sum}->add($report, \%header);
}

sub _old_header ($self, $report) {
    my $period_ns = $self->{period_ns}
        // die printable($report->file) . ": a file of 2002 tells no period; give it as in --period=488281ns\n";
    return (
        period_ns    => $period_ns,
        frequency_hz => 0 + sprintf('%.0f', NS_PER_S / $period_ns),
        samples      => sum0(unpack 'q*', $report->bins->packed('interval')),
        bins         => OF_2002,
        map { $_ => 'unknown' } qw(periods missed early_wakeups),
    );
}

# The sum as Output::Writer takes it; ends the merge. Dies with one line if the reports have no measure in common.
sub report ($self) {
    my ($alike, $runs) = @$self{qw(alike runs)};
    my $joined = $runs->joined;
    return {
        $self->{sum}->contents(
            $joined > 1 ? (slices_joined => $joined) : (),
            $alike->values, doubts => [map { "suspect: $_" } doubts($alike->unlike)],
        ),
        $runs->sets,
    };
}

1;
