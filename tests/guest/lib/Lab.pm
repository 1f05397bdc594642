# SPDX-License-Identifier: GPL-2.0-or-later
package Lab;

use strict;
use warnings;
use Exporter 'import';
use File::Glob ':bsd_glob';
use File::Path qw(make_path);
use FindBin;
use Guest qw(boot console_tail slurp spew);
use Initramfs qw(initramfs);

our @EXPORT_OK = qw(configurations measure report_file run_files sources);

=head1 NAME

Lab - what is measured in the laboratory: kernels, idle and under load

=cut

my $ROOT = "$FindBin::Bin/../..";
my $ANALYZE = "$ROOT/analyze/realfeel-analyze";

# Name, architecture, flavour (see Kernel), arguments of the kernel.
my @KERNELS = (
    ['none',            'amd64', 'stock', 'preempt=none'],
    ['voluntary',       'amd64', 'stock', 'preempt=voluntary'],
    ['full',            'amd64', 'stock', 'preempt=full'],
    ['rt',              'amd64', 'rt'],
    ['arm64-voluntary', 'arm64', 'arm64'],
    ['arm64-rt',        'arm64', 'arm64-rt'],
);

# Time in a guest is virtual, and a run that is repeated is the same again. So the runs are made to differ in what differs
# between the runs of a real machine: the instant at which they start, the addresses of stack and heap, and the numbers
# that the load draws. All depend on the seed, which is on the kernel's command line: the kernel stirs that line into its
# random numbers, which the addresses come from, and hands a name that it does not know to the first process.
my $START = 'usleep $(((seed * 618034 + run * 271828) % 1000000))';
my %LOAD = (idle => '', loaded => ' -- stress-ng --seed $((seed * 1000 + run)) --job /lib/stress-kernel.job');

# The first TCP connection after a boot fills a table of 256 KB with random numbers, which keeps a kernel that does not
# preempt from anything else for 48 ms. That is of the boot, and not of the load.
my $BEFORE = <<'END';
echo 2 >/proc/sys/kernel/randomize_va_space
nc 127.0.0.1 9 </dev/null
END

=head2 configurations()

A hash for each: C<name>, C<kernel> (its name here), C<architecture>, C<flavour>, C<arguments>, and C<load>, which is
C<idle> or C<loaded>.

=cut

sub configurations {
    return map { my $kernel = $_; map { configuration($_, @$kernel) } qw(idle loaded) } @KERNELS;
}

sub configuration {
    my ($load, $kernel, $architecture, $flavour, @arguments) = @_;
    return {
        name => "$kernel-$load", kernel => $kernel, load => $load,
        architecture => $architecture, flavour => $flavour, arguments => \@arguments,
    };
}

=head2 sources()

What wakes the measurement: as many runs with each.

=cut

sub sources {
    return qw(rtc nanosleep);
}

=head2 report_file($directory, $configuration, $source)

Where the report of all the runs together is.

=cut

sub report_file {
    my ($directory, $configuration, $source) = @_;
    return "$directory/$configuration->{name}-$source.hist";
}

=head2 run_files($directory, $configuration, $source)

Where the reports of the runs are: those that there are, in their order.

=cut

sub run_files {
    my ($directory, $configuration, $source) = @_;
    return sort glob "$directory/$configuration->{name}/runs/[0-9][0-9]-$source.hist";
}

=head2 measure($option, $configuration)

Measures with each source in one guest, several times, brings the reports home and merges those of each source. The
options are C<directory>, C<samples> of a run, C<runs>, C<seed>, C<timeout>, and C<append>, a list of more arguments for
the kernel. The configuration has C<equipment>, too: see Equipment. Returns nothing, an empty string, or why there is no
report, with the last lines of the guest's console.

=cut

sub measure {
    my ($option, $configuration) = @_;
    my $equipment = $configuration->{equipment};
    my $directory = "$option->{directory}/$configuration->{name}";
    unlink map { report_file($option->{directory}, $configuration, $_) } sources();
    my $run = boot(
        kernel    => $equipment->{kernel},
        initramfs => initramfs(
            init     => "$FindBin::Bin/init",
            programs => $equipment->{programs},
            root     => $equipment->{root},
            files    => files($option, $configuration->{load}),
        ),
        directory => $directory,
        arguments => ["seed=$option->{seed}", @{$configuration->{arguments}}, @{$option->{append}}],
        timeout   => $option->{timeout},
    );
    my $failure = $run->{failure} // bring_home($option, $configuration, $run->{files});
    return "$failure; the end of its console:\n" . console_tail($run->{console}) if $failure ne '';
    unlink "$directory/initramfs.cpio";
    return '';
}

sub files {
    my ($option, $load) = @_;
    return {
        'etc/passwd'            => "root::0:0::/:/bin/sh\n",
        'lib/stress-kernel.job' => slurp("$ROOT/packaging/kernel.job"),
        'cases/00-before'       => $BEFORE,
        map { my $run = $_; map { ('cases/' . name($run, $_) => script($option, $run, $_, $load)) } sources() }
            1 .. $option->{runs},
    };
}

sub name {
    my ($run, $source) = @_;
    return sprintf '%02d-%s', $run, $source;
}

sub script {
    my ($option, $run, $source, $load) = @_;
    return "run=$run\n$START\nrealfeel -f 2048 -n $option->{samples} -q -o report -s $source$LOAD{$load}\n";
}

# Returns nothing, or why there is no report.
sub bring_home {
    my ($option, $configuration, $sent) = @_;
    my $directory = $option->{directory};
    my $runs = "$directory/$configuration->{name}/runs";
    make_path($runs);
    for my $source (sources()) {
        for my $name (map { name($_, $source) } 1 .. $option->{runs}) {
            my $report = eval { slurp("$sent/$name/report") } // '';
            return 'a run left no whole report' if $report !~ /^# end samples=\d+\n\z/m;
            spew("$runs/$name.hist", $report);
        }
        my $together = report_file($directory, $configuration, $source);
        return "the runs with $source cannot be merged"
            if system($ANALYZE, 'merge', '-o', $together, run_files($directory, $configuration, $source));
    }
    return '';
}

1;
