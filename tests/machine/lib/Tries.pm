# SPDX-License-Identifier: GPL-2.0-or-later
# Properties of the machine, tried again and again: a rate, and what it says.
#
# A property is a hash of name and cases, an array that its tries take in turn: with up to six, one that always fails gives an
# alarm. A case is a hash of name ('' if it is the only one); lacks, a function that returns what the machine does not have,
# as the kernel says it, or ''; and try, which gets how often it was called before, and returns its faults, each a line.
package Tries;
use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib", "$FindBin::Bin/../analyze/lib";
use List::Util qw(max min uniqstr);
use MadeReport ();
use POSIX qw(strftime uname);
use Rate qw(interval limit);
use Realfeel::Base::File qw(save);
use Realfeel::Base::Table;
use ReportText;
use RunCommand qw(abandon);
use Time::HiRes qw(time);

use Exporter 'import';
our @EXPORT    = qw(differs not_within);
our @EXPORT_OK = qw(alarms lines save_reports try_all);

use constant {
    PATIENCE_S => 15,       # for one try
    HANGS      => 5,        # as many tries are enough
    SHOWN      => 3,        # faults of a property
};

# A fault, or none.
sub differs {
    my ($what, $got, $expected) = @_;
    return $got eq $expected ? () : "$what: $got, not $expected";
}

# The same of a number, between a least and a most, either of which may be undef.
sub not_within {
    my ($what, $got, $least, $most) = @_;
    return "$what: $got, less than $least" if defined $least && $got < $least;
    return defined $most && $got > $most ? "$what: $got, more than $most" : ();
}

# In turn, so that what disturbs the machine for a while does not strike all tries of one. Adds to each property lacking, the
# cases that are skipped and why; failures; hangs, after some of which it is tried no more; faults, how often, by their text;
# and us, how long each try took.
sub try_all {
    my ($tries, @properties) = @_;
    for my $property (@properties) {
        my %lacking = map { $_->{name} => $_->{lacks} && $_->{lacks}->() || '' } @{ $property->{cases} };
        $property->{ready} = [grep { !$lacking{ $_->{name} } } @{ $property->{cases} }];
        %$property = (%$property, lacking => \%lacking, failures => 0, hangs => 0, faults => {}, us => []);
    }
    for my $number (0 .. $tries - 1) {
        try_one($_, $number) for grep { @{ $_->{ready} } && $_->{hangs} < HANGS } @properties;
    }
    return @properties;
}

sub try_one {
    my ($property, $number) = @_;
    my $ready  = $property->{ready};
    my $case   = $ready->[$number % @$ready];
    my $began  = time;
    my @faults = eval {
        local $SIG{ALRM} = sub { $property->{hangs}++; die 'not done in ' . PATIENCE_S . " s\n" };
        alarm PATIENCE_S;
        $case->{try}->(int $number / @$ready);
    };
    push @faults, $@ =~ s/\n.*//sr if $@;
    alarm 0;
    abandon();
    push @{ $property->{us} }, 1e6 * (time - $began);
    $property->{failures}++ if @faults;
    $property->{faults}{$_}++ for uniqstr map { $case->{name} eq '' ? $_ : "$case->{name}: $_" } @faults;
}

sub alarms {
    return grep { @{ $_->{us} } && $_->{failures} >= limit(scalar @{ $_->{us} }) } @_;
}

# The table, and below it what was skipped, and what failed.
sub lines {
    my @properties = @_;
    my @tried = grep { @{ $_->{us} } } @properties;
    my $table = Realfeel::Base::Table->new(
        columns => ['', 'failed', 'of', '%', '95 %', { head => '', align => 'left' }], rows => [map { [cells($_)] } @tried],
    );
    my $tries = max(0, map { scalar @{ $_->{us} } } @tried);
    return (
        $table->text,
        @tried ? sprintf('A property that fails in %g %% of its tries gives an alarm, %d of %d, in %.0f of 10,000 runs.',
            100 * Rate::USUAL, limit($tries), $tries, 1e4 * Rate::at_least(limit($tries), $tries, Rate::USUAL)) : (),
        (map { skipped($_) } @properties),
        (map { faults_of($_) } @tried),
    );
}

sub cells {
    my ($property) = @_;
    my ($failures, $tries) = ($property->{failures}, scalar @{ $property->{us} });
    my @percent = map { sprintf '%.1f', 100 * $_ } $failures / $tries, interval($failures, $tries);
    return ($property->{name}, $failures, $tries, $percent[0], "$percent[1] to $percent[2]", alarms($property) ? 'ALARM' : '');
}

sub skipped {
    my ($property) = @_;
    my $lacking = $property->{lacking};
    my @reasons = uniqstr values %$lacking;
    return "$property->{name}, skipped: $reasons[0]" if @reasons == 1 && $reasons[0];
    return map { join(', ', $property->{name}, $_ eq '' ? () : $_) . ", skipped: $lacking->{$_}" }
        grep { $lacking->{$_} } map { $_->{name} } @{ $property->{cases} };
}

sub faults_of {
    my ($property) = @_;
    my $faults = $property->{faults};
    my @most = sort { $faults->{$b} <=> $faults->{$a} || $a cmp $b } keys %$faults;
    return map { "$property->{name}, $faults->{$_} times: $_" } @most[0 .. min(SHOWN, scalar @most) - 1];
}

# A report of each property that was tried, labelled with its name, in which each try is a period of which a failure is
# missed: realfeel-analyze trend missed tells since when it fails. The latency is how long the tries took.
sub save_reports {
    my ($folder, $seconds, @properties) = @_;
    my $started = strftime('%Y-%m-%dT%H:%M:%SZ', gmtime $seconds);
    for my $property (grep { @{ $_->{us} } } @properties) {
        my ($failures, @us) = ($property->{failures}, @{ $property->{us} });
        my %header = (
            status => 'complete', verdict => 'valid', source => 'tries', hostname => (uname())[1], kernel_release => (uname())[2],
            label => $property->{name}, started => $started, samples => @us - $failures, periods => scalar @us, missed => $failures,
        );
        my $text = report_text({ header => \%header, keys => [sort keys %header], histogram => MadeReport::bins(4, \@us) });
        save($text, "$folder/$started-" . $property->{name} =~ s/\W+/-/gr . '.hist', 1);
    }
}

1;
