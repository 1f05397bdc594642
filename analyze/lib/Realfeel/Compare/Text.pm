# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Compare::Text;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(text);

use List::Util qw(max);
use Realfeel::Compare::Conclusion qw(conclusion);
use Realfeel::Units qw(decimal printable us);
use Text::Wrap ();

use constant {
    WIDTH       => 80,
    LABEL_WIDTH => 11,
    CELL_WIDTH  => 17,
    RATIO_WIDTH => 8,
};

=head1 NAME

Realfeel::Compare::Text - the text that C<realfeel-analyze compare> prints

=head1 FUNCTIONS

=head2 text($comparison)

The text of a L<Realfeel::Compare>, at most 80 columns wide where the names allow it: doubts first, then the
conclusion, then what it comes from.

=cut

sub text {
    my ($comparison) = @_;
    return join '', map { "$_\n" } _title($comparison), @{ $comparison->{doubts} } ? '' : (),
        (map { _wrapped('  * ', "doubtful: $_") } @{ $comparison->{doubts} }),
        '', _wrapped('  ', _capital(conclusion($comparison))), '',
        _table($comparison), '', _wrapped('  ', _intervals($comparison)), '',
        _effect($comparison), _maxima($comparison), '', _environment($comparison), _limit($comparison);
}

sub _title {
    my ($comparison) = @_;
    my $measure = $comparison->{measure} eq 'lateness' ? 'lateness' : 'interval error, early or late';
    return ("$measure, of FILE compared with BASE", map { _named($comparison, $_) } 0, 1);
}

sub _named {
    my ($comparison, $i) = @_;
    my ($name, $file) = ($comparison->{names}[$i], printable($comparison->{(qw(base file))[$i]}{file}));
    my $side = (qw(BASE FILE))[$i];
    return "  $side  $file" . ($file =~ m{(?:^|/)\Q$name\E\z} || $name eq $side ? '' : " ($name)");
}

# A sentence that begins with a name begins as the name does.
sub _capital {
    my ($sentence) = @_;
    return $sentence =~ /^(?:no|the) / ? ucfirst $sentence : $sentence;
}

sub _table {
    my ($comparison) = @_;
    my @names = @{ $comparison->{names} };
    @names = qw(BASE FILE) if grep { length > CELL_WIDTH - 1 } @names;
    my ($base, $file) = @$comparison{qw(base file)};
    my @rows = _until_refused(@{ $comparison->{percentiles} });
    return (
        _row('', @names, (grep { defined $_->{ratio} } @rows) ? ('ratio', '95 % interval') : ()),
        _row('count', map { $_->{count} . '   ' } $base, $file),
        (map { _percentile($_) } @rows),
        _row('max', map { us($_->{max_us}) } $base, $file),
    );
}

# One percentile that is refused says enough of those above it.
sub _until_refused {
    my @rows;
    for my $row (@_) {
        push @rows, $row;
        last if $row->{reason};
    }
    return @rows;
}

sub _percentile {
    my ($row) = @_;
    my $label = "p$row->{percentile}";
    return sprintf '  %-*s  %s', LABEL_WIDTH, $label, $row->{reason} if $row->{reason};
    return _row($label, map({ us($_) } @$row{qw(base_us file_us)}),
        defined $row->{ratio} ? (decimal($row->{ratio}, 3), _bounds($row) . ($row->{differs} ? ' *' : '')) : ());
}

sub _bounds {
    my ($row) = @_;
    my ($low, $high) = map { defined $_ ? decimal($_, 3) : undef } @$row{qw(low high)};
    return defined $high ? "up to $high" : 'not known' unless $row->{low} > 0;
    return defined $high ? "$low to $high" : "$low and more";
}

