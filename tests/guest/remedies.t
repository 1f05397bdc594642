# SPDX-License-Identifier: GPL-2.0-or-later
# What realfeel-analyze advises helps: before, the advice, after, and a comparison of the two. The culprit goes on acting.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/../lib";
use Cases qw(check_cases run_cases);
use Report qw(whole_report);
use RunCommand qw(contents run);
use Test::More;

my $ROOT  = "$FindBin::Bin/../..";
my $FILES = "$ROOT/build/guest";

# So much of the worst lateness may be left.
use constant LEFT => 0.5;

# For a culprit that acts once a second: ten stalls, and some more, which a percentile needs to be compared.
use constant LONG => 30720;

# A comparison of few stalls cannot tell more than what has changed with them.
my $BETTER = qr/p[\d.]+ is [\d.]+ (?:times|%) lower|Maximum: lower|rt_runtime_us 950000 -> -1/;

# A name, the culprit, the source that it makes late, what is advised, and what does that, for the guest's shell.
my @STOCK = (
    ['priority', 'hog 97 10000', 'nanosleep', qr/chrt -f -p/, 'chrt -f -p 94 $(pidof hog)'],
    ['throttling', 'hog 50 1000 1500', 'nanosleep', qr/sched_rt_runtime_us/, 'echo -1 >/proc/sys/kernel/sched_rt_runtime_us'],
);
my @RT = (
    ['ktimers', 'hog 50 10000', 'rtc', qr{ktimers}, 'chrt -f -p 96 $(pidof ktimers/0)'],
    ['source', 'hog 50 10000', 'rtc', qr/--source=nanosleep/, 'source=nanosleep'],
);

# The same with what is advised for the boot: the flavour and the arguments of the kernel before, and after.
my @BOOTS = (
    ['preempt', 'culprit write 10000 2048', qr/preempt=full/, ['stock', 'preempt=none'], ['stock', 'preempt=full']],
    ['receive', 'culprit receive 10000 1500', qr/PREEMPT_RT/, ['stock'], ['rt']],
    ['expire', 'culprit expire 10000 2000', qr/PREEMPT_RT/, ['stock'], ['rt']],
);

my $BEGIN = <<'EOS';
guard=$(cat /proc/sys/kernel/sched_rt_runtime_us)
EOS

# Runs the commands while the culprit acts, and leaves nothing behind.
sub beside {
    my ($culprit, @commands) = @_;
    return "$BEGIN$culprit >/dev/null &\n" . join(" &&\n", @commands) . <<'EOS';

status=$?
kill -KILL $!
echo $guard >/proc/sys/kernel/sched_rt_runtime_us
[ -z "$(pidof ktimers/0)" ] || chrt -f -p 1 "$(pidof ktimers/0)"
(exit $status)
EOS
}

sub measured {
    my ($name, @options) = @_;
    return "realfeel -q -n 10240 @options -o $name.hist";
}

# What the analyzer tells of a report.
sub explained {
    my ($report) = @_;
    my ($status, $told, $err) = run("$ROOT/analyze/realfeel-analyze", 'explain', $report);
    is($status, 0, 'explained') or diag $err;
    return $told;
}

# The analyzer gives the advice, and the advice helps; the reports of both are in a directory or two.
sub check_advice {
    my ($advice, $before, $after) = @_;
    like(explained("$before/why.hist"), $advice, 'advised');
    my %max = map { $_ => whole_report(contents($_), $_)->{lateness_max_ns} } "$before/before.hist", "$after/after.hist";
    cmp_ok($max{"$after/after.hist"}, '<', LEFT * $max{"$before/before.hist"}, 'the worst wake-up is better by far');
    my (undef, $told) = run("$ROOT/analyze/realfeel-analyze", 'compare', '-v', "$before/before.hist", "$after/after.hist");
    like($told =~ s/\s+/ /gr, $BETTER, 'and so says the comparison') or diag $told;
}

sub tried {
    my ($guest, $name, $culprit, $source, $advice, $command) = @_;
    my $script = beside($culprit, "source=$source", measured('before', '-s $source'), measured('why', '-s $source --explain'),
        $command, measured('after', '-s $source'));
    return [$name, $script, 0, sub { check_advice($advice, ("$FILES/$guest/files/$name") x 2) }];
}

subtest 'stock' => sub { check_cases('remedies-stock', 'stock', [map { tried('remedies-stock', @$_) } @STOCK]) };
subtest 'rt' => sub { check_cases('remedies-rt', 'rt', [map { tried('remedies-rt', @$_) } @RT]) };

for (@BOOTS) {
    my ($name, $culprit, $advice, $before, $after) = @$_;
    subtest "boot: $name" => sub {
        my $long = "-s nanosleep -n @{[LONG]}";
        my @before = (measured('before', $long), measured('why', '-s nanosleep --explain'));
        my %scripts = (before => beside($culprit, @before), after => beside($culprit, measured('after', $long)));
        my %kernel = (before => $before, after => $after);
        for (qw(before after)) {
            my ($flavour, @arguments) = @{$kernel{$_}};
            run_cases("remedies-$name-$_", $flavour, [[$_, $scripts{$_}]], arguments => \@arguments);
        }
        check_advice($advice, map { "$FILES/remedies-$name-$_/files/$_" } qw(before after));
    };
}

done_testing;
