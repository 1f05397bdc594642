# SPDX-License-Identifier: GPL-2.0-or-later
# What cannot be done is refused at once: one line that names the thing, the reason and the remedy; no report.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FakeRtc;
use POSIX qw(mkfifo :errno_h);
use Program;
use RunCommand;
use Test::More;

my $WHOLE    = 'not a whole number; give digits only';
my $RANGE    = 'out of range; give 1 to ';
my $NOT_RTC  = 'is not an RTC .*; name one with --device';
my $NOW      = '(?: \(now \d+\))?';
my $LONG     = 'x' x 300;

# Options, the line behind "realfeel: ", and the exit status where it is not 1.
my @OPTIONS = (
    [['-s', 'nanosleep', '-f', '0'],    '--frequency=0: --source=nanosleep takes 1 to 100000 Hz'],
    (map { [['-f', $_], "--frequency=$_: not a rate; give whole Hz, as in 2048"] } '3x', '', '-5', '9' x 20),
    [['-n', '0'],                       "--samples=0: $RANGE\\d+"],
    [['-n', '-5'],                      "--samples=-5: $RANGE\\d+"],
    [['-n', '+5'],                      "--samples=\\+5: $WHOLE.*"],
    [['-n', '99999999999999999999'],    "--samples=99999999999999999999: $RANGE\\d+"],
    [['-d', '5'],                       '--duration=5: needs a unit; one of ns, us, ms, s, m, h, d'],
    [['-d', '0s'],                      '--duration=0s: nothing would be measured; give more, as in 10s'],
    [['-d', '1e3s'],                    '--duration=1e3s: not a time; give a number and a unit, as in .*'],
    [['-d', '-5s'],                     '--duration=-5s: not a time; give a number and a unit, as in .*'],
    [['-d', 'nonsense'],                '--duration=nonsense: not a time; give a number and a unit, as in .*'],
    [['-d', '9999999h'],                '--duration=9999999h: too long; give at most .*'],
    [['--dma-latency=5'],               '--dma-latency=5: needs a unit; one of .*'],
    [['--dma-latency=3000s'],           '--dma-latency=3000s: too long; give at most 2147s'],
    [['--idle-latency=5'],              '--idle-latency=5: needs a unit; one of .*'],
    (map { [["--idle-latency=$_"],      "--idle-latency=$_: not a time; give a number and a unit, as in .*"] } 'abc', '-5us', '>', ''),
    [['--idle-latency=2148s'],          '--idle-latency=2148s: too long; give at most 2147s'],
    [['-s', 'foo'],                     '--source=foo: unknown; one of auto, rtc, nanosleep, timerfd, .*'],
    [['-c', 'foo'],                     '--clock=foo: unknown; one of auto, monotonic, tsc'],
    [['-P', 'foo'],                     '--policy=foo: unknown; one of fifo, rr, deadline, other'],
    (map { [['-P', $_, '-p', '3'],      "--priority=3: --policy=$_ has none; leave it out"] } qw(other deadline)),
    [['-P', 'deadline', '-s', 'ring'],  '--policy=deadline: --source=ring has no rate, and so no period; use --policy=fifo'],
    (map { [['-P', 'deadline', '-s', $_], "--policy=deadline: --source=$_ measures work of the kernel, not of .*; use --policy=fifo"] }
        qw(workqueue tasklet kthread)),
    [['-p', '0'],                       "--priority=0: ${RANGE}99"],
    [['-p', '100'],                     "--priority=100: ${RANGE}99"],
    (map { [['-a', $_],                 "--cpu=$_: out of range; give 0 to \\d+"] } qw(9999 99999 0-1024)),
    (map { [['-a', $_],                 "--cpu=$_: not a list of CPUs; give .*, as in 0-3,6, or all"] } '0-', ',', '', 'all,1'),
    [['-a', '3-1'],                     '--cpu=3-1: a range ends before it begins; give the lower .* first, as in 0-3'],
    [['--aligned'],                     '--aligned: no CPUs are named; give --cpu, as in --cpu=all'],
    [['-s', 'timerfd', '-f', '100001'], '--frequency=100001: --source=timerfd takes 1 to 100000 Hz'],
    [['-s', 'timerfd', '-D', 'plain'],  '--device=plain: --source=timerfd has no device; leave one .*'],
    [['-s', 'alsa', '-f', '1001'],      '--frequency=1001: --source=alsa takes 1 to 1000 Hz; use --source=nanosleep for more'],
    [['-s', 'alsa', '-D', 'missing'],   'open missing: No such file or directory; use --source=nanosleep', 4],
    (map { [['-s', 'alsa', '-D', $_],   "$_: it is not a timer of the sound system; use --source=nanosleep"] } qw(plain directory fifo)),
    [['extra'],                         'extra: unexpected; .*, see --help'],
    [['-o', '--', 'extra'],             'extra: unexpected; .*, see --help'],
    [['-F', '--'],                      'no command after --; name a load, or leave out --'],
    [['-o', '--', '--'],                'no command after --; name a load, or leave out --'],
    [['--label', '--', '-a', '--'],     '--cpu=--: not a list of CPUs; give .*'],
    [['-D', 'missing'],                 'open missing: No such file or directory; use --source=nanosleep', 4],
    [['-D', '/dev/null'],               "/dev/null $NOT_RTC"],
    [['-D', 'plain'],                   "plain $NOT_RTC"],
    [['-D', 'directory'],               "directory $NOT_RTC"],
    [['-D', 'fifo'],                    "fifo $NOT_RTC"],
    [['--label='],                      '--label=: empty; give a text, or leave it out'],
    [['-o', ''],                        '--output=?: the name is empty; name another'],
    [['-o', 'plain'],                   '--output=plain: exists; name another, or overwrite it with --force'],
    [['-o', 'dangling'],                '--output=dangling: is a link that leads nowhere; name a file'],
    [['-o', 'directory'],               '--output=directory: is a directory; name a file in it'],
    [['-F', '-o', 'directory'],         '--output=directory: is a directory; name a file in it'],
    [['-o', 'nowhere/report'],          'write nowhere/report: .*No such file or directory; name .* --output'],
    [['-o', 'program/report'],          'write program/report: .*Not a directory; name .* --output'],
    [['-o', 'report/'],                 '.*report/: .*; name .*'],
    [['-o', $LONG],                     ".*$LONG: .*too long; name another.*"],
    [['-o', "two\nlines/report"],       'write two\S+lines/report: .*No such file or directory; name .*'],
);

