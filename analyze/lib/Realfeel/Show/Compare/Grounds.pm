# SPDX-License-Identifier: GPL-2.0-or-later
# What a comparison rests on and what speaks against it, in words. Functions take a comparison unless they say
# otherwise.
package Realfeel::Show::Compare::Grounds;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(bounds cautions complaint differing intervals left_out legend limit
    measure parts reason until_refused why_no_limit why_no_parts);

use Realfeel::Base::Units qw(decimal percent printable short_us);
use Realfeel::Model::Likeness qw(plural);
use Realfeel::Model::Report qw(measure_name);
use Realfeel::Show::Words qw(words);

# With how early interval errors count
sub measure ($comparison) {
    my ($errors, $name) = ($comparison->{interval_errors}, measure_name($comparison->{measure}));
    return $name unless defined $errors;
    return words($errors eq 'absolute' ? 'compare.errors_absolute' : 'compare.errors_early_as_0', measure => $name);
}

# Why it may mislead
sub cautions ($comparison) {
    return map { _caution(%$_) } @{ $comparison->{doubts} };
}

sub _caution (%doubt) {
    $doubt{$_} = printable($doubt{$_}) for grep { defined $doubt{$_} } qw(base file verdict reason);
    my $code = $doubt{code} eq 'unlike' && $doubt{key} eq 'explain' ? 'explain' : $doubt{code};
    $doubt{settings} = plural($doubt{key}) if defined $doubt{key};
    $doubt{latency} = measure_name($doubt{latency}) if defined $doubt{latency};
    return words("compare.doubt_$code", %doubt);
}

# The percentiles up to the first without a value, which speaks for those above
sub until_refused {
    my @rows;
    for my $row (@_) {
        push @rows, $row;
        last if $row->{lacking};
    }
    return @rows;
}

# What a percentile without a value lacks, and in which run if $names are given; undef if it has one
sub reason ($row, $names = undef) {
    my ($lack, $lacking) = @$row{qw(judgement lacking)};
    return undef unless defined $lacking;
    return words('compare.lacks_' . ($lacking eq 'both' ? 'both_' : '') . $lack, %$row, side => _side($lacking, $names),
        defined $row->{from_us} ? (open => short_us($row->{from_us})) : ());
}

sub _side ($side, $names) {
    return $names && $side =~ /^(?:base|file)$/ ? $names->[$side eq 'file'] : uc $side;
}

# The interval of a ratio
sub bounds ($row) {
    my ($low, $high) = map { defined $_ ? decimal($_, 3) : undef } @$row{qw(low high)};
    return words($row->{low} > 0 ? 'compare.from_to' : 'compare.up_to', least => $low, most => $high) if defined $high;
    return $row->{low} > 0 ? words('compare.ratio_or_more', least => $low) : words('unknown');
}

# What the star means, and what makes intervals doubtful
sub legend ($comparison) {
    return _missing($comparison) // (_star($comparison), _of_samples($comparison) // ());
}

