# SPDX-License-Identifier: GPL-2.0-or-later
# Reports in the formats of other programs. The latency is exported with one value for each period, missed ones
# included; for tests, the program's verdict on the run. Each module has a function per format that takes the reports of
# a run, one for each CPU, and returns the bytes of a file.
package Realfeel::Output::Export;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(exported exported_experiment formats);

use Realfeel::Base::Table;
use Realfeel::Base::Units qw(printable);
use Realfeel::Model::Cpus qw(place);

# The module and the function of each format; all but csv, which is here, need a latency
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

sub formats { return sort keys %{ FORMATS() } }

# Dies with one line if the reports lack what the format needs. csv is the histogram: a line of titles, then one for
# each bin, preceded by the CPU if there are several.
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

# As tap
sub exported_experiment ($experiment) {
    my $trial = $experiment->{trial};
    require Realfeel::Output::Tests;
    require Realfeel::Show::Trial;
    return Realfeel::Output::Tests::tap_of_trial($trial, Realfeel::Show::Trial::sentences($trial));
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