sub _row {
    my ($label, @cells) = @_;
    my $row = sprintf '  %-*s', LABEL_WIDTH, $label;
    $row .= sprintf ' %*s', CELL_WIDTH, $_ for map { $_ // '' } @cells[0, 1];
    $row .= sprintf ' %*s', RATIO_WIDTH, $cells[2] if defined $cells[2];
    $row .= "  $cells[3]" if defined $cells[3];
    return $row =~ s/\s+$//r;
}

sub _intervals {
    my ($comparison) = @_;
    my @rows = grep { defined $_->{ratio} } @{ $comparison->{percentiles} };
    my ($short) = grep { $_->{no_interval} } @$comparison{qw(base file)};
    return printable($short->{file}) . " $short->{no_interval}: there are no intervals; measure longer." if $short;
    my $stars = grep { $_->{differs} } @rows;
    my $lone = grep { !$_->{differs} && ($_->{low} >= 1 || defined $_->{high} && $_->{high} <= 1) } @rows;
    return join ' ',
        $stars ? '* differs beyond chance: of 20 pairs of runs alike, fewer than one has a star or such maxima.' : (),
        $lone ? 'An interval that leaves out 1 without a star may do so by chance.' : (),
        _method(@$comparison{qw(base file seed)}),
        (grep { _bounds($_) eq 'not known' } @rows)
            ? 'Where one is not known, late wake-ups came in too few bursts, a run drifted, or a bin begins at 0.' : (),
        (grep { ($_->{unit} // '') ne 'runs' } @$comparison{qw(base file)})
            ? 'How runs of one kernel differ from each other is not in the intervals: repeat what matters.' : ();
}

sub _method {
    my ($base, $file, $seed) = @_;
    my @drawn = grep { $_->{blocks} } $base, $file;
    return sprintf 'Intervals: block bootstrap with seed %d, of %s and of %s.', $seed, map { _drawn($_) } @drawn
        if @drawn == 2;
    my $which = @drawn ? printable(($base->{blocks} ? $file : $base)->{file}) . ' has no slices'
        : 'the files have no slices' . ($base->{widened} || $file->{widened} ? ' of this measure' : '');
    return "Intervals: bootstrap over samples, for $which; they are "
        . ((grep { !$_->{blocks} && !$_->{widened} } $base, $file)
            ? 'too narrow where late wake-ups come in bursts.' : 'wider where the lateness shows bursts.');
}

sub _drawn {
    my ($side) = @_;
    return $side->{units} == $side->{blocks} ? "$side->{units} $side->{unit}"
        : "$side->{units} $side->{unit} in $side->{blocks} blocks";
}

sub _effect {
    my ($comparison) = @_;
    my ($base, $file) = @{ $comparison->{names} };
    my $effect = $comparison->{effect};
    my $most = $effect->{at_us}
        ? sprintf 'the shares below a threshold differ by %s percentage points at most, at %.10g us',
            _points(100 * $effect->{distance}), $effect->{at_us}
        : 'the distributions are equal';
    my $size = $effect->{size} // 'not to be told from so few values';
    return _wrapped('  effect   ', sprintf '%s: a value of %s is greater than one of %s with probability %.3f, ties '
        . 'counted half (A12); %s (Kolmogorov-Smirnov).', $size, $file, $base, $effect->{a12}, $most);
}

sub _points {
    my ($points) = @_;
    return sprintf $points < 9.95 ? '%.2g' : '%.0f', $points;
}

sub _maxima {
    my ($comparison) = @_;
    my $maxima = $comparison->{maxima};
    return _wrapped('  maxima   ', 'equal.') unless $maxima->{larger};
    my ($larger, $other) = @{ $comparison->{names} }[$maxima->{larger} eq 'file' ? (1, 0) : (0, 1)];
    return _wrapped('  maxima   ', sprintf 'one value each, which proves nothing. %d of %d %s of %s %s above the '
        . 'maximum of %s; chance alone brings up to %s.', @$maxima{qw(above units_of units)}, $larger,
        $maxima->{above} == 1 ? 'reaches' : 'reach', $other,
        $maxima->{by_chance} < $maxima->{units_of} ? $maxima->{by_chance} : 'all');
}

sub _environment {
    my ($comparison) = @_;
    my @differences = @{ $comparison->{environment} };
    return _wrapped('  ', $comparison->{environment_known}
        ? 'The reports tell of no difference in machine, rights and settings.'
        : 'Of machine, rights and settings nothing can be compared.') unless @differences;
    return ('  the environments differ in (BASE -> FILE)',
        map { _wrapped("    $_->[0]  ", "$_->[1] -> $_->[2]") } @differences);
}

sub _limit {
    my ($comparison) = @_;
    my $limit = $comparison->{limit} or return;
    my $known = defined $limit->{above};
    return ('', _wrapped('  ', sprintf 'limit: the ratio at p%s %s %s%s.', $limit->{percentile},
        !$known ? 'cannot be held against' : $limit->{above} ? 'is beyond chance above' : 'is not beyond chance above',
        $limit->{limit}, $known ? '' : ": $limit->{reason}"));
}

sub _wrapped {
    my ($lead, $text) = @_;
    local $Text::Wrap::columns  = WIDTH + 1;
    local $Text::Wrap::huge     = 'overflow';
    local $Text::Wrap::unexpand = 0;
    # A number and its per cent sign stay together.
    return Text::Wrap::wrap($lead, ' ' x length $lead, $text =~ s/(?<=\d) %/\0%/gr) =~ tr/\0/ /r;
}

1;
