#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# A run every night: the units are what systemd takes, and do nothing until one is enabled; their script keeps reports as
# it says.
use strict;
use warnings;
use Cwd qw(abs_path);
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp qw(tempdir);
use POSIX qw(uname);
use RunCommand qw(run contents file_of);
use Test::More;

my $sources = abs_path("$FindBin::Bin/../..");
my $host    = (uname)[1];
my $dir     = tempdir(CLEANUP => 1);
my @night   = ("$sources/packaging/systemd/realfeel-night", "$dir/realfeel");
chdir $dir or die $!;

subtest 'the units of systemd' => sub {
    plan skip_all => 'systemd-analyze is missing: apt-get install systemd' if (run('systemd-analyze', '--version'))[0];
    is((run('make', '-sC', $sources, 'install', "prefix=$dir/usr"))[0], 0, 'the units are installed');
    for my $unit ('realfeel@night.service', 'realfeel@night.timer') {
        my ($status, $out, $err) = run('systemd-analyze', '--man=no', 'verify', "$dir/usr/lib/systemd/system/$unit");
        is("$status $out", '0 ', "$unit is verified");
        is(join('', grep { /realfeel/ } split /^/, $err), '', "$unit: systemd says nothing about it");
    }
    my $service = contents("$dir/usr/lib/systemd/system/realfeel\@.service");
    my $start = "$dir/usr/libexec/realfeel/realfeel-night $dir/usr/bin/realfeel";
    like($service, qr/^ExecStart=\Q$start\E \$OPTIONS$/m, 'the service runs what is installed');
    my ($options) = $service =~ m{^EnvironmentFile=(.*)/%i\.conf$}m;
    ok(-s "$options/night.conf", 'the service reads the options that are installed');
    my @enabled = map { "$dir/etc/systemd/system/timers.target.wants/realfeel\@$_.timer" } qw(night noon);
    is((run('systemctl', "--root=$dir", 'is-enabled', 'realfeel@night.timer'))[1], "disabled\n", 'the timer is disabled');
    is((run('systemctl', "--root=$dir", 'enable', map { "realfeel\@$_.timer" } qw(night noon)))[0], 0, 'two timers can be enabled');
    is((grep { -l } @enabled), 2, 'each timer has a link');
    is((run('systemctl', "--root=$dir", 'disable', 'realfeel@.timer'))[0], 0, 'all timers are disabled, as when a package is removed');
    is((grep { -l } @enabled), 0, 'no timer has a link');
};

subtest 'options of a night' => sub {
    my $example = contents("$sources/packaging/systemd/night.conf");
    my ($line) = $example =~ /^OPTIONS="(.*)"$/m;
    is(join(' ', $example =~ /^(\w+)=/mg), 'OPTIONS', 'the example keeps all reports');
    my ($status, undef, $err) = run("$sources/realfeel", '--check', '--best-effort', split / /, $line);
    unlike($err, qr/--help/, 'the options of the example are understood') or diag $status;
};

# In place of realfeel: its report has 300 kB, and tells how it was called.
mkdir 'reports' or die $!;
file_of('realfeel', <<'END');
#!/bin/sh
for word; do case $word in --output=*) file=${word#--output=} ;; esac; done
[ ! -e "$file" ] || exit 1
{ echo "$*"; head -c 300000 /dev/zero; } >"$file"
exit 3
END
chmod 0755, 'realfeel' or die $!;
$ENV{STATE_DIRECTORY} = "$dir/reports";

# In place of date and sleep: time passes only where the night waits.
mkdir 'bin' or die $!;
my %command = (date => 'printf "2026-11-20T2305%02dZ\n" "$second"', sleep => 'echo $((second + $1)) >clock');
for (sort keys %command) { chmod 0755, file_of("bin/$_", "#!/bin/sh\nread -r second <clock\n$command{$_}\n") or die $! }
file_of('clock', "7\n");
$ENV{PATH} = "$dir/bin:$ENV{PATH}";
delete $ENV{KEEP_MB};

sub kept { return map { s{^reports/}{}r } sort glob 'reports/*' }

subtest 'names of reports' => sub {
    my ($status, $out, $err) = run(@night, '-d', '8h', '--label=a b');
    is("$status $out$err", '3 ', 'the night ends as realfeel does');
    my ($name) = kept();
    is($name, "$host-2026-11-20T230507Z.hist", 'a report has the name of host and date');
    like(contents("reports/$name"), qr/^--quiet --output=\S+ -d 8h --label=a b\n/, 'a report is measured with all options');
    is((run(@night))[0], 3, 'a later night is measured') for 1 .. 3;
    is_deeply([kept()], [map { "$host-2026-11-20T2305${_}Z.hist" } '07' .. '10'], 'each night of one second waits for a name');
};

subtest 'size of all reports' => sub {
    unlink glob 'reports/*';
    my @old = map { "$host-2026-01-0${_}T010000Z.hist" } 1 .. 9;
    my @others = ("$host-b-2026-01-01T010000Z.hist", 'note.txt', "$host.hist");
    file_of("reports/$_", 'x' x 300_000) for @old, @others;
    local $ENV{KEEP_MB} = 2;
    is((run(@night))[0], 3, 'the night is measured where the size has a limit');
    my %kept = map { $_ => 1 } kept();
    ok($kept{$_}, "$_ is not its own, and stays") for @others;
    my @left = grep { $kept{$_} } @old;
    cmp_ok(scalar @left, '>', 0, 'some old reports are left');
    cmp_ok(scalar @left, '<', 6, 'some reports are removed');
    is_deeply(\@left, [@old[@old - @left .. $#old]], 'the oldest reports are removed');
    local $ENV{KEEP_MB} = 100;
    run(@night);
    is(scalar(kept()), 1 + keys %kept, 'no report is removed where there is room');
};

subtest 'size, where that of others is the reason' => sub {
    unlink glob 'reports/*';
    my @own = map { "$host-2026-01-0${_}T010000Z.hist" } 1 .. 9;
    my @others = map { "$host-b-2026-01-0${_}T010000Z.hist" } 1 .. 9;
    my @links = map { "$host-2025-01-0${_}T010000Z.hist" } 1 .. 2;
    file_of("reports/$_", 'x' x 300_000) for @own, @others;
    symlink $others[0], "reports/$_" for @links;
    local $ENV{KEEP_MB} = 2;
    my ($status, $out, $err) = run(@night);
    is($status, 3, 'the night is measured where others take the room');
    like($err, qr/^realfeel-night: \S+: what is not of \Q$host\E takes \d MB; raise KEEP_MB, or move it$/m,
        'the night says that files of others take the room');
    is(scalar(grep { -e "reports/$_" } @own, @others, @links), 20, 'no report is removed in vain');
    local $ENV{KEEP_MB} = 4;
    ($status, $out, $err) = run(@night);
    is($err, '', 'nothing is said of others if there is more room');
    my @left = grep { -e "reports/$_" } @own;
    cmp_ok(scalar @left, '>', 0, 'some of its own reports are left');
    is_deeply(\@left, [@own[@own - @left .. $#own]], 'the oldest of its own reports are removed');
    is(scalar(grep { -e "reports/$_" } @others), 9, 'no report of others is removed');
};

done_testing();
