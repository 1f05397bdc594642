# SPDX-License-Identifier: GPL-2.0-or-later
# Whether a limit is met, in words.
package Realfeel::Show::Judge;
use Realfeel::Base::Modern;

use List::Util qw(first max uniqstr);
use POSIX qw(ceil floor);
use Realfeel::Answer::Judgement;
use Realfeel::Base::Table;
use Realfeel::Base::Units qw(duration floored grouped printable short short_us significant wrapped);
use Realfeel::Model::Report qw(measure_name);
use Realfeel::Show::Blocks qw(coloured);
use Realfeel::Show::Figures qw(longer_words);
use Realfeel::Stat::Intervals qw(BEYOND);

use constant {
    ANSWER   => { pass => 'pass', fail => 'FAIL', not_yet => 'NOT YET' },
    UNITS    => [['s', 1e6], ['ms', 1e3], ['us', 1], ['ns', 1e-3]],
    DIGITS   => 12,
    SHORT    => 4,
    LEAST_US => 0.001,
    ROUNDING => 1e-6,       # of divisions
};

# Remedies for the only cause of a doubt
use constant REMEDY => {
    steal_ms     => 'Measure where the hypervisor takes no CPU time.',
    clock_step_s => 'Measure while nothing sets the clock.',
    suspended_s  => 'Measure while the machine stays awake.',
    stopped_ms   => 'Measure without stopping realfeel.',
    imported     => 'Measure with realfeel.',
};

