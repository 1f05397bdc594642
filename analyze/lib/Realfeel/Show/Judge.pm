# SPDX-License-Identifier: GPL-2.0-or-later
# Whether a limit is kept, in words.
package Realfeel::Show::Judge;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(all first_sentence limit_text sentence text);

use List::Util qw(first max uniqstr);
use POSIX qw(ceil floor);
use Realfeel::Answer::Judgement;
use Realfeel::Base::Table;
use Realfeel::Base::Units qw(duration floored grouped printable short short_us significant wrapped);
use Realfeel::Model::Cpus qw(cpu_name);
use Realfeel::Model::Report qw(measure_name);
use Realfeel::Show::Figures qw(longer_words);
use Realfeel::Show::Words qw(words);

use constant {
    COLOUR   => { pass => "\e[1;32m", fail => "\e[1;31m", not_yet => "\e[1;33m" },
    PLAIN    => "\e[0m",
    UNITS    => [['s', 1e6], ['ms', 1e3], ['us', 1], ['ns', 1e-3]],
    DIGITS   => 12,
    SHORT    => 4,
    LEAST_US => 0.001,
    ROUNDING => 1e-6,       # of divisions
};

# The answer for the worst CPU of a run; for several runs a table of them. Takes judged runs, worst first. Coloured on
# terminals that can.
sub text (@judged) {
    my %of_run;
    my ($worst, @others) = grep { !$of_run{ $_->{report}->run_name }++ } @judged;
    return _table($worst, @others) . _left_out($worst, @others) if @others;
    my @of = @judged > 1 ? words('judge.worst_of', of => grouped(scalar @judged)) : ();
    my @place = @of || @{ $worst->{left_out} } ? (_place($worst), @of) : ();
    return _coloured($worst, wrapped('', sentence($worst, join ', ', @place)) . "\n") . _left_out($worst);
}

