# SPDX-License-Identifier: GPL-2.0-or-later
# The rights that packaging/realtime gives are enough for a member of the group, and none for a stranger. The guest has
# neither udev nor PAM, and so their part is done by hand, with the figures of the files.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/../lib";
use Cases;
use Measuring qw(refused);
use Report qw(whole_report);
use RunCommand qw(contents);
use Test::More;

my ($rules, $limits) = map { contents("$FindBin::Bin/../../packaging/realtime/$_") } qw(60-realfeel-rtc.rules 95-realfeel.conf);
my ($hz) = $rules =~ /^SUBSYSTEM=="rtc", .* ATTR\{max_user_freq\}="(\d+)"$/m;
my %mode = map { /KERNEL=="(\w+)".* GROUP="realtime", MODE="(\d+)"/ ? ($1 => $2) : () } split /^/, $rules;
my ($rtprio, $memlock) = map { $limits =~ /^\@realtime +- +$_ +(\d+)$/m } qw(rtprio memlock);
is_deeply([sort keys %mode], [qw(cpu_dma_latency rtc0)], 'two devices');

my $GIVEN = join '; ', "printf 'member::1:1::/:/bin/sh\\nstranger::2:2::/:/bin/sh\\n' >>/etc/passwd",
    "echo 'realtime:x:9:member' >/etc/group", "echo $hz >/sys/class/rtc/rtc0/max_user_freq",
    map { ("chgrp 9 /dev/$_", "chmod $mode{$_} /dev/$_") } sort keys %mode;
my $LOGGED_IN = "ulimit -r $rtprio; ulimit -l $memlock";

sub measured {
    my ($left) = @_;
    my $report = whole_report($left->{stdout});
    is($report->{verdict}, 'valid', 'nothing is missing');
    is($report->{samples}, 4096, 'samples');
    unlike($left->{stderr}, qr/warning/, 'nor warned of');
}

check_cases('rights', 'stock', [
    ['1-member',   qq($GIVEN; $LOGGED_IN; su member -c "realfeel -s rtc -n 4096 -o -"), 0, \&measured],
    ['2-beyond',   qq($LOGGED_IN; su member -c "realfeel -s rtc -p 96 -n 4096 -o -"),   1, refused(qr/rtprio/)],
    ['3-stranger', q(su stranger -c "realfeel -s rtc -n 4096 -o -"),                    1, refused(qr{/dev/rtc0.*Permission denied}i)],
    ['4-timer',    q(su stranger -c "realfeel -s nanosleep -n 4096 -o -"),              1, refused(qr/rtprio/)],
]);

done_testing;
