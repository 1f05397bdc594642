# SPDX-License-Identifier: GPL-2.0-or-later
package Sim;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw(simulate outcome faults_of ends_so runs actor);

use Built qw(built);
use File::Temp qw(tempdir);
use Launcher qw(launch);
use List::Util qw(max);
use Program qw(program);
use Report qw(faults parse_parts);
use RunCommand qw(contents file_of);
use Test::More;

# Runs realfeel in the simulation, and checks what must hold however a run ends: tests/sim/README.

use constant { CPUS => 4, FORMER_HZ => 1024, KILLED => 128 + 9, STANDARD_OUTPUT => '-' };

# A machine on which all is well.
my %MACHINE = (
    '/proc/cpuinfo'                        => 'flags : fpu',
    '/proc/cmdline'                        => 'quiet',
    '/proc/stat'                           => 'cpu  1 0 1 9 0 0 0 0 0 0',
    '/proc/sys/kernel/sched_rt_runtime_us' => 950000,
    '/proc/sys/kernel/sched_rt_period_us'  => 1000000,
    '/proc/self/cgroup'                    => '0::/',
    '/proc/self/sched'                     => 'se.nr_migrations : 0',
    '/proc/self/oom_score_adj'             => 0,
    '/sys/devices/system/cpu/present'      => '0-3',
    '/sys/devices/system/clocksource/clocksource0/current_clocksource' => 'tsc',
    '/sys/kernel/sched_ext/state'          => 'disabled',
    '/sys/kernel/debug/sched/preempt'      => 'none voluntary (full)',
    '/dev/cpu_dma_latency'                 => '',
    (map { ("/sys/devices/system/cpu/cpu$_/topology/thread_siblings_list" => $_) } 0 .. CPUS - 1),
);

my $machine;    # where these files are
my $folder;     # of the run

# File::Path takes several times as long, for it expects that others change what is there.
sub make_folder {
    my ($path) = @_;
    mkdir $path or -d $path or make_folder($path =~ s{/[^/]+\z}{}r), mkdir $path or die "$path: $!";
}

sub remove {
    for my $path (@_) {
        if (-l $path || !-d _) { unlink $path or die "$path: $!"; next }
        opendir my $folder, $path or die "$path: $!";
        remove(map { "$path/$_" } grep { !/^\.\.?\z/ } readdir $folder);
        rmdir $path or die "$path: $!";
    }
}

sub put_files {
    my ($root, %files) = @_;
    for my $path (keys %files) {
        make_folder($root . (defined $files{$path} ? $path =~ s{/[^/]+\z}{}r : $path));
        next if !defined $files{$path};
        if (ref $files{$path}) { symlink ${ $files{$path} }, "$root$path" or die $! }
        else                   { file_of("$root$path", "$files{$path}\n") }
    }
}

sub make_machine {
    my $root = tempdir(CLEANUP => 1);
    put_files($root, %MACHINE);
    make_folder("$root/proc/self/ns");
    symlink $_->[1], "$root/proc/self/ns/$_->[0]" or die $!
        for ['pid', 'pid:[4026531836]'], ['user', 'none'];    # of no container
    return $root;
}

# The last words of a command: a load that does what tests/lib/actor.c says.
sub actor { return ('--', built('actor'), @_) }

# The names of the files here, by what must not change: inode, mode and, where there is content, size and time.
sub files_here {
    return map { my @found = lstat; join(' ', @found[1, 2, -f _ || -l _ ? (7, 9) : ()]) => $_ } glob '* */*';
}

