# SPDX-License-Identifier: GPL-2.0-or-later
package Recorded;

use strict;
use warnings;
use Exporter 'import';
use Test::More;
use Report qw(whole_report);

our @EXPORT = qw(recorded);

use constant { SAMPLES => 500, BLIND => 'env LD_PRELOAD=/lib/fake_root.so FAKE_' };

=head1 NAME

Recorded - cases: what --explain says of itself, on a kernel that records all and on those that do not

=head2 recorded()

=cut

my %OPTION = (off => '', parts => '--explain=parts', blame => '--explain', stacks => '--explain=stacks');

sub recorded {
    my @nothing = (BLIND . 'PERF_BLIND=1 FAKE_BPF_ERRNO=1', 'realfeel -s nanosleep -n 50 --explain -a 0');
    return (
        ['levels', join("\n", map { "realfeel -s nanosleep -n @{[SAMPLES]} $OPTION{$_} -a 0 -o $_" } sort keys %OPTION),
            0, \&check_levels],
        ['own-processes', <<'EOS', 3, \&check_processes],
start -s thread -p 50 --explain -a 0 -d 1h -- sleep 60
read -r waker <"/proc/$meter/task/$meter/children"
read -r load <"/proc/$standby/task/$standby/children"
echo "keeper:$keeper standby:$standby meter:$meter waker:$waker load:$load" >expected
kill -INT $keeper
end
EOS
        ['nothing-recorded', "@nothing --check >check\n@nothing -q -o quiet 2>said_quiet\n@nothing -o report", 0, \&check_nothing],
        (map { by_programs($_) } qw(SWITCH PERF)),
    );
}

sub check_levels {
    my ($left) = @_;
    my %report = map { $_ => whole_report($left->{$_} // '', $_) } sort keys %OPTION;
    is_deeply({ map { $_ => $report{$_}{explain} } keys %report }, { map { $_ => $_ } keys %report }, 'the report has its level');
    for my $level (qw(parts blame stacks)) {
        my $report = $report{$level};
        cmp_ok($report->{explain_with_ns}, '>', $report->{explain_without_ns}, "$level: the cost");
        my ($recorded, $all) = $report->{explain_switches} =~ /^(\d+) of (\d+)$/;
        is($recorded, $all, "$level: all $all switches of tasks are recorded");
        cmp_ok($all, '>=', SAMPLES, "$level: one a wake-up");
        is((grep { !exists $_->{smis} || !exists $_->{counting_us} } @{ $report->{sets}{events} }), 0, "$level: what else is known");
    }
    is_deeply([grep { $report{$_}{sets}{records} } sort keys %report], [qw(blame stacks)], 'records only from blame on');
    ok(!exists $report{parts}{own_processes}, 'parts name no process');
    like($report{blame}{own_processes}, qr/^keeper:\d+ standby:\d+ meter:\d+$/, 'blame does');
}

sub check_processes {
    my ($left) = @_;
    my %own = map { split /:/ } split ' ', whole_report($left->{report} // '')->{own_processes};
    is_deeply(\%own, { map { split /:/ } split ' ', $left->{expected} }, 'each by its number, the waker and the load, too');
}

# Perf records no tracepoint, and nobody may load programs.
sub check_nothing {
    my ($left) = @_;
    my $misses = qr/the kernel records only 0 of \d+ wakings and \d+ of \d+ task switches on CPU 0: wake-ups /
        . qr/that it misses will stay unexplained; measure another CPU \(--cpu\)/;
    like($left->{check}, qr/^explain: $misses$/m, '--check says so');
    like($left->{stderr}, qr/^realfeel: warning: --explain: $misses\n(?:.*\n)*run /m, 'a run warns');
    is($left->{said_quiet}, '', 'unless it is to be quiet');
    my $report = whole_report($left->{report} // '');
    is($report->{explain_wakings}, '0 of 256', 'the report has how many were recorded');
    like($report->{remarks}, qr/50 of 50 wake-ups are unexplained/, 'and a remark');
}

# Perf records no switches, or no tracepoint at all, and programs do.
sub by_programs {
    my ($what) = @_;
    my $realfeel = BLIND . "${what}_BLIND=1 realfeel -q -s nanosleep -p 50 --explain -a 0";
    return ["\L$what-programs", "$realfeel --check >check\n$realfeel -n 3000 -o report", 0, \&check_programs];
}

sub check_programs {
    my ($left) = @_;
    like($left->{check}, qr/^explain: ok: the kernel records (\d+) of \1 task switches, perf alone 0$/m, '--check says how');
    my $report = whole_report($left->{report} // '');
    my ($recorded, $all) = $report->{explain_switches} =~ /^(\d+) of (\d+)$/;
    is("$recorded $report->{explain_traced}", "$all 0 of $all", 'programs record all switches, perf none');
    cmp_ok($report->{parts_unknown}, '<=', 10, 'nearly all wake-ups are known');
    my ($meter) = $report->{own_processes} =~ /meter:(\d+)/;
    my %ours = map { ("$_->{name} $_->{priority}" => 1) }
        grep { $_->{kind} eq 'switch_in' && $_->{id} == $meter } @{ $report->{sets}{records} };
    is_deeply([keys %ours], ['realfeel rt:50'], 'our name and priority are recorded');
}

1;
