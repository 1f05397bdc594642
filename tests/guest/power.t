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

use constant { DISK_MIB => 64, CHECKPOINT_S => 1, SLACK_S => 0.5 };

my $MOUNT = 'mount -t ext4 /dev/vda /disk';

# A run that saves checkpoints, one that has not come to its first, and one that has just ended. The reset is at once: nothing
# is written, nothing unmounted. A host that is busy may take long to serve the disk, so that a checkpoint is awaited.
my @SEEN = 1 .. 4;
my $BEFORE = <<'EOT';
next_checkpoint()
{
	until file=$(stat -c %i /disk/saved 2>/dev/null) && [ "$file" != "$seen" ]; do usleep 20000; done
	seen=$file
	cp /disk/saved "$1"
	uptime_s >"$1-there"
}
uptime_s >from
realfeel -s rtc -d 1h -C 1s -o /disk/saved &
realfeel -s nanosleep -d 1h -C 1h -o /disk/early &
for name in 1 2 3 4; do next_checkpoint "$name"; done
send before
realfeel -s nanosleep -n 2048 -o /disk/finished
echo b >/proc/sysrq-trigger
EOT

my $AFTER = 'ls /disk >names; cp /disk/finished /disk/saved .; umount /disk';

sub check_saved {
    my ($before, $after) = @_;
    my %seen = map { $_ => whole_report($before->{$_} // '', "checkpoint $_") } @SEEN;
    my $saved = whole_report($after->{saved} // '');
    is($saved->{status}, 'checkpoint', 'status');
    cmp_ok($saved->{samples}, '>=', $seen{4}{samples}, 'what is lost is what came after the last that was there');
    for (1 .. 3) {
        my $next_s = $before->{from} + $seen{$_ + 1}{duration_s} - $before->{"$_-there"};
        cmp_ok($next_s, '<', CHECKPOINT_S + SLACK_S, "the next is taken in time after checkpoint $_ was there");
    }
}

sub check_flavour {
    my ($flavour) = @_;
    my $disk = make_disk(image("power-$flavour"), DISK_MIB);
    my $failing = run_cases("power-$flavour", $flavour, [['before', "$MOUNT\n$BEFORE"]], disk => $disk);
    my $again = run_cases("power-$flavour-again", $flavour, [['after', "$MOUNT\n$AFTER"]], disk => $disk);
    my ($before, $after) = (left_by($failing, 'before'), left_by($again, 'after'));
    like($failing->{console}, qr/sysrq: Resetting/, 'the power failed');
    is($after->{status}, "0\n", 'the disk is mounted again') or diag($after->{stderr});
    is(disk_faults($disk), '', 'its file system is sound');
    note($after->{names} =~ s/\n(?=.)/, /gr);
    subtest 'the report of a run that had ended' => sub {
        is(whole_report($after->{finished} // '')->{status}, 'complete', 'status');
    };
    subtest 'a checkpoint' => \&check_saved, $before, $after;
    unlike($after->{names}, qr/^early$/m, 'before the first checkpoint there is nothing by that name');
}

subtest $_ => \&check_flavour, $_ for qw(stock rt);

done_testing;
