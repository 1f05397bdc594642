# SPDX-License-Identifier: GPL-2.0-or-later
package Documents;

use strict;
use warnings;
use Exporter 'import';
use FindBin;
use Guest qw(boot console_tail slurp spew);
use Initramfs qw(initramfs);

our @EXPORT_OK = qw(host_report kernels measure measure_host reports runs);

=head1 NAME

Documents - what three documents measured, to be measured again in guests

=cut

my $ROOT = "$FindBin::Bin/../..";

# Name, flavour (see Kernel), arguments of the kernel.
my @KERNELS = (
    ['none', 'generic', 'preempt=none'],
    ['full', 'generic', 'preempt=full'],
    ['rt',   'rt'],
);

# Loads, by their names. The first writes and packs, the second is ten real-time threads.
my %LOAD = (idle => '', writers => ' -- writers', threads => ' -- stress-ng --job /lib/rr-load.job');

my $WRITERS = <<'END';
#!/bin/sh
while :; do
	dd if=/dev/zero bs=1M count=32 | gzip
	tar c /bin /lib | cat
done >/dev/null 2>&1
END

# The program, sizes, file: a run for each size and number of processes, their reports in one file.
my $RINGS = 'for array in %2$s; do for processes in 2 8 64; do
	%1$s -q -s ring --processes=$processes --array=$array -d 3s -o - || exit
done; done >%3$s';

# Document, run, options or a command of the shell, loads.
my @RUNS = (
    ['stueckjuergen', 'alsa',  '-s alsa -n 10000',                       qw(idle writers)],
    ['stueckjuergen', 'parts', '-s alsa -a 0 --explain=parts -n 5000',   qw(idle writers)],
    (map { ['dankex', tr/:/-/r, "-s $_ -f 100 -P rr -p 20 -d 40s", qw(idle threads)] }
        qw(workqueue:global workqueue:private tasklet kthread thread)),
    ['vianney', 'ring', sprintf($RINGS, 'realfeel', '0 64k', 'report'), 'idle'],
);

# Guests have no caches, so the ring is measured on the host, too.
my $HOST = {name => 'host'};
my $HOST_RING = {document => 'vianney', name => 'ring'};

=head2 kernels()

A hash for each: C<name>, C<flavour> and C<arguments>, a list.

=cut

sub kernels {
    return map { my ($name, $flavour, @arguments) = @$_; {name => $name, flavour => $flavour, arguments => \@arguments} } @KERNELS;
}

=head2 runs($document)

A hash for each run on each kernel: C<document>, C<name> and the C<command>. Without a document those of all documents.

=cut

sub runs {
    my ($wanted) = @_;
    return map {
        my ($document, $name, $options, @loads) = @$_;
        my $command = $options =~ /^-/ ? "realfeel -q -o report $options" : $options;
        map { {document => $document, name => "$name-$_", command => "$command$LOAD{$_}"} } @loads;
    } grep { !defined $wanted || $_->[0] eq $wanted } @RUNS;
}

=head2 measure_host($directory)

Measures the ring on this machine. Returns nothing, an empty string, or what failed.

=cut

sub measure_host {
    my ($directory) = @_;
    my $file = report_file($directory, $HOST, $HOST_RING);
    my $command = sprintf $RINGS, '"$1" --best-effort', '0 16k 64k', '"$2"';
    return system('sh', '-c', $command, 'sh', "$ROOT/realfeel", $file) ? 'the ring could not be measured' : '';
}

=head2 report_file($directory, $kernel, $run)

Where its report goes.

=cut

sub report_file {
    my ($directory, $kernel, $run) = @_;
    return "$directory/$run->{document}-$kernel->{name}-$run->{name}.hist";
}

=head2 reports($directory, @runs)

A list for each of the reports that are there, on all kernels: the kernel, the run and the file, which may be compressed.

=cut

sub reports {
    my ($directory, @runs) = @_;
    return map { my $kernel = $_; map { report($directory, $kernel, $_) } @runs } kernels();
}

=head2 host_report($directory)

The same of the ring on this machine.

=cut

sub host_report {
    my ($directory) = @_;
    return report($directory, $HOST, $HOST_RING);
}

sub report {
    my ($directory, $kernel, $run) = @_;
    my $file = report_file($directory, $kernel, $run);
    my ($there) = grep { -e } $file, "$file.gz";
    return defined $there ? [$kernel, $run, $there] : ();
}

=head2 measure($option, $kernel)

Makes all the runs in one guest, and brings the reports home. The options are C<directory>, C<seed> and C<timeout>. The
kernel has C<equipment>, too: see Equipment. Returns nothing, an empty string, or what failed, with the last lines of the
guest's console.

=cut

sub measure {
    my ($option, $kernel) = @_;
    my $equipment = $kernel->{equipment};
    my $directory = "$option->{directory}/guests/$kernel->{name}";
    my $run = boot(
        kernel    => $equipment->{kernel},
        initramfs => initramfs(
            init     => "$FindBin::Bin/init",
            programs => $equipment->{programs},
            modules  => [map { @$_ } @{$equipment->{kernel}}{qw(sound loop)}],
            files    => files(),
        ),
        directory => $directory,
        arguments => $kernel->{arguments},
        timeout   => $option->{timeout},
    );
    unlink "$directory/initramfs.cpio";
    my @failures = grep { $_ ne '' } $run->{failure} // '', map { bring_home($option, $kernel, $_, $run->{files}) } runs();
    return @failures ? join('; ', @failures) . "; the end of its console:\n" . console_tail($run->{console}) : '';
}

sub files {
    return {
        'etc/passwd'      => "root::0:0::/:/bin/sh\n",
        'bin/writers'     => $WRITERS,
        'cases/00-before' => "mkdir -p /dev/pts; mount -t devpts devpts /dev/pts\n",
        'lib/rr-load.job' => slurp("$ROOT/packaging/rr.job"),
        map { ("cases/$_->{name}" => "$_->{command}\n") } runs(),
    };
}

# Returns nothing, or why there is no report.
sub bring_home {
    my ($option, $kernel, $run, $sent) = @_;
    my $report = eval { slurp("$sent/$run->{name}/report") } // '';
    return "$run->{name} left no whole report" if $report !~ /^# end\b.*\n\z/m;
    spew(report_file($option->{directory}, $kernel, $run), $report);
    return '';
}

1;
