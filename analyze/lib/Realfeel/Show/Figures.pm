# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Show::Figures;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(bracketed delay doubt_words enough_words finding_words interval_words lack_words later_words
    longer_words measure_words needs_words objection_words periods slice_words sufficiency_words);

use Realfeel::Answer::Stats qw(later_s sufficiency);
use Realfeel::Base::Units qw(counted decimal duration floored short us);
use Realfeel::Model::Report::Measures qw(measure_name);
use Realfeel::Show::Words qw(words);

=head1 NAME

Realfeel::Show::Figures - what is said of figures, wherever they are shown

=head1 FUNCTIONS

Measures and what is found are those of L<Realfeel::Answer::Stats>.

=head2 measure_words($measure, $is_short)

What a measure is called, with a note where its figures are not what one would think, unless it is to be short.

=cut

sub measure_words ($measure, $is_short = undef) {
    my ($key, $code, $note) = @$measure{qw(key code note)};
    my $name = $code eq $key ? measure_name($key) : words("measure.$code", measure => measure_name($key));
    return $name . (defined $note && !$is_short ? ' ' . words("note.$note") : '');
}

=head2 lack_words($percentile)

Why a percentile of L<Realfeel::Answer::Percentiles> has no value; undef where it has one.

=cut

sub lack_words ($percentile) {
    my ($lack, $from) = @$percentile{qw(lack from_us)};
    return undef unless defined $lack;
    return words("lack.$lack", %$percentile, from => defined $from ? us($from) : undef);
}

=head2 interval_words($low, $high)

C<5.1 to 6.2>, of ends that are written already; nothing where neither is known.

=head2 bracketed($value, $low, $high)

The same behind a value, in brackets; undef where neither end is known.

=cut

sub interval_words { return _ends('screen.interval', '', @_) // '' }
sub bracketed      { return _ends('bracketed', @_) }

sub _ends ($code, $value, $low, $high) {
    return undef unless defined $low || defined $high;
    return words($code, value => $value, low => $low // words('open.less'), high => $high // words('open.more'));
}

=head2 doubt_words($figure)

Why the value of a cell of L<Realfeel::Answer::Grid>, or of C<lmbench> of L<Realfeel::Answer::Stats>, is not to be
relied on; undef where it is.

=cut

sub doubt_words ($figure) {
    my $doubt = $figure->{doubt} // return undef;
    return $doubt eq 'says' ? $figure->{says}
        : exists $figure->{overhead_us} ? words("lmbench.$doubt") : lack_words($figure);
}

=head2 periods($report, $number)

So many periods, or requests where that is what has a latency, with their noun.

=cut

sub periods ($report, $periods) {
    return counted($periods, $report->latency_words('value'));
}

=head2 later_words($report, $measure)

How rarely a latency comes that is above any in the run; undef where that is not known.

=head2 longer_words($longer)

What a longer run stays below, as of C<longer>.

=cut

sub later_words ($report, $measure) {
    my $seconds = later_s($report) // return undef;
    return words('later', more => (_values($report, $measure))[2], time => duration($seconds));
}

sub longer_words ($longer) {
    return words('longer', time => duration($longer->{duration_s}), max => short($longer->{below_us}));
}

=head2 needs_words($report, $measure, $needs, $is_short)

What so many more values take, as of C<needs>.

=cut

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

=head2 objection_words($objection)

One of C<objections>.

=cut

sub objection_words ($objection) {
    return words("objection.$objection->{code}", %$objection);
}

=head2 sufficiency_words($report, @measures)

Whether the run was long enough, a sentence for each that C<sufficiency> finds.

=head2 enough_words($report, $measure, $found)

One of them.

=cut

use constant ENOUGH => {
    later  => \&_later,
    longer => sub { longer_words($_[2]) },
    short  => sub { words('short') },
    limit  => \&_limit,
    bins   => sub { words('enough.bins', %{ $_[2] }, reason => words('lack.bins', from => us($_[2]{from_us}))) },
    needs  => sub { words('enough.needs', %{ $_[2] }, needs => needs_words(@_)) },
    slice  => sub { words('enough.slice', told => join ', ', slice_words($_[0], $_[2])) },
};

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

=head2 slice_words($report, $slice)

The worst slice in some texts: when it was, the latest in it, and, if it is known, how many periods were missed, and how
many SMIs there were, if any.

=cut

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

=head2 delay($cost)

By how much each wake-up is later for the trace, of C<cost> of L<Realfeel::Model::Explain>.

=head2 finding_words($finding)

One of C<findings> of L<Realfeel::Model::Explain>.

=cut

sub delay ($cost) {
    my $more = decimal($cost->{more_us}, 1);
    return $more > 0 ? words('delay', more => $more) : words('delay.none');
}

sub finding_words ($finding) {
    return words("finding.$finding->{code}", %$finding);
}

1;