# Runs realfeel with these options in an empty folder. script: its lines; files: of the machine, where it has others, undef
# for a folder, a reference for a link; under: words for an actor that becomes realfeel; shell: a script that executes "$@";
# folder: one that is there; prepare: a function that puts files there, given where the machine is; at: where the report is
# to be, '-' for standard output. Returns a hash of status, out, err; report: its text, or undef; others: names of further
# files; lost: files that are not as they were; log: lines of the simulation; root: where the files of the machine are that
# were given.
sub simulate {
    my ($options, %of) = ($_[0], at => 'report', @_[1 .. $#_]);
    $machine //= make_machine();
    $folder //= do { chdir tempdir(CLEANUP => 1) or die $!; tempdir(CLEANUP => 1) };
    remove(glob("$folder/*"), glob '*');
    put_files("$folder/root", '/sys/devices/system/cpu/online' => '0-' . (CPUS - 1), %{ $of{files} // {} });
    file_of("$folder/script", join '', map { "$_\n" } "set machine $machine", @{ $of{script} // [] });
    mkdir $of{folder} or die $! if $of{folder};
    $of{prepare}->("$folder/root") if $of{prepare};
    my @under = (
        $of{shell} ? ('sh', '-c', $of{shell}, 'sh') : (),
        $of{under} ? (built('actor'), @{ $of{under} }, 'exec') : (),
    );
    delete local @ENV{qw(SUDO_UID SUDO_GID)};    # whoever runs the test, nobody is behind the run
    local @ENV{qw(SIM LD_PRELOAD ASAN_OPTIONS)} = ($folder, built('sim.so'), 'verify_asan_link_order=0');
    my %before = files_here();
    my %run;
    @run{qw(status out err)} = launch(@under, program(@$options));
    my %now = files_here();
    my $report = $of{at} eq STANDARD_OUTPUT ? $run{out} : -f $of{at} ? contents($of{at}) : undef;
    return {
        %run, report => $report, log => contents("$folder/log"), files => $of{files} // {}, root => "$folder/root",
        others => [sort grep { $_ ne $of{at} } map { $now{$_} } grep { !$before{$_} } keys %now],
        lost   => [sort grep { $_ ne $of{at} && !-d } map { $before{$_} } grep { !$now{$_} } keys %before],
    };
}

sub parts {
    my ($run) = @_;
    return @{ $run->{parts} //= [defined $run->{report} ? parse_parts($run->{report}) : ()] };
}

# What the log says of each process that ended: how, and its wake-ups.
sub ends_in {
    my ($log) = @_;
    my %end;
    $end{$1} = { how => $2, wakeups => $3 } while $log =~ /^\S+ (\w+) (ends|is killed) after \d+ calls, (\d+) wake-ups$/mg;
    return %end;
}

# The first wake-up of a meter is no sample. Each other one is, once, but that during which the meter was killed. A ring
# also goes round before it is measured.
sub wrong_counts {
    my ($end, @parts) = @_;
    return if @parts && $parts[0]{source} eq 'ring';
    return map {
        my $meter = $end->{"meter$_"} // { how => 'ends', wakeups => 0 };
        my ($samples, $most) = ($parts[$_]{samples}, max(0, $meter->{wakeups} - 1));
        my $least = $parts[$_]{status} eq 'checkpoint' ? 0 : $most - ($meter->{how} eq 'is killed');
        $samples < $least || $samples > $most ? "meter$_ woke up $meter->{wakeups} times, samples: $samples" : ();
    } 0 .. $#parts;
}

# What was changed: the RTC's rate and its interrupt, by whom, in which order.
sub not_put_back {
    my ($run) = @_;
    my ($rate) = $run->{log} =~ /.* rtc rate (\d+)/s;
    my ($switch) = $run->{log} =~ /.* rtc (on|off)/s;
    my ($early) = $run->{log} =~ / rtc on (?:(?! rtc off ).)*? (rtc rate \d+)/s;
    return (
        ($rate // FORMER_HZ) == FORMER_HZ ? () : "the RTC is left at $rate Hz",
        ($switch // 'off') eq 'off' ? () : 'the interrupt of the RTC is left on',
        ($run->{log} =~ /^(.* rtc (?:rate|off|leave) .*real-time)$/m),
        ($early ? "$early while the interrupt is on" : ()),
    );
}

# Of the load nothing is left when the last of the others has ended, unless nobody was there to end it.
sub left_over {
    my ($run, %end) = @_;
    my @begun = $run->{log} =~ /^\S+ (\w+) begins$/mg;
    my ($behind) = $run->{log} =~ /.* (?:keeper|standby|meter\d+) (?:ends|is killed)[^\n]*\n(.*)/s;
    return ((map { "$_ is left" } grep { !$end{$_} } @begun), $behind =~ /^\S+ (load\d+ .*)/m);
}

# What is wrong with a run, however it ended. A meter that the keeper does not outlive has to see to the machine, too. A
# line of the script of which nothing came tests nothing, unless some may be idle.
sub faults_of {
    my ($run, $idle) = @_;
    my %end = ends_in($run->{log});
    my ($writer) = grep { $end{$_} && $end{$_}{how} eq 'ends' } qw(keeper standby);
    my $orphan = $run->{log} =~ / keeper is killed .* meter\d+ ends /s;
    my @parts = parts($run);
    return (
        $run->{err} =~ /^(sim: .*|.*Sanitizer: .*|.*runtime error: .*)$/mg,
        ($idle ? () : $run->{log} =~ /^\S+ (nothing comes of .*)$/mg),
        (map { my $part = $_; map { "part $part: $_" } faults($parts[$part]) } 0 .. $#parts),
        wrong_counts(\%end, @parts),
        ($writer || $orphan ? not_put_back($run) : ()),
        ($writer ? left_over($run, %end) : ()),
        (grep { $writer || $run->{status} != KILLED || !/^report\.[0-9a-f]{16}\.tmp$/ } @{ $run->{others} }),
        (map { "$_ is not as it was" } @{ $run->{lost} }),
    );
}

# The exit status, what realfeel warned of, and a line for each part of the report: status, samples and missed periods,
# verdict, how the load ended.
sub outcome {
    my ($run) = @_;
    return ("exit $run->{status}", $run->{err} =~ /^realfeel: (.*)$/mg, map {
        my $missed = $_->{missed} ? " + $_->{missed} missed" : '';
        my $load = $_->{load_exit} ? "; load: $_->{load_exit}, by $_->{load_ended_by}" : '';
        "$_->{status} $_->{samples}$missed, $_->{verdict}$load"
    } parts($run));
}

# One test: the run ended with these lines of its outcome, and with nothing wrong. Returns its parts.
sub ends_so {
    my ($name, $run, @outcome) = @_;
    is_deeply([outcome($run), faults_of($run)], \@outcome, $name) or diag $run->{err}, $run->{log};
    return parts($run);
}

# Runs of these options. Each row is what happens, as tests/sim/README has it, and the outcome: the exit status, the
# messages, and a line for each part of the report.
sub runs {
    my ($options, $of, @rows) = @_;
    for (@rows) {
        my ($script, @outcome) = @$_;
        my @script = (@{ $of->{script} // [] }, split /; /, $script);
        ends_so("@$options: $script", simulate([@$options, qw(-o report)], %$of, script => \@script), @outcome);
    }
}

1;