# A sentence for each report
sub all (@judged) {
    my $is_of_files = (uniqstr map { $_->{report}->run_name } @judged) > 1;
    my %of_run = map { $_->{report}->run_name => $_ } @judged;
    my $is_of_one = @judged == 1 && !@{ $judged[0]{left_out} };
    my @sentences = map { sentence($_, $is_of_one ? '' : _place($_, $is_of_files)) } @judged;
    return join '', (map { _coloured($judged[$_], wrapped('', $sentences[$_]) . "\n") } 0 .. $#judged),
        _left_out(@of_run{ sort keys %of_run });
}

# A line for each run with threads that are not judged
sub _left_out (@runs) {
    return join '', map {
        my $threads = join ', ', @{ $_->{left_out} };
        wrapped('', words('judge.left_out', file => $_->{report}->run_name, threads => printable($threads))) . "\n";
    } grep { @{ $_->{left_out} } } @runs;
}

sub _table (@judged) {
    my ($head, @lines) = Realfeel::Base::Table->new(
        columns => [
            '', (map { { head => words("column.$_"), align => 'left' } } qw(run limit)),
            (map { words("column.$_") } qw(above max_us)), '',
        ],
        rows => [map { _row($_) } @judged],
    )->text;
    return join '', "$head\n", map { _coloured($judged[$_], "$lines[$_]\n") } 0 .. $#lines;
}

# With what speaks against the run, or what certainty takes
sub _row ($judgement) {
    my ($answer, $doubt, $max) = @$judgement{qw(answer doubt max_us)};
    return [
        words("judge.$answer"), printable(_place($judgement, 1)), limit_text(@$judgement{qw(limit_us percentile)}),
        words('judge.row', %{ _counts($judgement) }), defined $max ? short($max) : '-',
        $doubt // ($answer eq 'not_yet' && defined $judgement->{needed} ? _more($judgement) : ''),
    ];
}

sub _place ($judgement, $is_of_files = undef) {
    my $report = $judgement->{report};
    return join ', ', $is_of_files ? $report->run_name : (), $report->part ? cpu_name($report) : ();
}

sub _coloured ($judgement, $text) {
    my $answer = $judgement->{answer};
    my $is_plain = !-t STDOUT || ($ENV{NO_COLOR} // '') ne '' || ($ENV{TERM} // 'dumb') eq 'dumb';
    my $word = words("judge.$answer");
    return $is_plain ? $text : $text =~ s/\A\Q$word\E/COLOUR->{$answer} . $word . PLAIN/er;
}

# The answer, with file and CPU if $place is given, and the reasons
sub sentence ($judgement, $place = undef) {
    return _told($judgement, $place // '', _reasons($judgement));
}

# The answer and what decided
sub first_sentence ($judgement) {
    return _told($judgement, _place($judgement), _decides($judgement));
}

sub _told ($judgement, $place, $why) {
    return words($place eq '' ? 'judge.told' : 'judge.told_of', answer => words("judge.$judgement->{answer}"),
        place => $place, why => $why);
}

sub _reasons ($judgement) {
    my $code = $judgement->{code};
    return words('judge.why_empty') if $code eq 'empty';
    my $reason = defined $judgement->{reason} ? words('judge.reason', reason => $judgement->{reason}) : '';
    return words("judge.why_$code", decides => _decides($judgement), counted => _counted($judgement), reason => $reason,
        more => _more($judgement), percentile => $judgement->{percentile} // '', sure => _sure($judgement),
        keeps => _kept($judgement), doubt => _doubt($judgement, $reason), later => _later($judgement),
        remedy => words(join '_', 'judge.remedy', $judgement->{remedy} // ()),
        map { $_ => _time($judgement->{"${_}_us"}) } qw(from to));
}

# The interval of the percentile and where the limit lies; without a percentile, how many are above
sub _decides ($judgement) {
    my ($us, $low, $high) = @$judgement{qw(limit_us low_us high_us)};
    return _counted($judgement) if !defined $low || $judgement->{code} eq 'short';
    my $where = $low > $us ? 'below' : defined $high && $high <= $us ? 'above' : 'between';
    return words(defined $high ? 'judge.interval' : 'judge.interval_open', percentile => $judgement->{percentile},
        value => short_us($judgement->{value_us}), low => short($low), high => short($high // $low),
        limit => _time($us), where => words("judge.$where"));
}

sub _counted ($judgement) {
    return words("judge.above_$judgement->{measure}", limit => _time($judgement->{limit_us}), %{ _counts($judgement) });
}

sub _counts ($judgement) {
    my ($above, $most, $count) = map { grouped($_) } @$judgement{qw(above above_most count)};
    return {
        above  => $above eq $most ? $above : words('compare.from_to', least => $above, most => $most),
        values => "$count $judgement->{value}" . ($judgement->{count} == 1 ? '' : 's'),
    };
}

# In the largest unit in which it is at least 1
sub _time ($us) {
    return words('unknown') unless defined $us;
    my ($unit, $divisor) = @{ (first { $us >= $_->[1] } @{ UNITS() }) // UNITS->[-1] };
    return significant($us / $divisor, DIGITS) . " $unit";
}

# For plain counts: how rarely the limit is exceeded
sub _sure ($judgement) {
    my $one_in = $judgement->{sure_one_in};
    return defined $one_in && !$judgement->{allowed} ? words('judge.sure', of => floored($one_in)) : '';
}

# What may still come after a plain count of none
sub _later ($judgement) {
    my ($later_s, $longer, $allowed) = @$judgement{qw(later_s longer allowed)};
    return '' if $allowed || !defined $later_s;
    return words('judge.later', more => measure_name($judgement->{measure}, 'more'), time => duration($later_s))
        . ($longer ? words('judge.longer', longer => ucfirst longer_words($longer)) : '');
}

# What else speaks against a run that fails
sub _doubt ($judgement, $reason) {
    my $is_told = $judgement->{code} eq 'exceeded' && defined $judgement->{doubt};
    return $is_told ? words("judge.doubt_$judgement->{doubt}", reason => $reason) : '';
}

sub _kept ($judgement) {
    my $keeps = $judgement->{keeps_us} // return '';
    return words('judge.keeps', keeps => limit_text(_ceiling($keeps), $judgement->{percentile}));
}

# Four digits, rounded up, so that it is kept
sub _ceiling ($us) {
    my $digit = 10**(floor(log(max($us, LEAST_US)) / log 10) + 1 - SHORT);
    return $digit * ceil($us / $digit - ROUNDING);
}

# Rounded up, so that it is enough
sub _more ($judgement) {
    my ($needed, $seconds, $code) = @$judgement{qw(needed needed_s code)};
    return words('judge.too_long') unless defined $needed;
    my ($time, $unit) = split / /, defined $seconds ? duration($seconds) : "$needed $judgement->{value}s";
    return words($code eq 'short' ? 'judge.more' : 'judge.more_about', time => grouped(ceil $time) . " $unit");
}

# "100 us @ 99.999"; without the percentile if that is undef
sub limit_text ($us, $percentile) {
    my $time = _time($us);
    return defined $percentile ? words('judge.limit', time => $time, percentile => $percentile) : $time;
}

1;