my $SLOW = ['-f', 64];    # a rate that every user may have

# The RTC's own ways to refuse: the settings of the fake one, options, the line.
my @DEVICE = (
    [{open_errno => EBUSY},   $SLOW,          'open /dev/rtc0: .* busy; end the program that has it open: fuser -v /dev/rtc0'],
    [{open_errno => EACCES},  $SLOW,          'open /dev/rtc0: Permission denied; run as root or .* group'],
    [{open_errno => EIO},     $SLOW,          'open /dev/rtc0: .*; .*--source=nanosleep'],
    [{set_errno => EACCES},   [],             "set 2048 Hz on /dev/rtc0: .*; run .*, or raise .*/rtc0/max_user_freq$NOW to 2048"],
    [{set_errno => EACCES},   ['-f', '8192'], 'set 8192 Hz on /dev/rtc0: .*; run (?!.* or raise).*'],
    [{set_errno => EINVAL},   ['-f', '1000'], 'set 1000 Hz on /dev/rtc0: .*; try another --frequency, or .*'],
    [{},                      ['-f', '8193'], '--frequency=8193: --source=rtc takes 1 to 8192 Hz; use --source=nanosleep for more'],
    [{},                      ['-f', '0'],      '--frequency=0: --source=rtc takes 1 to 8192 Hz'],
    [{},                      ['-f', '100001'], '--frequency=100001: --source=rtc takes 1 to 8192 Hz'],
    [{open_errno => ENODEV},  ['-s', 'rtc'],  'open /dev/rtc0: No such device; use --source=nanosleep', 4],
    [{paths => ''},           ['-s', 'rtc'],  'open /dev/rtc0: No such file or directory; use --source=nanosleep', 4],
);

sub refused {
    my ($command, $line, $status) = @_;
    my @before = glob '* .*';
    my ($got, $out, $err) = run(@$command);
    is($got, $status, 'exit status');
    like(said($err), qr/\A$line\n\z/, 'what it says');
    is($out, '', 'nothing on standard output');
    is_deeply([glob '* .*'], \@before, 'no file made');
}

workspace();
open my $plain, '>', 'plain' or die $!;
open my $program, '>', 'program' or die $!;
chmod 0755, 'program';
mkdir 'directory' or die $!;
mkfifo('fifo', 0600) or die $!;
symlink 'nothing', 'dangling' or die $!;

for (@OPTIONS) {
    my ($options, $line, $status) = @$_;
    my $name = sprintf '%.40s', "@$options" =~ s/\n/\\n/r;
    subtest $name => \&refused, [no_rtc(), realfeel('-n', 1, @$options)], "realfeel: $line", $status // 1;
}

subtest 'several refusals are told at once' => sub {
    my @options = ('-o', 'directory', '-c', 'foo', '-s', 'timerfd', '-D', 'plain');
    my ($status, undef, $err) = run(realfeel('-n', 1, @options));
    is($status, 1, 'exit status');
    like(said($err), qr/\Arealfeel: --output=.*\nrealfeel: --clock=.*\nrealfeel: --device=.*\n\z/, 'each in a line');
    is((run(realfeel('-n', 1, '-o', 'directory', '-D', 'missing')))[0], 1, 'a missing device among them is no skip');
};

for (@DEVICE) {
    my ($setting, $options, $line, $status) = @$_;
    subtest join(' ', 'RTC:', %$setting, @$options) => \&refused,
        [fake_rtc(%$setting), realfeel('-n', 1, @$options)], "realfeel: $line", $status // 1;
}

done_testing;
