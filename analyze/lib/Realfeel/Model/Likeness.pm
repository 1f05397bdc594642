# SPDX-License-Identifier: GPL-2.0-or-later
# Whether runs are alike, that is, measured in the same way on the same machine, so that they may be added, compared or
# form a series. A missing header line never counts as a difference: files from 2002 or from other programs have few.
package Realfeel::Model::Likeness;
use Realfeel::Base::Modern;

use Realfeel::Model::Explain qw(level);

# How and on what it was measured: header keys and their plurals
use constant METHOD => (
    [source => 'sources'], [frequency_hz => 'frequencies'], [clock => 'clocks'], [waker => 'wakers'],
    [processes => 'numbers of processes'], [array_bytes => 'sizes of the array'], [policy => 'policies'],
    [priority => 'priorities'], [cpu => 'CPUs'], [load => 'loads'],
    [explain => 'levels of --explain'],
);

# Runs that differ in these cannot be compared; the other keys of METHOD may be what is compared
use constant MEASURED => qw(frequency_hz source clock processes array_bytes explain);
use constant MACHINE => (
    [hostname => 'hosts'], [machine => 'architectures'], [cpu_model => 'CPU models'], [kernel_release => 'kernels'],
    [kernel_version => 'builds of the kernel'], [preemption => 'preemption models'],
    [sched_ext => 'schedulers of sched_ext'],
    [isolcpus => 'sets of isolated CPUs'], [nohz_full => 'sets of CPUs without a tick'], [governor => 'governors'],
);
use constant OR_UNKNOWN => ' or unknown';
use constant PLURAL => { map { @$_ } METHOD, MACHINE };

# Runs may differ in the keys @but
sub new ($class, @but) {
    my %is_free = map { $_ => 1 } @but;
    my @keys = grep { !$is_free{$_} } map { $_->[0] } METHOD, MACHINE;
    return bless { keys => \@keys, first => {}, unlike => {}, lacking => {} }, $class;
}

# Returns what differs in this report: hashes of key, value, first (the value of the first report that has one) and file
# (that report's name)
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

# The value, and whether all runs in the report have it
sub _told ($report, $key) {
    my $value = fact($report, $key) // '';
    my $is_of_all = $value ne '' && $value !~ s/${\OR_UNKNOWN}\z//;
    return ($value eq '' ? undef : $value, $is_of_all);
}

# The keys in which any differ
sub unlike ($self) {
    return grep { $self->{unlike}{$_} } @{ $self->{keys} };
}

# A hash of these header lines for all together: the common value; "several"; or "VALUE or unknown" if some lack it. So
# the result does not depend on the order.
sub values ($self) {
    my ($first, $unlike, $lacking) = @$self{qw(first unlike lacking)};
    return map {
        $_ => $unlike->{$_} ? 'several' : $first->{$_}{first} . ($lacking->{$_} ? OR_UNKNOWN : '')
    } grep { $_ ne 'explain' } keys %$first;
}

# undef if unknown. Loads that differ only in their seed count as equal, as do any costs of --explain.
sub fact ($report, $key) {
    return level($report) // 'off' if $key eq 'explain';
    my $value = $report->header($key) // return undef;
    return undef if $value =~ /^unknown\b/;
    return $key eq 'load' ? $value =~ s/ --seed[ =]\d+//gr : $value;
}

# Why figures of two reports are not comparable: hashes of key, base and file, the values, one of which may be undef
sub differing ($base, $file) {
    my @all = map { { key => $_, base => (_told($base, $_))[0], file => (_told($file, $_))[0] } } MEASURED;
    return grep { ($_->{base} // '') ne ($_->{file} // '') } @all;
}

1;
