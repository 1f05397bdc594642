# SPDX-License-Identifier: GPL-2.0-or-later
# The changes to try: ready-made ones, called by name, and those on the command line.
package Realfeel::Try::Changes;
use Realfeel::Base::Modern;

use Errno qw(ENOENT);
use Fcntl qw(LOCK_EX LOCK_NB);
use File::Basename qw(basename);
use Getopt::Long ();
use List::Util qw(any first uniqstr);
use Realfeel::Base::Units qw(NS_PER_S nanoseconds printable);
use Realfeel::Model::Cpus qw(cpus_in mask ranges);
use Realfeel::Options qw(usage_error);

use constant {
    CPU      => '/sys/devices/system/cpu/cpu{n}',
    IRQ      => '/proc/irq/{n}/smp_affinity_list',
    BLOCKS   => 20,         # of each kind
    BLOCK    => '10s',
    SETTLE   => '1s',
    RESTARTS => qr/\b(?:reboot|kexec|poweroff|shutdown|(?:update-)?grub\w*|bootctl)\b/,
};

# Otherwise realfeel keeps the CPUs out of deep idle states anyway
use constant IDLE_AS_USUAL => ['--dma-latency=off'];

# For each: what it does, its source in the kernel's Documentation, and the file and the value to write, or a function
# that makes the commands; {n} is a measured CPU. A check finds out whether there is something to change.
use constant EXPERIMENTS => [
    governor => {
        text => 'run the measured CPUs at their highest frequency',
        source => 'admin-guide/pm/cpufreq.rst', file => CPU . '/cpufreq/scaling_governor', value => 'performance',
    },
    'idle-states' => {
        text => 'keep the measured CPUs awake, so that they need no time to leave an idle state',
        source => 'admin-guide/pm/cpuidle.rst', file => CPU . '/power/pm_qos_resume_latency_us', value => 'n/a',
        check => \&_check_idle_states, always => IDLE_AS_USUAL,
    },
    'dma-latency' => {
        text => 'keep all CPUs awake, as realfeel does unless told otherwise',
        source => 'admin-guide/pm/cpuidle.rst', file => '/dev/cpu_dma_latency', commands => \&_of_option,
        check => \&_check_idle_states, always => IDLE_AS_USUAL, options => ['--dma-latency=0'],
    },
    'preempt-full' => {
        text => 'let the kernel be preempted almost everywhere',
        source => 'admin-guide/kernel-parameters.txt', file => '/sys/kernel/debug/sched/preempt', value => 'full',
    },
    'rt-throttling' => {
        text => 'allow real-time processes all of the CPU time, before Linux 6.12; one that never sleeps hangs its CPU '
            . 'then',
        source => 'scheduler/sched-rt-group.rst', file => '/proc/sys/kernel/sched_rt_runtime_us', value => '-1',
    },
    'fair-server' => {
        text => 'the same from Linux 6.12 on: give ordinary processes no part of a CPU that is busy',
        source => 'scheduler/sched-rt-group.rst', file => '/sys/kernel/debug/sched/fair_server/cpu{n}/runtime',
        value => '0',
    },
    irqbalance => {
        text => 'stop the daemon that moves interrupts from CPU to CPU',
        source => 'networking/scaling.rst', commands => \&_of_irqbalance,
    },
    'irq-affinity' => {
        text => 'move interrupts to CPUs that are not measured',
        source => 'core-api/irq/irq-affinity.rst', commands => \&_of_interrupts,
    },
    'workqueue-cpus' => {
        text => 'keep work queues that are not bound to a CPU on CPUs that are not measured',
        source => 'admin-guide/kernel-per-CPU-kthreads.rst', file => '/sys/devices/virtual/workqueue/cpumask',
        value => sub { mask(_others(@_)) },
    },
    'huge-pages' => {
        text => 'have the kernel make no huge pages, for which it copies and clears memory',
        source => 'admin-guide/mm/transhuge.rst', file => '/sys/kernel/mm/transparent_hugepage/enabled',
        value => 'never',
    },
    'same-page-merging' => {
        text => 'stop the search for duplicate pages of memory (KSM)',
        source => 'admin-guide/mm/ksm.rst', file => '/sys/kernel/mm/ksm/run', value => '0',
    },
];

