# SPDX-License-Identifier: GPL-2.0-or-later
# Reports as a JSON document, described by analyze/schema.json.
package Realfeel::Show::Json;
use Realfeel::Base::Modern;

use Encode qw(decode);
use B qw(svref_2object SVf_IOK SVf_NOK SVf_POK);
use JSON::PP ();
use Realfeel::Answer::Stats qw(identity is_result later_s lmbench longer measures setting);
use Realfeel::Answer::Why qw(causes culprits interruptions part_figures remedies wakeups);
use Realfeel::Base::Typed qw(is_truth number);
use Realfeel::Model::Cpus qw(pooled);
use Realfeel::Model::Explain qw(cost counts findings level worst);
use Realfeel::Show::Compare qw(conclusion);
use Realfeel::Show::Judge ();
use Realfeel::Show::Why qw(remedy sentence);

use constant DIGITS => 12;

# Like run, for all CPUs pooled, with cpus, an array of them if several
sub of_run ($run) {
    my @reports = @{ $run->{reports} };
    return run(@reports) if @reports == 1;
    return { %{ run(pooled($run)) }, cpus => [map { { %{ run($_) }, cpu => number($_->{cpu}) } } @reports] };
}

# Without what grows with the run: its wake-ups, and its CPUs one by one
sub brief ($run) {
    my $all = of_run($run);
    return { %$all, events => undef, exists $all->{cpus} ? (cpus => []) : () };
}

# A report as a hash for document. Keys end in their unit; unknown values are undef.
sub run ($report) {
    my $identity = identity($report);
    my @results = grep { is_result($_) && !exists $identity->{$_} } $report->keys;
    return {
        %$identity,
        results         => { map { $_ => setting($report, $_) } @results },
        format          => number($report->{format}),
        interval_errors => $report->interval_errors,
        (map { $_ => undef } qw(interval lateness wakeups)), (map { $_->{key} => $_->{summary} } measures($report)),
        lmbench         => lmbench($report),
        events          => _events($report),
        explanation     => _explanation($report),
        later_s         => later_s($report),
        longer          => longer($report),
    };
}

sub _events ($report) {
    return $report->events unless defined level($report);
    my %explained = map {
        $_->{number} => { sentence => sentence($_), blame => $_->{segments}, stacks => $_->{stacks} }
    } wakeups($report);
    my %none = (sentence => undef, blame => [], stacks => []);
    return [map { { %$_, %{ $explained{ $_->{number} } // \%none } } } worst($report)];
}

sub _explanation ($report) {
    my $level = level($report) // return undef;
    my @wakeups = wakeups($report);
    return {
        level    => $level,
        findings => [findings($report)],
        cost     => cost($report),
        %{ counts($report) },
        parts    => [part_figures($report)],
        causes   => [map { { %$_{qw(wakeups most_us unknown_us)},
            %{ $_->{clause} }{qw(cause kind name priority reason own)} } } causes(@wakeups)],
        culprits => [culprits(@wakeups)],
        interruptions => interruptions($report),
        remedies => [map { { code => $_->{code}, %{ remedy($_) } } } remedies(@wakeups)],
    };
}

# Identity and explanation, undef if it has none
sub explained ($report) {
    return { %{ identity($report) }, explanation => _explanation($report), events => _events($report) };
}

sub judgement ($judgement) { return { %$judgement, sentence => Realfeel::Show::Judge::sentence($judgement) } }
sub trend ($series)     { return $series }
sub trial ($experiment) { return $experiment->{trial} }

sub comparison ($comparison) { return { %$comparison, conclusion => conclusion($comparison) } }

sub cells ($grid) {
    return map {
        my ($text, $figure) = @$_{qw(text figure)};
        +{
            row    => { %$text{@{ $grid->{rows} }} },
            column => { %$text{@{ $grid->{columns} }} },
            %$_{qw(file verdict label measure statistic)},
            ($figure->{is_count} ? 'count' : 'value_us') => $figure->{value},
            %$figure{grep { exists $figure->{$_} } qw(low_us high_us open lack needed from_us doubt)},
        };
    } @{ $grid->{cells} };
}

# An array of hashes with sorted keys, and a newline. Plain ASCII, so no text controls a terminal. Values are written by
# their Base::Typed type, undef as null; bytes that are not UTF-8 become U+FFFD, and numbers have the digits that are
# the same on every machine.
sub document {
    my @hashes = map { _written($_) } @_;
    return JSON::PP->new->ascii->canonical->indent->indent_length(2)->space_after->encode(\@hashes);
}

sub _written ($value) {
    return { map { $_ => _written($value->{$_}) } keys %$value } if ref $value eq 'HASH';
    return [map { _written($_) } @$value] if ref $value eq 'ARRAY';
    return $value ? JSON::PP::true : JSON::PP::false if is_truth($value);
    my $flags = svref_2object(\$value)->FLAGS;
    my $is_number = $flags & (SVf_IOK | SVf_NOK) && !($flags & SVf_POK);
    return !defined $value ? undef : !$is_number ? decode('UTF-8', $value)
        : $value == int $value ? $value : 0 + sprintf '%.*g', DIGITS, $value;
}

1;
