# SPDX-License-Identifier: GPL-2.0-or-later
package DocumentTables;

use strict;
use warnings;
use Exporter 'import';
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib";
use Documents qw(host_report reports runs);
use Realfeel::Model::Report;

our @EXPORT_OK = qw(host_table tables);

use constant ANALYZE => "$FindBin::Bin/../../analyze/realfeel-analyze";
use constant PARTS   => qw(expiry waking switch again stamp);

=head1 NAME

DocumentTables - the tables of three documents, as they were printed and as they are today

=cut

my $STUECKJUERGEN = <<'END';
Stueckjuergen, 2004: from a timer interrupt's stamp to the reader. Linux 2.6.1,
133 MHz, preemption off and on; us, without a load and writing to a serial line:

           off    on
mean     44/232  50/170
min      41/43   46/49
max     215/1063 233/840
END

my $PARTS = <<'END';
What the lateness there is made of, with --explain=parts: mean (least), in us
END

my $DANKEX = <<'END';
dankex, wake_latency: from asked to begun. 10,000 of each, by a SCHED_RR 20
thread, alone and beside ten busy SCHED_RR 1 threads; us:

                     mean       sd    max     mean         sd     max
workqueue, global       6    1.414     21      101    222.948  950022
workqueue, private      6    1.000     19      101    242.535  950070
tasklet                 5    2.646    135        6     99.895    9992
kernel thread           5    2.646     30      195    333.742  950160
user thread             8    3.606     12    49693  43963.480   49887
END

my $VIANNEY = <<'END';
Vianney, 2002: LMbench's lat_ctx on two CPUs, us for a switch to the next of the
processes, by kernel; the last as a percentage of 2.4.17:

                     2.2.19  2.4.17  O(1) J2      J4      J9
 0 kB,  2 processes    1.46    3.03     7.38    7.38    0.97  32.0 %
64 kB, 64 processes  185.26  184.46   186.54  186.22  178.63  96.8 %
END

my $HOST = <<'END';
The same on the machine that runs the guests, and the figure of lat_ctx:
END

# What stands above; which runs of which document (see Documents); and what makes the table of their reports.
my @TABLES = (
    [$STUECKJUERGEN, 'stueckjuergen', qr/^alsa-/,
        analyzed('--measure=wakeup', '--show=mean,min,max', '--rows=load,statistic', '--columns=kernel')],
    [$PARTS, 'stueckjuergen', qr/^parts-/, \&parts],
    [$DANKEX, 'dankex', qr/./,
        analyzed('--show=mean,sd,max', '--decimals=0', '--rows=load,source', '--columns=kernel,statistic')],
    [$VIANNEY, 'vianney', qr/./, analyzed('--show=mean', '--rows=array,processes', '--columns=kernel')],
);

=head2 tables($directory)

All tables but the host's, as text, from the reports that are there.

=cut

sub tables {
    my ($directory) = @_;
    return join "\n", map {
        my ($above, $document, $names, $table) = @$_;
        my @reports = reports($directory, grep { $_->{name} =~ $names } runs($document));
        section($above, $table, @reports);
    } @TABLES;
}

=head2 host_table($directory)

That of the ring on this machine.

=cut

sub host_table {
    my ($directory) = @_;
    return section($HOST, analyzed('--show=p50,mean,lmbench', '--rows=array,processes'), host_report($directory));
}

sub section {
    my ($above, $table, @reports) = @_;
    return "$above\n" . (@reports ? $table->(@reports) : "not measured\n");
}

sub analyzed {
    my @options = @_;
    return sub {
        my @files = map { $_->[2] } @_;
        open my $pipe, '-|', ANALYZE, 'table', @options, @files or die "cannot run realfeel-analyze: $!\n";
        local $/;
        return <$pipe> // '';
    };
}

sub parts {
    my @reports = @_;
    my $text = '';
    for (@reports) {
        my ($kernel, $run, $file) = @$_;
        my $report = Realfeel::Model::Report->read($file);
        $text ||= sprintf "%-12s" . ' %13s' x 5 . "\n", '', PARTS;
        $text .= sprintf "%-12s" . ' %13s' x 5 . "\n", "$kernel->{name} " . $run->{name} =~ s/^parts-//r, map { part($report, $_) } PARTS;
    }
    return $text;
}

sub part {
    my ($report, $part) = @_;
    return sprintf '%.1f (%.1f)', map { $report->header("${part}_${_}_ns") / 1000 } qw(mean min);
}

1;