# The same in full sentences, and where intervals come from
sub intervals ($comparison) {
    my $missing = _missing($comparison);
    return $missing if defined $missing;
    my @open = grep { $_->{judgement} eq 'open' } @{ $comparison->{percentiles} };
    return (
        (map { "$_." } _star($comparison)), _of_samples($comparison) // _of_units($comparison),
        @open ? words('compare.unknown_interval') : (),
        (grep { ($comparison->{$_}{unit} // '') ne 'runs' } qw(base file)) ? words('compare.repeat') : (),
    );
}

sub _star ($comparison) {
    return (grep { $_->{differs} } @{ $comparison->{percentiles} }) ? words('compare.significant') : ();
}

sub _missing ($comparison) {
    my ($short) = grep { $_->{is_short} } @$comparison{qw(base file)} or return undef;
    return words('compare.no_intervals', file => printable($short->{file}), short => words('short'));
}

sub _of_samples ($comparison) {
    my @without = grep { !$_->{units} } @$comparison{qw(base file)} or return undef;
    return words('compare.of_samples', files => join ' and ', map { printable($_->{file}) } @without);
}

sub _of_units ($comparison) {
    my ($of_base, $of_file) = map { $comparison->{$_}{unit} } qw(base file);
    return words('compare.of_units', units => words('compare.units_' . ($of_base eq $of_file ? $of_base : 'both')));
}

# How the parts of the lateness differ, the greatest difference first; undef without any
sub parts ($comparison) {
    my $composition = $comparison->{composition} or return undef;
    return words('compare.parts_none', why => why_no_parts($composition->{reason}, $comparison->{names}))
        if $composition->{reason};
    my ($base, $file) = @{ $comparison->{names} };
    my @parts = @{ $composition->{parts} };
    my @apart = sort { _apart($b) <=> _apart($a) } grep { $_->{differs} } @parts;
    return words('compare.parts_alike') unless @apart;
    my ($first, @others) = map { _part($_) } @apart;
    return words(@apart == @parts ? 'compare.parts_all' : 'compare.parts_some', base => $base, file => $file,
        first => words('compare.part_first', %$first), others => join '', map { words('compare.part_more', %$_) }
        @others);
}

# $reason is from Compare::Composition
sub why_no_parts ($reason, $names = undef) {
    my ($matched, $unknown) = @$reason{qw(matched unknown)};
    return words("compare.parts_$reason->{code}", %$reason, side => _side($reason->{side} // '', $names),
        share => $unknown ? percent($unknown, $matched + $unknown) : '');
}

sub _apart ($part) { return abs($part->{file_us} - $part->{base_us}) }

sub _part ($part) {
    my ($from, $to) = @$part{qw(base_us file_us)};
    my $way = words($to > $from ? 'compare.longer' : 'compare.shorter');
    return { name => $part->{name}, way => $way, by => decimal(_apart($part), 1), from => decimal($from, 1),
        to => decimal($to, 1) };
}

# The two values of a setting that differs
sub differing ($difference) {
    my @values = @$difference{qw(base file)};
    return map { words($_) } qw(compare.one_order compare.another_order) unless grep { defined } @values;
    return map { printable($_ // '-') } @values;
}

# A line on a CPU or cell that is not compared
sub left_out ($left_out) {
    return printable(words("compare.left_out_$left_out->{left_out}", %$left_out));
}

# Whether the ratio passes the limit
sub limit ($comparison) {
    my $limit = $comparison->{limit};
    my ($is_exceeded, %told) = ($limit->{exceeded}, map { $_ => $limit->{$_} } qw(limit percentile));
    return words('compare.limit_unjudged', %told, reason => why_no_limit($comparison)) unless defined $is_exceeded;
    my $is_below = defined $limit->{high} && $limit->{high} <= $limit->{limit};
    return words('compare.limit_' . ($is_exceeded ? 'fail' : $is_below ? 'pass' : 'not_yet'), %told,
        interval => bounds($limit));
}

# Why the limit cannot be judged and what to do; empty if it can
sub complaint ($comparison) {
    my $limit = $comparison->{limit} or return;
    return if defined $limit->{exceeded};
    return words('compare.limit_complaint', file => printable($comparison->{file}{report}->file),
        percentile => $limit->{percentile}, reason => why_no_limit($comparison),
        remedy => words("compare.limit_remedy_$limit->{remedy}"));
}

# undef if it can be judged
sub why_no_limit ($comparison) {
    my ($code, $percentile) = @{ $comparison->{limit} }{qw(code percentile)};
    return undef unless defined $code;
    my ($row) = grep { $_->{percentile} == $percentile } @{ $comparison->{percentiles} };
    return reason($row) if $row && defined $row->{lacking};
    my ($short) = grep { $comparison->{$_}{is_short} } qw(base file);
    return words("compare.limit_$code", side => uc($short // ''));
}

1;
