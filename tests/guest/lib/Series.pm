# SPDX-License-Identifier: GPL-2.0-or-later
package Series;

use strict;
use warnings;
use Exporter 'import';
use Cases qw(left_by periodic);
use Report qw(faults parse_report traced_us);

our @EXPORT_OK = qw(cases features flavours outcome outcomes series version);

=head1 NAME

Series - series of the kernel, and what works on each

=head2 series()

Those that Debian has, each a hash: C<name>, the C<flavour> of the kernel (see Kernel), and C<short>, whether it is for each
run of the tests.

=cut

my @RELEASES = (['5.10', 'bullseye'], ['6.1', 'bookworm'], ['6.12', 'trixie'], ['newest', 'sid']);

# The first that has a new kind of package, and the newest PREEMPT_RT.
my %SHORT = map { $_ => 1 } qw(trixie sid-rt);

sub series {
    my @all = map { my ($name, $release) = @$_; ([$name, $release], ["$name RT", "$release-rt"]) } @RELEASES;
    push @all, ['6.1 arm64', 'bookworm-arm64'];
    return map { { name => $_->[0], flavour => $_->[1], short => $SHORT{$_->[1]} } } @all;
}

my $LOAD_TIMER = join '; ', map { "insmod /sound/$_.ko" } qw(soundcore snd snd-timer snd-hrtimer);

# The sources; how deferred work is asked for; and what explains.
my @FEATURES = (
    (map { [$_, measured("-s $_ -f 1024 -n 2048"), 0, \&all_samples] } qw(rtc nanosleep timerfd thread)),
    ['ring', measured('-s ring -n 2048'), 0, \&all_samples],
    ['alsa', "$LOAD_TIMER; " . measured('-s alsa -f 1000 -n 2000'), 0, \&all_samples],
    (map { [$_, measured("-s rtc -f 1024 -n 1024 --explain=$_"), 0, \&all_explained] } qw(parts stacks)),
    ['blame', 'start -s nanosleep -f 1024 -a 0 --explain -d 1h; sleep 2; hog 97 1 40; kill -INT $keeper; end', 3, \&blamed],
    (map { [$_ => deferred("workqueue:$_"), 0, \&all_matched] } qw(global unbound private)),
    (map { [$_ => deferred($_), 0, \&all_matched] } qw(tasklet kthread)),
    ['task', 'sleep 60 | sleeper nanosleep other 100 >threads & sleep 1; realfeel -s task:$(cat threads) -n 200 -o report', 0,
        \&seen],
);

sub measured { return "realfeel $_[0] -a 0 -o report" }

sub deferred {
    my $mount = '[ -e /dev/pts/ptmx ] || { mkdir -p /dev/pts; mount -t devpts devpts /dev/pts; }';
    return "$mount; " . measured("-s $_[0] -p 50 -n 100");
}

sub all_samples   { return $_[0]{samples} >= 2000 }
sub all_matched   { return $_[0]{samples} == 100 && $_[0]{matched} == 100 && !$_[0]{unmatched} }
sub all_explained { return $_[0]{parts_matched} >= 0.99 * $_[0]{samples} && !$_[0]{trace_lost} }
sub blamed        { return all_explained(@_) && traced_us($_[0], 'hog') > 30_000 }

# The report begins at any instant, so one wake-up may be seen by half; nearly all were due by the thread's own timer.
sub seen { return $_[0]{unmatched} <= 2 && $_[0]{timed} >= 0.99 * $_[0]{samples} }

=head2 features()

The names of what is tried.

=cut

sub features {
    return map { $_->[0] } @FEATURES;
}

=head2 cases()

A case for each (see Cases), whose check is left to outcome().

=cut

sub cases {
    return (['0-kernel', 'cat /proc/version', 0], map { [@$_[0 .. 2]] } @FEATURES);
}

=head2 outcomes($run)

What became of each feature in a run of the cases, by its name: C<works>; the reason and the remedy, where it was refused;
else what is wrong, behind C<FAILS: >.

=cut

sub outcomes {
    my ($run) = @_;
    my $rtc = periodic(left_by($run, '0-kernel')->{rtc_after} // '');
    return map { ($_->[0] => outcome(left_by($run, $_->[0]), $rtc, @$_[2, 3])) } @FEATURES;
}

# A refusal is a line or more with the thing, the reason and the remedy. Whatever comes of it, the RTC is as before.
sub outcome {
    my ($left, $rtc, $status, $works) = @_;
    defined $left->{status} && defined $left->{pids_after} or return 'FAILS: the guest did not come so far';
    return 'FAILS: the RTC is not put back' if periodic($left->{rtc_after}) ne $rtc;
    return 'FAILS: processes are left' if $left->{pids_after} ne '';
    my ($got) = $left->{status} =~ /(\d+)/;
    if ($got == $status) {
        my $report = parse_report($left->{report} // '');
        my @faults = faults($report);
        return @faults ? "FAILS: @faults" : $works->($report, $left) ? 'works' : 'FAILS: not all is there';
    }
    my ($refusal) = $left->{stderr} =~ /^realfeel: (?!warning:)(.*: .*; .*)$/m;
    return defined $refusal && ($got == 1 || $got == 4) && !defined $left->{report} ? $refusal
        : "FAILS: status $got: $left->{stderr}";
}

=head2 version($run)

The version of the kernel that ran, as Debian has it.

=cut

sub version {
    my ($run) = @_;
    my ($version) = (left_by($run, '0-kernel')->{stdout} // '') =~ /Debian (\S+) \(\d{4}-/;
    return $version;
}

1;
