# SPDX-License-Identifier: GPL-2.0-or-later
# --idle-latency limits the idle states of the measured CPUs alone, for as long as they are measured.
use strict;
use warnings;
use Fcntl qw(LOCK_EX);
use FindBin;
use lib "$FindBin::Bin/../lib";
use Report;
use RunCommand qw(contents);
use Sim;
use Test::More;

my @RUN  = qw(-s nanosleep -f 100 -n 200 -o report);
my @KEYS = qw(idle_latency_us idle_latency_us_after dma_latency_us);

# One test: the limits of CPUs 0 to 3 before a run, what happens, the limits after a second and in the end, what the header has
# of them, and how the run ends.
sub limits_so {
    my ($name, $options, $before, $script, $meanwhile, $after, $header, @outcome) = @_;
    my @files = map { limit_file($_) } 0 .. $#$before;
    my %files = map { $files[$_] => $before->[$_] } 0 .. $#files;
    my $run = simulate([@RUN, split ' ', $options], files => \%files, script => ["1 show @files", @$script]);
    my ($report) = parse_report($run->{report} // '');
    my @limits = map { contents("$run->{root}$_") =~ s/\n.*//sr } @files;
    my @then = $run->{log} =~ m{^\S+ /\S+: (.*)$}mg;
    is_deeply([outcome($run), \@then, \@limits, { map { $_ => $report->{$_} }
        grep { exists $report->{$_} } @KEYS }],
        ['exit 0', @outcome, $meanwhile, $after, $header], $name) or diag $run->{err}, $run->{log};
}

my $VALID = 'complete 200, valid';
limits_so(@$_) for (
    ['no latency is tolerated', '-a 0 --idle-latency=0', [0, 0, 0, 0], [], ['n/a', 0, 0, 0], [0, 0, 0, 0],
        { idle_latency_us => 0, dma_latency_us => 'off' }, $VALID],
    ['less than a microsecond is none', '-a 0 --idle-latency=500ns', [0], [], ['n/a'], [0],
        { idle_latency_us => 0, dma_latency_us => 'off' }, $VALID],
    ['a lower limit', '-a 1 --idle-latency=5us', [20, 20], [], [20, 5], [20, 20],
        { idle_latency_us => 5, dma_latency_us => 'off' }, $VALID],
    ['a higher limit', '-a 0 --idle-latency=1ms', ['n/a', 'n/a'], [], [1000, 'n/a'], ['n/a', 'n/a'],
        { idle_latency_us => 1000, dma_latency_us => 'off' }, $VALID],
    ['all CPUs without --cpu', '--idle-latency=3us', [7, 0, 0, 0], [], [3, 3, 3, 3], [7, 0, 0, 0],
        { idle_latency_us => 3, dma_latency_us => 'off' }, $VALID],
    ['limits of others', '', [7, 0, 0, 0], [], [7, 0, 0, 0], [7, 0, 0, 0],
        { idle_latency_us => 'CPU 0: 7, CPU 1-3: off', dma_latency_us => 0 }, $VALID],
    ['another program sets the limit', '-a 0 --idle-latency=0', [0], ["1.5 put @{[limit_file(0)]} 100"], ['n/a'], [100],
        { idle_latency_us => 0, idle_latency_us_after => 100, dma_latency_us => 'off' },
        'complete 200, suspect: idle_latency_us changed: 0 -> 100'],
    ['--dma-latency is asked for, too', '-a 0 --dma-latency=5us --idle-latency=0', [0], [], ['n/a'], [0],
        { idle_latency_us => 0, dma_latency_us => 5 }, $VALID],
    ['--dma-latency is off', '-a 0 --dma-latency=off --idle-latency=0', [0], [], ['n/a'], [0],
        { idle_latency_us => 0, dma_latency_us => 'off' }, $VALID],
    ['a CPU without the file', '-a 0 --idle-latency=0 --best-effort', [], [], [], [],
        { idle_latency_us => 'none', dma_latency_us => 'off' },
        "warning: limit the idle states of CPU 0: No such file or directory: @{[limit_file(0)]}; give --dma-latency",
        $VALID],
);

# Another run holds the file.
my $file = limit_file(0);
my $held;
my $run = simulate([@RUN, qw(-a 0 --idle-latency=5us)], files => { $file => 'n/a' },
    prepare => sub { open $held, '<', "$_[0]$file" or die $!; flock $held, LOCK_EX or die $! });
is_deeply([outcome($run), contents("$run->{root}$file")],
    ['exit 1', 'limit the idle states of CPU 0: another run does; wait until it has ended, or use --best-effort', "n/a\n"],
    'two runs on a CPU');

done_testing;
