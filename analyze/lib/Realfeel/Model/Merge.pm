# SPDX-License-Identifier: GPL-2.0-or-later
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

sub new ($class, %option) {
    return bless {
        %option,
        alike => Realfeel::Model::Likeness->new(qw(cpu frequency_hz)),
        sum   => Realfeel::Model::Sum->new('merge each kind by itself'),
        runs  => Realfeel::Model::Merge::Runs->new($option{cpus} // 1),
    }, $class;
}

=head2 add($report, @order)

Adds a L<Realfeel::Model::Report>; C<@order> is for its runs, see L<Realfeel::Model::Merge::Runs>. Dies with one line
when it must not be merged with those before.

=cut

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

=head2 report

The sum, in the form that L<Realfeel::Output::Writer> takes; nothing can be added then. Dies with one line when the
reports have no measure in common.

=cut

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
