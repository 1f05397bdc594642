# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Model::Likeness;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(METHOD differing doubts fact plural);

use Realfeel::Model::Explain qw(level);

# What makes runs like each other: how it was measured, and on what; the key of the header, and its plural.
use constant METHOD => (
    [source => 'sources'], [frequency_hz => 'frequencies'], [clock => 'clocks'], [waker => 'wakers'],
    [processes => 'numbers of processes'], [array_bytes => 'sizes of the array'], [policy => 'policies'],
    [priority => 'priorities'], [cpu => 'CPUs'], [load => 'loads'],
    [explain => 'levels of --explain'],
);

# Figures that were not measured alike in these cannot be compared. The others of METHOD may be what is compared.
use constant MEASURED => qw(frequency_hz source clock processes array_bytes explain);
use constant MACHINE => (
    [hostname => 'hosts'], [machine => 'architectures'], [cpu_model => 'CPU models'], [kernel_release => 'kernels'],
    [kernel_version => 'builds of the kernel'], [preemption => 'preemption models'],
    [sched_ext => 'schedulers of sched_ext'],
    [isolcpus => 'sets of isolated CPUs'], [nohz_full => 'sets of CPUs without a tick'], [governor => 'governors'],
);
use constant OR_UNKNOWN => ' or unknown';
use constant PLURAL => { map { @$_ } METHOD, MACHINE };

=head1 NAME

Realfeel::Model::Likeness - whether runs are alike, so that they may be added, compared, or stand in one series

=head1 DESCRIPTION

Runs are alike when they were measured in the same way on the same machine. What a run does not tell is not unlike: of
files of 2002 and of other programs little is known.

=head1 METHODS

=head2 new(@but)

No runs; they may be unlike in these keys of the header.

=head2 add($report, $name)

A L<Realfeel::Model::Report> of that name. Returns in what it is unlike the first that tells it: a list of hashes
C<key>, C<value>, C<first>, that of the first, and C<file>, its name.

=head2 unlike

The keys in which any are unlike.

=head2 values

A hash of these header lines of all together: the value of all, C<several>, or, where not all tell theirs, the only one
that is told, C<or unknown>. So what is known does not depend on which are put together first.

=cut

sub new ($class, @but) {
    my %is_free = map { $_ => 1 } @but;
    my @keys = grep { !$is_free{$_} } map { $_->[0] } METHOD, MACHINE;
    return bless { keys => \@keys, first => {}, unlike => {}, lacking => {} }, $class;
}

sub add ($self, $report, $name) {
    my @unlike;
    for my $key (@{ $self->{keys} }) {
        my ($value, $is_of_all) = _told($report, $key);
        $self->{lacking}{$key} ||= !$is_of_all;
        next unless defined $value;
        my $first = $self->{first}{$key} //= { key => $key, first => $value, file => $name };
        $self->{unlike}{$key} ||= $value eq 'several' || $value ne $first->{first};
        push @unlike, { %$first, value => $value } if $value ne $first->{first};
    }
    return @unlike;
}

# The value, and whether it is that of all runs in the report.
sub _told ($report, $key) {
    my $value = fact($report, $key) // '';
    my $is_of_all = $value ne '' && $value !~ s/${\OR_UNKNOWN}\z//;
    return ($value eq '' ? undef : $value, $is_of_all);
}

sub unlike ($self) {
    return grep { $self->{unlike}{$_} } @{ $self->{keys} };
}

sub values ($self) {
    my ($first, $unlike, $lacking) = @$self{qw(first unlike lacking)};
    return map {
        $_ => $unlike->{$_} ? 'several' : $first->{$_}{first} . ($lacking->{$_} ? OR_UNKNOWN : '')
    } grep { $_ ne 'explain' } keys %$first;
}

=head1 FUNCTIONS

=head2 METHOD

How it was measured: arrays of the key and what several are called.

=head2 fact($report, $key)

The value of a header line by which runs are alike or not, undef where it is not known. Loads that differ in their seed
are the same, and so is what differs in the costs of C<--explain>.

=cut

sub fact ($report, $key) {
    return level($report) // 'off' if $key eq 'explain';
    my $value = $report->header($key) // return undef;
    return undef if $value =~ /^unknown\b/;
    return $key eq 'load' ? $value =~ s/ --seed[ =]\d+//gr : $value;
}

=head2 differing($base, $file)

In what two reports were not measured alike, so that their figures cannot be compared: a list of hashes C<key>, C<base>
and C<file>, the values, of which one may be undef, not known.

=cut

sub differing ($base, $file) {
    my @all = map { { key => $_, base => (_told($base, $_))[0], file => (_told($file, $_))[0] } } MEASURED;
    return grep { ($_->{base} // '') ne ($_->{file} // '') } @all;
}

=head2 plural($key)

What several of them are called.

=head2 doubts(@keys)

That runs were unlike in these keys, as reasons of a verdict.

=cut

sub plural ($key) { return PLURAL->{$key} }
sub doubts { return map { 'runs of several ' . plural($_) } @_ }

1;