# In the order of the list
sub names { return grep { !ref } @{ EXPERIMENTS() } }

# The experiment for measured CPUs, a hash of name; text, what it does; source, a file in the kernel's Documentation;
# options of realfeel for its blocks, and always, for all blocks; change, undo and show, a line for the shell each. undo
# restores what was found by this call; without both, the options do it. If impossible here, all three are missing, and
# lacking is the reason. %here has cpus and root, a folder that holds /sys, /proc and /dev, by default those of the
# machine. A setting that another run has locked is temporary; locks holds locks on those to be changed, until it and
# all processes forked meanwhile are gone.
sub ready ($name, %here) {
    my %known = @{ EXPERIMENTS() };
    my %experiment = (commands => \&_of_files, %{ $known{$name} });
    $here{root} //= '';
    my %commands = eval {
        $experiment{check}->(\%here) if $experiment{check};
        $experiment{commands}->(\%experiment, \%here);
    };
    my $lack = $@;
    die $lack if $lack && !ref $lack;
    return {
        name => $name, text => $experiment{text}, source => "Documentation/$experiment{source}",
        (map { $_ => $experiment{$_} // [] } qw(always options)), %commands,
        $lack ? (lacking => $lack->{why}) : (),
    };
}

# All experiments for the CPUs that realfeel would measure with these arguments
sub listing ($root, @words) {
    my @here = (root => $root, cpus => [measured_cpus($root, @words)]);
    return join "\n", map {
        my $experiment = ready($_, @here);
        my ($lacking, @options) = ($experiment->{lacking}, @{ $experiment->{options} });
        my @lines = defined $lacking ? ['not here' => $lacking] : @options ? [change => "realfeel @options"]
            : map { [$_ => $experiment->{$_}] } qw(change undo);
        join '', "$experiment->{name}: $experiment->{text}\n",
            map { sprintf "    %-8s  %s\n", @$_ } @lines, [source => $experiment->{source}];
    } names();
}

# The CPUs that realfeel measures with these arguments, possibly after --; without -a all online ones
sub measured_cpus ($root, @words) {
    my ($list, $flag) = '';
    shift @words if ($words[0] // '') eq '--';
    local $SIG{__WARN__} = sub { };        # realfeel itself refuses what is wrong
    Getopt::Long::Parser->new(config => [qw(gnu_getopt pass_through)])
        ->getoptionsfromarray(\@words, 'cpu|a=s' => \$list, 'quiet|q|force|F' => \$flag);
    my @cpus = cpus_in($list);
    return @cpus ? @cpus : _online($root);
}

sub _online ($root) {
    return cpus_in(_found("$root/sys/devices/system/cpu/online"));
}

# Dies with the reason why an experiment is impossible
sub _lack ($why) { die { why => $why } }

# The content of a file, or the alternative chosen in it, as in: none voluntary (full)
sub _found ($file) {
    return _chosen($file) // _lack_file($file);
}

sub _chosen ($file) {
    open my $in, '<', $file or return undef;
    chomp(my $line = <$in> // '');
    return $line =~ /[[(]([\w-]+)[])]/ ? $1 : $line;
}

sub _lack_file ($file) {
    _lack("$file: $!") if $! != ENOENT;
    my ($debugfs) = $file =~ m{^(.*/sys/kernel/debug)/};
    _lack("$debugfs is not mounted; mount -t debugfs debugfs $debugfs") if defined $debugfs && !-e "$debugfs/sched";
    _lack("there is no $file");
}

sub _check_idle_states ($here) {
    my $deepest = "$here->{root}${\CPU}/cpuidle/state1";
    for my $cpu (@{ $here->{cpus} }) { _lack("CPU $cpu has only one idle state") unless -e _path($deepest, $cpu) }
}

# CPUs that are not measured
sub _others ($here) {
    my %is_measured = map { $_ => 1 } @{ $here->{cpus} };
    my @others = grep { !$is_measured{$_} } _online($here->{root});
    return @others ? @others : _lack('all CPUs are measured; measure fewer, with -a');
}

# Each of these takes the experiment, and where it is run.

sub _of_files ($experiment, $here) {
    my $path = $here->{root} . $experiment->{file};
    my $value = ref $experiment->{value} ? $experiment->{value}->($here) : $experiment->{value};
    my @numbers = $path =~ /\{n\}/ ? @{ $here->{cpus} } : '';
    my $locks = _locked(map { _path($path, $_) } @numbers);
    my $found = _grouped($path, @numbers);
    _lack("it is $value already") if !grep { s/^0+(?=\w)//r ne $value } keys %$found;
    return (
        locks => $locks, change => _written($path, { $value => \@numbers }), undo => _written($path, $found),
        show => _shown($path, @numbers),
    );
}

# Interrupts bound by the kernel or the hardware stay
sub _of_interrupts ($experiment, $here) {
    my $path = $here->{root} . IRQ;
    my %is_measured = map { $_ => 1 } @{ $here->{cpus} };
    my $others = ranges(_others($here));
    my @irqs = grep { any { $is_measured{$_} } cpus_in(_found(_path($path, $_))) }
        sort { $a <=> $b } map { m{/irq/(\d+)/} } glob $path =~ s/\{n\}/*/r;
    _lack('no interrupt comes to a measured CPU') unless @irqs;
    my $locks = _locked(map { _path($path, $_) } @irqs);
    my $file = _path($path, '$n');
    return (
        locks => $locks,
        change => "moved=; for n in @irqs; do echo $others >$file && moved=1; done 2>/dev/null; [ \$moved ]",
        undo => _written($path, _grouped($path, @irqs)), show => _shown($path, @irqs),
    );
}

# A stopped daemon neither moves interrupts nor restarts
sub _of_irqbalance ($experiment, $here) {
    my $proc = "$here->{root}/proc";
    my $comm = first { (_chosen($_) // '') eq 'irqbalance' } glob "$proc/[0-9]*/comm";
    my ($pid) = ($comm // _lack('irqbalance is not running')) =~ m{/(\d+)/comm$};
    return (change => "kill -STOP $pid", undo => "kill -CONT $pid", show => "grep State: $proc/$pid/status");
}

sub _of_option ($experiment, $here) {
    my $file = $here->{root} . $experiment->{file};
    _lack("there is no $file") unless -e $file;
    return (show => "od -An -td4 -N4 $file");
}

sub _path ($path, $number) { return $path =~ s/\{n\}/$number/r }

sub _locked (@files) {
    return [map {
        open my $lock, '<', $_ or _lack_file($_);
        flock $lock, LOCK_EX | LOCK_NB or _lack("another run has changed $_; wait until it ends");
        $lock;
    } @files];
}

# Groups numbers by the content of their files, which undo passes to the shell
sub _grouped ($path, @numbers) {
    my %numbers;
    for my $number (@numbers) {
        my $file = _path($path, $number);
        my $value = _found($file);
        _lack("$file says '" . printable($value) . "'") unless $value =~ m{^[\w.,/-]+$};
        push @{ $numbers{$value} }, $number;
    }
    return \%numbers;
}

# A file that rejects the write but holds the value is fine: it could not have been changed either
sub _written ($path, $numbers) {
    my ($value, @others) = sort keys %$numbers;
    return "echo $value >" . _path($path, $numbers->{$value}[0]) if !@others && @{ $numbers->{$value} } == 1;
    my $file = _path($path, '$n');
    return join '; ', 'bad=',
        (map { "for n in @{ $numbers->{$_} }; do grep -qx $_ $file || echo $_ >$file || bad=1; done" } $value, @others),
        '[ ! $bad ]';
}

sub _shown ($path, @numbers) {
    return 'grep -H . ' . _path($path, $numbers[0]) if @numbers == 1;
    return "for n in @numbers; do grep -H . " . _path($path, '$n') . '; done';
}

# As Try::Experiment takes it; -- precedes the measurement
sub wish ($option, $names, $end = undef, @command) {
    usage_error("no measurement is given; put it after --, as in -- realfeel -d 10s") unless defined $end;
    usage_error("no realfeel command follows --; give one, as in -- realfeel -d 10s")
        unless any { basename($_) eq 'realfeel' } @command;
    my @ready = map { _named($_, @command) } uniqstr @$names;
    my @variants = (@ready, _change($option), map { _variant($_) } @{ $option->{variant} // [] });
    usage_error('no change was given; give one from --list, or --change and --undo') unless @variants;
    _refuse_variant($_) for @variants;
    usage_error('two changes have the same name; give each its own')
        if uniqstr(map { $_->{name} } @variants) < @variants;
    my ($for_s, $settle_s) = map { nanoseconds($_) / NS_PER_S } $option->{for} // '0s', $option->{settle} // SETTLE;
    # Options of realfeel end a block, or its load does
    my $has_end = any { /\A(?:-[qF]*[dn]|--duration|--samples|--\z)/ } @command;
    return {
        variants => \@variants,
        shows    => [uniqstr map { $_ // () } (map { $_->{show} } @ready), $option->{show}],
        always   => [$has_end ? () : ('-d', BLOCK), uniqstr map { @{ $_->{always} } } @ready],
        command  => \@command,
        at       => $option->{at},
        prefix   => $option->{output} // 'try',
        seed     => $option->{seed} // int rand 1e9,
        settle_s => $settle_s,
        $option->{for} ? (for_s => $for_s) : (blocks => $option->{blocks} // BLOCKS),
    };
}

sub _named ($name, @command) {
    my @names = names();
    usage_error("there is no experiment '$name'; the experiments are " . join ', ', @names)
        unless any { $_ eq $name } @names;
    my $ready = ready($name, cpus => [measured_cpus('', @command)]);
    die "$name: not available here: $ready->{lacking}\n" if defined $ready->{lacking};
    return $ready;
}

sub _change ($option) {
    my ($change, $undo) = @$option{qw(change undo)};
    return unless defined $change || defined $undo;
    usage_error('--change and --undo belong together; give both') unless defined $change && defined $undo;
    return { name => 'change', change => $change, undo => $undo, show => $option->{show} };
}

# If commands contain colons, the separator is one with blanks around it
sub _variant ($text) {
    my ($name, $commands) = $text =~ /\A(.*?)=(.*)\z/s;
    my @commands = grep { /\S/ } split $text =~ / : / ? qr/ : / : qr/:/, $commands // '', -1;
    usage_error("--variant=$text is not NAME=CHANGE:UNDO; correct it, and put ' : ' between commands that contain "
        . 'colons') unless @commands == 2;
    return { name => $name, change => $commands[0], undo => $commands[1] };
}

sub _refuse_variant ($variant) {
    my $name = $variant->{name};
    usage_error("'$name' is not a valid name for a change; begin with a letter, and put a letter after each -")
        unless $name =~ /\A[A-Za-z]\w*(?:[-.][A-Za-z]\w*)*\z/ && $name ne 'base';
    usage_error("'$variant->{change}' restarts the machine, which ends the experiment; measure several runs before and "
        . 'several after it, and give them to realfeel-analyze compare') if ($variant->{change} // '') =~ RESTARTS;
}

1;
