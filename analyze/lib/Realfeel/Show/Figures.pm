# SPDX-License-Identifier: GPL-2.0-or-later
# What is said of figures, wherever they are shown. Measures and findings are those of Answer::Stats.
package Realfeel::Show::Figures;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(bracketed delay doubt_words enough_words finding_words interval_words lack_words later_words
    longer_words measure_words needs_words objection_words periods slice_words sufficiency_words);

use Realfeel::Answer::Stats qw(later_s sufficiency);
use Realfeel::Base::Units qw(counted decimal duration floored short us);
use Realfeel::Model::Report qw(measure_name);
use Realfeel::Show::Words qw(words);

# With a note if the figures are not what they seem, unless $is_short
sub measure_words ($measure, $is_short = undef) {
    my ($key, $code, $note) = @$measure{qw(key code note)};
    my $name = $code eq $key ? measure_name($key) : words("measure.$code", measure => measure_name($key));
    return $name . (defined $note && !$is_short ? ' ' . words("note.$note") : '');
}

# Why a percentile has no value; undef if it has one
sub lack_words ($percentile) {
    my ($lack, $from) = @$percentile{qw(lack from_us)};
    return undef unless defined $lack;
    return words("lack.$lack", %$percentile, from => defined $from ? us($from) : undef);
}

# "5.1 to 6.2"; empty if both ends are unknown
sub interval_words { return _ends('screen.interval', '', @_) // '' }
# Behind a value, in brackets; undef if both ends are unknown
sub bracketed      { return _ends('bracketed', @_) }

sub _ends ($code, $value, $low, $high) {
    return undef unless defined $low || defined $high;
    return words($code, value => $value, low => $low // words('open.less'), high => $high // words('open.more'));
}

# Why the value of a cell of Answer::Grid, or of lmbench, is unreliable; undef if it is not
sub doubt_words ($figure) {
    my $doubt = $figure->{doubt} // return undef;
    return $doubt eq 'says' ? $figure->{says}
        : exists $figure->{overhead_us} ? words("lmbench.$doubt") : lack_words($figure);
}

# "12 periods", or requests, if these have the latency
sub periods ($report, $periods) {
    return counted($periods, $report->latency_words('value'));
}

# How rarely a latency exceeds the maximum; undef if unknown
sub later_words ($report, $measure) {
    my $seconds = later_s($report) // return undef;
    return words('later', more => (_values($report, $measure))[2], time => duration($seconds));
}

# What a longer run stays below, by longer of Answer::Stats
sub longer_words ($longer) {
    return words('longer', time => duration($longer->{duration_s}), max => short($longer->{below_us}));
}

# What more values take, by needs of Answer::Stats
sub needs_words ($report, $measure, $needs, $is_short = undef) {
    my ($values) = _values($report, $measure);
    my %said = (more => counted($needs->{more}, "more $values"));
    return words('needs', %said) unless $needs->{seconds};
    return words($is_short ? 'needs.short' : 'needs.long', %said, time => duration($needs->{seconds}));
}

sub _values ($report, $measure) {
    return $measure->{key} eq 'interval' ? (measure_name('interval'), words('above.interval'), words('more.interval'))
        : map { $report->latency_words($_) } qw(value is_above more);
}

sub objection_words ($objection) {
    return words("objection.$objection->{code}", %$objection);
}

use constant ENOUGH => {
    later  => \&_later,
    longer => sub { longer_words($_[2]) },
    short  => sub { words('short') },
    limit  => \&_limit,
    bins   => sub { words('enough.bins', %{ $_[2] }, reason => words('lack.bins', from => us($_[2]{from_us}))) },
    needs  => sub { words('enough.needs', %{ $_[2] }, needs => needs_words(@_)) },
    slice  => sub { words('enough.slice', told => join ', ', slice_words($_[0], $_[2])) },
};

# Whether the run was long enough, a sentence for each finding
sub sufficiency_words ($report, @measures) {
    return map { enough_words($report, $measures[-1], $_) } sufficiency($report, @measures);
}

sub enough_words { return ENOUGH->{ $_[2]{code} }->(@_) }

sub _later ($report, $measure, $later) {
    my ($value, $is_above) = _values($report, $measure);
    return words('enough.later', value => $value, is_above => $is_above, max => us($later->{max_us}),
        later => later_words($report, $measure));
}

sub _limit ($report, $measure, $limit) {
    my $is_above = $report->latency_words($limit->{count} == 1 ? 'is_above' : 'are_above');
    my %said = (values => periods($report, $limit->{count}), is_above => $is_above, limit => us($limit->{limit_us}));
    return words('enough.limit', %said) unless defined $limit->{one_in};
    return words('enough.limit_sure', %said, one_in => floored($limit->{one_in}));
}

# When the worst slice was, its maximum, and, if known, missed periods, and SMIs if there were any
sub slice_words ($report, $slice) {
    my ($run, $missed, $smis) = @$slice{qw(run missed smis)};
    my %said = (start => decimal($slice->{start_s}, 3), seconds => decimal($slice->{seconds}, 3));
    return (
        defined $run ? words('slice.of_run', %said, run => $run) : words('slice', %said),
        $report->latency_words('most') . ' ' . us($slice->{max_us}),
        defined $missed ? words('missed', missed => $missed, periods => periods($report, $slice->{periods})) : (),
        $smis ? words('slice.smis', smis => $smis) : (),
    );
}

# How much tracing delays each wake-up
sub delay ($cost) {
    my $more = decimal($cost->{more_us}, 1);
    return $more > 0 ? words('delay', more => $more) : words('delay.none');
}

# On a finding of Model::Explain
sub finding_words ($finding) {
    return words("finding.$finding->{code}", %$finding);
}

1;
