# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Output::Export;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(exported exported_experiment formats);

use Realfeel::Base::Table;
use Realfeel::Base::Units qw(printable);
use Realfeel::Model::Cpus qw(place);

# Of each format the module and the function that write it; all but the one that is here need a latency.
use constant FORMATS => {
    'rt-tests' => ['Cyclictest', 'json'],
    cyclictest => ['Cyclictest', 'text'],
    osadl      => ['Cyclictest', 'osadl'],
    prometheus => ['Prometheus', 'text'],
    tap        => ['Tests',      'tap'],
    junit      => ['Tests',      'junit'],
    lava       => ['Tests',      'lava'],
    csv        => [],
};

=head1 NAME

Realfeel::Output::Export - reports in the formats of other programs

=head1 DESCRIPTION

What is exported is the latency that a L<Realfeel::Model::Report> has, one value for each period: a missed one has one
too; as tests, what the program made of the run. The modules beside it have a function for each
format, which takes the reports of a run, one for each CPU, and returns the bytes of the file.

=head1 FUNCTIONS

=head2 formats

The names of the formats, sorted.

=cut

sub formats { return sort keys %{ FORMATS() } }

=head2 exported($format, @reports)

The text of the L<Realfeel::Model::Report>s of a run in that format. Dies with one line when they do not hold what the
format needs. C<csv> is the histogram: a line of titles, then one line for each bin, with the columns that the report
has; before them, where the run is one on several CPUs, that of the CPU.

=cut

sub exported ($format, @reports) {
    my ($module, $function) = @{ FORMATS->{$format} };
    return _csv(@reports) unless $module;
    for (grep { !$_->latency } @reports) {
        my $lacking = 'has no ' . $_->latency_words;
        die printable($_->file . ": $lacking, all that $format can hold; use --format=csv") . "\n";
    }
    require "Realfeel/Output/$module.pm";
    return "Realfeel::Output::$module"->can($function)->(@reports);
}

=head2 exported_experiment($experiment)

The experiment of L<Realfeel::Answer::Trial> as C<tap>.

=cut

sub exported_experiment ($experiment) {
    my ($trial, $seconds) = @$experiment{qw(trial seconds)};
    require Realfeel::Output::Tests;
    require Realfeel::Show::Trial;
    return Realfeel::Output::Tests::tap_of_trial($trial, Realfeel::Show::Trial::sentences($trial, $seconds));
}

sub _csv (@reports) {
    my ($titles) = my @histograms = map { $_->columns('histogram') } @reports;
    my @titles = grep { $titles->{$_} } qw(from_us to_us interval early delay lateness wakeup);
    my ($of) = map { place($_) } @reports;
    my @rows = map {
        my (undef, $number) = place($reports[$_]);
        my @columns = @{ $histograms[$_] }{@titles};
        map { my $row = $_; [$number // (), map { $_->[$row] } @columns] } 0 .. $#{ $columns[0] };
    } 0 .. $#reports;
    return Realfeel::Base::Table->new(columns => [$of // (), @titles], rows => \@rows)->csv;
}

1;
