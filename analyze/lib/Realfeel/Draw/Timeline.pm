# SPDX-License-Identifier: GPL-2.0-or-later
# Who had the CPU before the worst wake-ups, from due to stamp.
package Realfeel::Draw::Timeline;
use Realfeel::Base::Modern;

use List::Util qw(any first max min sum0 uniq);
use Realfeel::Answer::Why qw(wakeups);
use Realfeel::Base::Units qw(cut decimal width);
use Realfeel::Draw::Words qw(finding_words rounded words);
use Realfeel::Model::Explain qw(findings);

use constant {
    ALL        => 32,           # rows
    PERCENT    => 100,
    LEAST      => 0.8,          # of a row, in %: what took less is drawn as wide as this
    SHORT_ONES => 40,           # of a row, in %, for all of these together at most
    NAME_MOST  => 48,           # letters of a name; those of Linux have 15, but one that is escaped may have more
    BRIGHT     => 0xffffff,     # of names
    DARK       => 0x101010,
    SMALL      => 1.3,          # how many more letters of names than of the axes have room in a row
    DECIMALS   => 3,
    UNKNOWN    => { map { $_ => 1 } qw(ring-ends no-record lost) },
    # In the order of the key, hatched ones last
    KINDS      => [qw(task idle interrupt self softirq unknown)],
    HATCHED    => { softirq => 1, unknown => 1 },
};

