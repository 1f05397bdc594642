# SPDX-License-Identifier: GPL-2.0-or-later
# The worst wake-ups in the listing and in the JSON document.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp qw(tempdir);
use JSON::PP ();
use Test::More;

use Analyzer;
use RunCommand;

my $data    = "$FindBin::Bin/data";
my $dir     = tempdir(CLEANUP => 1);

sub output_of {
    my ($status, $out, $err) = run($analyze, $_[0] eq '--json' ? () : '-v', @_);
    is("$status $err", '0 ', 'the report is read without a complaint');
    return $out;
}

# The part of the listing that begins with the worst wake-ups.
sub part_of { return output_of(@_) =~ /\n\n  (worst .*)\z/s ? $1 : '' }

sub changed {
    my ($change) = @_;
    local $_ = contents("$data/events.hist");
    $change->();
    return file_of("$dir/x.hist", $_);
}

# The first $n events, each changed by $change.
sub first_events {
    my ($n, $change) = @_;
    return changed(sub { s{( smis\n)((?:[^\n]*\n){$n}).*(?=# end)}{$1 . join '', map { $change->() } split /^/, $2}se });
}

subtest 'the worst wake-ups are listed with time and place' => sub {
    my $part = part_of("$data/events.hist");
    my ($title, $heading, @rows) = split /\n/, $part;
    is($title, 'worst wake-ups by lateness: 10 of 14; interval errors signed', 'how many there are');
    is(scalar @rows, 10, 'ten are listed');
    my @expected = map { [split] } split /\n/, <<'END';
0.001954 23:05:57.125409 492.352 489.872 2 0>1
0.003568 23:05:57.127023 153.040 149.720 1 1
0.006385 23:05:57.129840 40.310 37.410 1 1>0
0.004413 23:05:57.127869 21.700 19.385 1 1
0.004888 23:05:57.128344 8.400 -13.300 1 1
0.007327 23:05:57.130783 6.250 3.250 1 0
0.005373 23:05:57.128829 5.500 -2.900 1 unknown
END
    is_deeply([map { [split] } @rows[0 .. 6]], \@expected, 'the worst first');
    is((grep { length != length $heading } @rows), 0, 'the rows of times have the width of the heading');
};

subtest 'the CPU is shown with its change' => sub {
    for my $case (['3 3', '3'], ['3 12', '3>12'], ['unknown 3', '3'], ['3 unknown', 'unknown']) {
        my ($columns, $cell) = @$case;
        like(part_of(first_events(1, sub { s/ 2 0 1 / 2 $columns /r })), qr/ 2 +\Q$cell\E\n\z/, "from and to: $columns");
    }
};

subtest 'fewer than ten wake-ups are listed' => sub {
    like(part_of(first_events(2, sub { $_ })), qr/^worst wake-ups by lateness: 2 of 2; interval errors signed$/m, 'how many there are');
    my $part = part_of(first_events(2, sub { join(' ', (split)[0 .. 5], ('unknown') x 7) . "\n" }));
    like($part, qr/ cpu\n.* 2  unknown\n.* 1  unknown\n\z/, 'the CPU is listed if nothing else is known');
};

subtest 'explain: off' => sub {
    my $advice = "\n  run with --explain to see why they were late\n";
    for my $change (sub { s/explain: on.*/explain: off/ }, sub { s/# explain.*\n// }) {
        my $part = part_of(changed($change));
        like($part, qr/\Aworst (?:.+\n){12}\Q$advice\E\z/, 'the wake-ups, and how to learn more');
    }
    unlike(output_of("$data/events.hist"), qr/--explain to see/, 'no advice for a run that already has it');
};

subtest 'a report may have no events' => sub {
    is(part_of("$data/small.hist"), '', 'an older report has no events');
    is(part_of("$data/empty.hist"), '', 'a run without samples has no events');
};

subtest 'a contradicted schedule' => sub {
    for my $verdict ('valid', 'suspect: a; b') {
        my $listing = output_of(changed(sub { s/verdict: valid/verdict: $verdict/; s/: kept/: contradicted: 5 ppm\\x0a fast/ }));
        like($listing, qr/\A\S+: (?:valid|SUSPECT)\n  \* the schedule is contradicted: 5 ppm\\x0a fast\n(?:  \* a\n  \* b\n)?\n/,
            "$verdict: the listing begins with the contradiction");
        like($listing, qr/ signed interval error +lateness \(unreliable\)\n/,
            'the heading of the column says that the lateness is unreliable');
        like($listing, qr/^  worst wake-ups by lateness \(unreliable\): 10 of/m,
            'the heading of the wake-ups says that the lateness is unreliable');
    }
    like(output_of("$data/events.hist"), qr/valid\n  status.* signed interval error +lateness\n/s, 'no such word of one that was kept');
};

subtest '80 columns' => sub {
    my $row = '604799.123456 2026-11-20T23:05:57.123456Z 3 9999999.999 -9999999.999 12345678 1023 1022 9999999.9 '
        . '12345678 12345678 12345678 12345678';
    for my $kept ('kept', 'contradicted: x') {
        my $part = part_of(changed(sub { s/: kept/: $kept/; s/( smis\n).*(?=# end)/$1 . "$row\n" x 100/se }));
        is((grep { length > 80 } split /\n/, $part), 0, "a long run on a large machine, schedule $kept");
    }
};

subtest 'JSON has the events' => sub {
    my ($new, $old, $empty) = @{ JSON::PP->new->decode(output_of('--json', map { "$data/$_.hist" } qw(events small empty))) };
    is_deeply([$new->{results}{schedule}, $new->{environment}{explain}], ['kept', 'on, 0.71 us a sample'],
        'JSON has the schedule and the level of --explain');
    is_deeply([$old->{results}{schedule}, $old->{environment}{explain}, $old->{events}], [undef, undef, undef],
        'an older report does not know');
    is_deeply($empty->{events}, [], 'no wake-up, no event');
    is(scalar @{ $new->{events} }, 14, 'all events');
    is_deeply($new->{events}[2], {
        at_s => 0.006385, utc => '2026-11-20T23:05:57.129840Z', period => 13, lateness_us => 40.31, interval_us => 37.41,
        periods => 1, cpu_before => 1, cpu => 0, smis => undef,
    }, 'each event has all that is known, but what only 0.1 counted');
    like(output_of('--json', "$data/events.hist"), qr/"lateness_us": 40\.31,/, 'JSON has numbers, not texts');
};

done_testing;
