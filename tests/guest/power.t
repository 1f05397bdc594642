# SPDX-License-Identifier: GPL-2.0-or-later
# The power fails while realfeel measures. What it had saved until then is there when the machine is up again.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/../lib";
use Cases qw(image left_by run_cases);
use Guest qw(disk_faults make_disk);
use Report qw(whole_report);
use Test::More;

use constant { DISK_MIB => 64, CHECKPOINT_S => 1 };

use constant SLACK_S => 0.5;    # what is saved may be as old as the keeper's tick, and the run begins after the command

my $MOUNT = 'mount -t ext4 /dev/vda /disk';

# A run that saves a checkpoint each second, one that has not come to its first, and one that has just ended. The reset
# is at once: nothing is written, nothing unmounted.
my $BEFORE = <<'EOT';
uptime_s >from
realfeel -s rtc -d 1h -C 1s -o /disk/saved &
realfeel -s nanosleep -d 1h -C 1h -o /disk/early &
sleep 4.5
cp /disk/saved seen
send before
realfeel -s nanosleep -n 2048 -o /disk/finished
echo b >/proc/sysrq-trigger
EOT

my $AFTER = 'ls /disk >names; cp /disk/finished /disk/saved .; umount /disk';

sub check_saved {
    my ($before, $after, $failed_s) = @_;
    my ($seen, $saved) = map { whole_report($_ // '') } $before->{seen}, $after->{saved};
    is($saved->{status}, 'checkpoint', 'status');
    cmp_ok($saved->{samples}, '>=', $seen->{samples}, 'not an older one than there was');
    my $lost_s = $failed_s - $before->{from} - $saved->{duration_s};
    cmp_ok($lost_s, '<', CHECKPOINT_S + SLACK_S, 'what is lost is what came after the last');
}

sub check_flavour {
    my ($flavour) = @_;
    my $disk = make_disk(image("power-$flavour"), DISK_MIB);
    my $failing = run_cases("power-$flavour", $flavour, [['before', "$MOUNT\n$BEFORE"]], disk => $disk);
    my $again = run_cases("power-$flavour-again", $flavour, [['after', "$MOUNT\n$AFTER"]], disk => $disk);
    my ($before, $after) = (left_by($failing, 'before'), left_by($again, 'after'));
    my ($failed_s) = $failing->{console} =~ /\[ *([\d.]+)\] sysrq: Resetting/ or return fail('the power failed');
    is($after->{status}, "0\n", 'the disk is mounted again') or diag($after->{stderr});
    is(disk_faults($disk), '', 'its file system is sound');
    note($after->{names} =~ s/\n(?=.)/, /gr);
    subtest 'the report of a run that had ended' => sub {
        is(whole_report($after->{finished} // '')->{status}, 'complete', 'status');
    };
    subtest 'a checkpoint' => \&check_saved, $before, $after, $failed_s;
    unlike($after->{names}, qr/^early$/m, 'before the first checkpoint there is nothing by that name');
}

subtest $_ => \&check_flavour, $_ for qw(stock rt);

done_testing;