# Rows fill the width, so that 60 ms and 60 us are both visible; the length stands at the left. Short segments are
# widened to be visible.
sub plan ($runs) {
    my ($report) = $runs->reports;
    my $look = $runs->look;
    my @events = @{ $report->events // [] };
    my @rows = map { _row($_, $events[$_->{number} - 1]) } grep { $_->{late_us} > 0 } wakeups($report, ALL)
        or die "no late wake-up has a record of who had the CPU; name another report\n";
    my $unit = $runs->linear_unit($rows[0]{us});
    my $latency = $report->latency_name;
    return {
        labels  => [
            words('axis.up_to_stamp'), words('axis.unit', label => $report->latency_words, unit => $unit->{symbol}),
        ],
        x       => [0, PERCENT],
        y       => [@rows + 0.5, 0.5],
        data    => _boxes($look, @rows),
        keys    => [map { words("timeline.$_") } @{ KINDS() }, "start_$latency", 'woken'],
        texts   => {
            from_text => words("timeline.from_$latency"), to_text => words('timeline.to'),
            row => [map { decimal($_->{us} / $unit->{us}, DECIMALS) } @rows],
        },
        remark  => words('timeline.wider', least => LEAST),
        finding => finding_words(grep { $_->{code} eq 'self_test' } findings($report)),
    };
}

# A hash of us, the lateness; boxes, hashes of from and to in % and segment; and expiry and waking, places, undef if
# unknown
sub _row ($wakeup, $event) {
    my ($us, $expiry, $waking) = ($wakeup->{late_us}, @$event{qw(expiry_us waking_us)});
    my @marks = map { min($us, max(0, $_)) } defined $waking ? ($expiry, $expiry + $waking) : ();
    my @segments = _joined(@{ $wakeup->{segments} });
    my %place = _places(0, @marks, map { $_->{to_us} } @segments);
    my ($expired, $woken) = @marks ? @place{ map { _key($_) } @marks } : ();
    my @boxes = map {
        { from => $place{ _key($_->{from_us}) }, to => $place{ _key($_->{to_us}) }, segment => $_ }
    } @segments;
    return { us => $us, boxes => \@boxes, expiry => $expired, waking => $woken };
}

# One box for who had the CPU, whatever the process was waiting for meanwhile
sub _joined {
    my @joined;
    for my $segment (@_) {
        my $who = join "\0", map { $_ // '' } @$segment{qw(kind name priority detail)};
        if (@joined && $joined[-1]{who} eq $who) { $joined[-1]{to_us} = $segment->{to_us} }
        else                                     { push @joined, { %$segment, who => $who } }
    }
    return @joined;
}

# Maps these times to % of the row
sub _places {
    my @times = sort { $a <=> $b } uniq map { _key($_) } @_;
    my @widths = map { PERCENT * ($times[$_] - $times[$_ - 1]) / $times[-1] } 1 .. $#times;
    my $least = min(LEAST, SHORT_ONES / @widths);
    my @long = grep { $_ >= $least } @widths;
    my $scale = (PERCENT - $least * (@widths - @long)) / (sum0(@long) || 1);
    my ($at, %place) = (0, shift @times, 0);
    for my $i (0 .. $#widths) {
        $at += $widths[$i] < $least ? $least : $scale * $widths[$i];
        $place{ $times[$i] } = $at;
    }
    return %place;
}

# To the nanosecond
sub _key ($time) { return sprintf '%.3f', $time }

# Six data sets of boxes, two of names, on plain and on hatched boxes, and two of marks
sub _boxes ($look, @rows) {
    my $letter = PERCENT / ($look->{letters} * SMALL);
    my (%boxes, @names, @marks);
    for my $i (0 .. $#rows) {
        my ($row, $number) = ($rows[$i], $i + 1);
        push @{ $boxes{ $_->{segment}{kind} } }, [$number, @$_{qw(from to)}] for @{ $row->{boxes} };
        push @{ $names[$_->{is_hatched}] }, [$number, $_->{at}, \$_->{text}, $_->{colour}]
            for _row_of_names($look, $letter, $row);
        my @at = @$row{qw(expiry waking)};
        push @{ $marks[$_] }, [$number, $at[$_]] for grep { defined $at[$_] } 0, 1;
    }
    return [map { $_ // [] } @boxes{ @{ KINDS() } }, @names[0, 1], @marks[0, 1]];
}

# Who else had the CPU longest: a hash of name, and text with the time
sub _main ($look, $row) {
    my %us;
    for my $segment (grep { $_->{kind} ne 'self' } map { $_->{segment} } @{ $row->{boxes} }) {
        my $name = (_names($look, $segment))[1];
        $us{$name} += $segment->{to_us} - $segment->{from_us};
    }
    my ($name) = sort { $us{$b} <=> $us{$a} || $a cmp $b } keys %us or return;
    return { name => $name, text => "$name " . rounded($look, $us{$name}) };
}

# Each in its box, if it fits. If no box of the main one has room, its name goes to the middle, where no other may be.
sub _row_of_names ($look, $letter, $row) {
    my @names = map { _name($look, $letter, $_) } @{ $row->{boxes} };
    my $main = _main($look, $row);
    return @names if !$main || any { $_->{name} eq $main->{name} } @names;
    my ($at, $half) = (PERCENT / 2, $letter * (width($main->{text}) + 1) / 2);
    my @beside = grep { abs($_->{at} - $at) >= $_->{half} + $half } @names;
    return (@beside, { text => $main->{text}, at => $at, colour => DARK, is_hatched => 1 });
}

# The longest name that fits: a hash of text, name without the time, middle, half width, colour, and whether the box is
# hatched
sub _name ($look, $letter, $box) {
    my ($room, @names) = (($box->{to} - $box->{from}) / $letter, _names($look, $box->{segment}));
    my $text = first { width($_) + 1 < $room } @names or return;
    my $kind = $box->{segment}{kind};
    return {
        text => $text, name => $names[1],
        at => ($box->{from} + $box->{to}) / 2, half => $letter * width($text) / 2,
        colour => $kind eq 'interrupt' ? BRIGHT : DARK, is_hatched => HATCHED->{$kind} // 0,
    };
}

sub _names ($look, $segment) {
    my $time = rounded($look, $segment->{to_us} - $segment->{from_us});
    my $why = UNKNOWN->{ $segment->{detail} // '' } ? $segment->{detail} : 'unknown';
    my $name = $segment->{kind} eq 'unknown' ? words("timeline.$why") : cut($segment->{name} // '-', NAME_MOST);
    return ("$name $time", $name);
}

1;
