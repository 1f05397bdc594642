# SPDX-License-Identifier: GPL-2.0-or-later
package Lab;

use strict;
use warnings;
use Exporter 'import';
use FindBin;
use Guest qw(boot console_tail slurp spew);
use Initramfs qw(initramfs);

our @EXPORT_OK = qw(configurations measure report_file sources);

=head1 NAME

Lab - what is measured in the laboratory: kernels, idle and under load

=cut

my $ROOT = "$FindBin::Bin/../..";

# Name, architecture, flavour (see Kernel), arguments of the kernel.
my @KERNELS = (
    ['none',            'amd64', 'stock', 'preempt=none'],
    ['voluntary',       'amd64', 'stock', 'preempt=voluntary'],
    ['full',            'amd64', 'stock', 'preempt=full'],
    ['rt',              'amd64', 'rt'],
    ['arm64-voluntary', 'arm64', 'arm64'],
    ['arm64-rt',        'arm64', 'arm64-rt'],
);

# The same numbers in each run, as far as a load takes them from a generator.
my %LOAD = (idle => '', loaded => ' -- stress-ng --no-rand-seed --job /lib/stress-kernel.job');

# The first TCP connection after a boot fills a table of 256 KB with random numbers, which keeps a kernel that does not
# preempt from anything else for 48 ms. That is of the boot, and not of the load.
my $BEFORE = "nc 127.0.0.1 9 </dev/null\n";

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

What wakes the measurement: one run with each.

=cut

sub sources {
    return qw(rtc nanosleep);
}

=head2 report_file($directory, $configuration, $source)

Where the report of a run is.

=cut

sub report_file {
    my ($directory, $configuration, $source) = @_;
    return "$directory/$configuration->{name}-$source.hist";
}

=head2 measure($option, $configuration)

Measures with each source in one guest, and brings the reports home. The options are C<directory>, C<samples>,
C<timeout>, and C<append>, a list of more arguments for the kernel. The configuration has C<equipment>, too: see
Equipment. Returns nothing, an empty string, or why there is no report, with the last lines of the guest's console.

=cut

sub measure {
    my ($option, $configuration) = @_;
    my $equipment = $configuration->{equipment};
    my $directory = $option->{directory};
    unlink map { report_file($directory, $configuration, $_) } sources();
    my $run = boot(
        kernel    => $equipment->{kernel},
        initramfs => initramfs(
            init     => "$FindBin::Bin/init",
            programs => $equipment->{programs},
            root     => $equipment->{root},
            files    => files($option->{samples}, $configuration->{load}),
        ),
        directory => "$directory/$configuration->{name}",
        arguments => [@{$configuration->{arguments}}, @{$option->{append}}],
        timeout   => $option->{timeout},
    );
    if (!defined $run->{failure} && bring_home($directory, $configuration, $run)) {
        unlink "$directory/$configuration->{name}/initramfs.cpio";
        return '';
    }
    return ($run->{failure} // 'a run left no whole report') . "; the end of its console:\n" . console_tail($run->{console});
}

sub files {
    my ($samples, $load) = @_;
    my $measure = "realfeel -f 2048 -n $samples -q -o report";
    return {
        'etc/passwd'            => "root::0:0::/:/bin/sh\n",
        'lib/stress-kernel.job' => slurp("$ROOT/packaging/stress-kernel.job"),
        map({ ("cases/$_" => "$measure -s $_$LOAD{$load}\n") } sources()),
        'cases/0-before' => $BEFORE,
    };
}

# True when each report is whole.
sub bring_home {
    my ($directory, $configuration, $run) = @_;
    for my $source (sources()) {
        my $report = eval { slurp("$run->{files}/$source/report") } // '';
        return 0 if $report !~ /^# end samples=\d+\n\z/m;
        spew(report_file($directory, $configuration, $source), $report);
    }
    return 1;
}

1;