# The answer for the worst CPU of a run; for several runs a table of them. Takes judged runs, worst first.
sub text (@judged) {
    my %of_run;
    my ($worst, @others) = grep { !$of_run{ $_->{run} }++ } @judged;
    return coloured(_table($worst, @others) . _left_out($worst, @others)) if @others;
    my @of = @judged > 1 ? 'the worst of ' . grouped(scalar @judged) : ();
    my @place = @of || @{ $worst->{left_out} } ? ($worst->{part} // (), @of) : ();
    return coloured(wrapped('', sentence($worst, join ', ', @place)) . "\n" . _left_out($worst));
}

# A sentence for each report
sub all (@judged) {
    my $is_of_files = (uniqstr map { $_->{run} } @judged) > 1;
    my %of_run = map { $_->{run} => $_ } @judged;
    my $is_of_one = @judged == 1 && !@{ $judged[0]{left_out} };
    return coloured(join '', (map {
        my $place = $is_of_one ? '' : join ', ', $is_of_files ? $_->{run} : (), $_->{part} // ();
        wrapped('', sentence($_, $place)) . "\n";
    } @judged), _left_out(@of_run{ sort keys %of_run }));
}

# A line for each run with threads that are not judged
sub _left_out (@runs) {
    return join '', map {
        my $threads = printable(join ', ', @{ $_->{left_out} });
        wrapped('', "$_->{run}: threads with fewer than ten wake-ups are not judged: $threads") . "\n";
    } grep { @{ $_->{left_out} } } @runs;
}

# With what casts doubt on each run, or what it takes to be sure
sub _table (@judged) {
    return join '', map { "$_\n" } Realfeel::Base::Table->new(
        columns => ['', (map { { head => $_, align => 'left' } } qw(run limit)), 'above', 'max us', ''],
        rows    => [map {
            my ($answer, $doubt, $max, $run, $part) = @$_{qw(answer doubt max_us run part)};
            [ANSWER->{$answer}, printable(join ', ', $run, $part // ()), limit_text(@$_{qw(limit_us percentile)}),
                _count($_), defined $max ? short($max) : '-',
                $doubt // ($answer eq 'not_yet' && defined $_->{needed} ? _more($_) : '')];
        } @judged],
    )->text;
}

# The answer, with file and CPU if $place is given, and the reasons
sub sentence ($judgement, $place = '') {
    return join ': ', ANSWER->{ $judgement->{answer} }, $place eq '' ? () : $place, _reasons($judgement);
}

# The answer and what decided it
sub first_sentence ($judgement) {
    return join ': ', ANSWER->{ $judgement->{answer} }, $judgement->{part} // (), _decides($judgement);
}

sub _reasons ($judgement) {
    my ($code, $decides) = ($judgement->{code}, _decides($judgement));
    my $reason = defined $judgement->{reason} ? " ($judgement->{reason})" : '';
    return 'nothing was measured.' if $code eq 'empty';
    return "$decides." . _later($judgement) if $code eq 'kept';
    return $decides . _exceeded($judgement, $reason) if $code eq 'exceeded';
    return "$decides: " . _more($judgement) . '.' if $code eq 'between';
    return "$decides. Too short to know p$judgement->{percentile}: " . _more($judgement) . '.' if $code eq 'short';
    return "$decides: the limit lies inside a bin. Take "
        . join(' or ', map { _time($_) } @$judgement{qw(from_us to_us)}) . '.' if $code eq 'bin';
    return "$decides, but --break ended the run. Measure without it." if $code eq 'break';
    return "$decides, but the schedule is contradicted$reason. Measure again." if $code eq 'contradicted';
    return "$decides, but the run is invalid$reason. Measure "
        . ($reason =~ /real-time/ ? 'with real-time rights.' : 'again.') if $code eq 'invalid';
    my $remedy = REMEDY->{ $judgement->{remedy} // '' } // 'Measure again.';
    return "$decides, but the run is suspect$reason, so it cannot pass. $remedy";
}

# How many are above, and how many may be; and the interval of the percentile, unless the counts decide
sub _decides ($judgement) {
    my ($us, $low, $high, $code, $share) = @$judgement{qw(limit_us low_us high_us code allowed)};
    my $verb = $judgement->{measure} eq 'lateness' ? 'later' : 'took longer';
    my $counted = _count($judgement) . " $verb than " . _time($us)
        . ($share ? ', ' . grouped(floor($share * $judgement->{count} + ROUNDING)) . ' allowed' : '')
        . ($judgement->{unmatched} ? '; ' . grouped($judgement->{unmatched}) . ' more with incomplete records' : '');
    return $counted if !defined $low || $code eq 'short' || $code eq 'exceeded' && $low <= $us;
    my $where = $low > $us ? 'above' : defined $high && $high <= $us ? 'below' : 'on either side of';
    my $interval = short($low) . (defined $high ? ' to ' . short($high) : ' or more');
    my $few = $share * $judgement->{count} < BEYOND ? '~' : '';
    return "$counted; p$judgement->{percentile} is $few" . short_us($judgement->{value_us})
        . " ($interval), $where the limit";
}

sub _count ($judgement) {
    my ($above, $most, $count) = map { grouped($_) } @$judgement{qw(above above_most count)};
    my $values = $judgement->{value} . ($judgement->{count} == 1 ? '' : 's');
    return ($above eq $most ? $above : "$above to $most") . " of $count $values";
}

# In the largest unit in which it is at least 1
sub _time ($us) {
    my ($unit, $divisor) = @{ (first { $us >= $_->[1] } @{ UNITS() }) // UNITS->[-1] };
    return significant($us / $divisor, DIGITS) . " $unit";
}

# What may still come after a plain count of zero
sub _later ($judgement) {
    my ($later_s, $longer, $allowed) = @$judgement{qw(later_s longer allowed)};
    return '' if $allowed || !defined $later_s;
    my ($more, $time) = (measure_name($judgement->{measure}, 'more'), duration($later_s));
    return " A $more one comes less than once in $time (95 %)."
        . ($longer ? ' ' . ucfirst(longer_words($longer)) . '.' : '');
}

# How rarely that happens, for plain counts; the lowest limit that is kept, to four digits, rounded up; and what else
# casts doubt on the run
sub _exceeded ($judgement, $reason) {
    my ($one_in, $allowed, $keeps, $percentile, $doubt)
        = @$judgement{qw(sure_one_in allowed keeps_us percentile doubt)};
    my $digit = 10**(floor(log(max($keeps // 0, LEAST_US)) / log 10) + 1 - SHORT);
    my $kept = defined $keeps && limit_text($digit * ceil($keeps / $digit - ROUNDING), $percentile);
    return join ' ', defined $one_in && !$allowed ? '; at most 1 in ' . floored($one_in) . ' (95 %).' : '.',
        $kept ? "The run keeps $kept." : (),
        !defined $doubt ? () : $doubt eq 'break' ? '--break ended the run.' : "The run is suspect$reason.";
}

# Rounded up, so that it is enough
sub _more ($judgement) {
    my ($needed, $seconds, $code) = @$judgement{qw(needed needed_s code)};
    return 'no run of a practical length would decide' unless defined $needed;
    my ($time, $unit) = split / /, defined $seconds ? duration($seconds) : "$needed $judgement->{value}s";
    return join ' ', 'measure', $code eq 'short' ? () : 'about', grouped(ceil $time), $unit;
}

# "100 us @ 99.999"; without the percentile if that is undef
sub limit_text ($us, $percentile) {
    return join ' @ ', _time($us), $percentile // ();
}

1;
