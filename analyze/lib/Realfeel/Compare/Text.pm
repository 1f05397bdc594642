# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Compare::Text;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(text);

use Realfeel::Compare::Conclusion qw(bounds capital conclusion intervals maxima measure until_refused);
use Realfeel::Units qw(decimal printable us);
use Text::Wrap ();

use constant {
    WIDTH       => 80,
    LABEL_WIDTH => 11,
    CELL_WIDTH  => 17,
    RATIO_WIDTH => 8,
    IDENTICAL   => 'Identical runs: the files hold the same figures, and nothing is judged.',
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
    return join '', map { "$_\n" } _title($comparison), '', '  ' . IDENTICAL, _limit($comparison)
        if $comparison->{identical};
    return join '', map { "$_\n" } _title($comparison), @{ $comparison->{doubts} } ? '' : (),
        (map { _wrapped('  * ', "caution: $_") } @{ $comparison->{doubts} }),
        '', _wrapped('  ', capital(conclusion($comparison))), '',
        _table($comparison), '', _wrapped('  ', intervals($comparison)), '',
        _wrapped('  maxima   ', maxima($comparison)), '',
        _environment($comparison), _limit($comparison);
}

sub _title {
    my ($comparison) = @_;
    return (measure($comparison) . ': FILE compared with BASE', map { _named($comparison, $_) } 0, 1);
}

sub _named {
    my ($comparison, $i) = @_;
    my ($name, $file) = ($comparison->{names}[$i], printable($comparison->{(qw(base file))[$i]}{file}));
    my $side = (qw(BASE FILE))[$i];
    return "  $side  $file" . ($file =~ m{(?:^|/)\Q$name\E\z} || $name eq $side ? '' : " ($name)");
}

sub _table {
    my ($comparison) = @_;
    my @names = @{ $comparison->{names} };
    @names = qw(BASE FILE) if grep { length > CELL_WIDTH - 1 } @names;
    my ($base, $file) = @$comparison{qw(base file)};
    my @rows = until_refused(@{ $comparison->{percentiles} });
    return (
        _row('', @names, (grep { defined $_->{ratio} } @rows) ? ('ratio', '95 % interval') : ()),
        _row('count', map { $_->{count} . '   ' } $base, $file),
        (map { _percentile($_) } @rows),
        _row('max', map { us($_->{max_us}) } $base, $file),
    );
}

sub _percentile {
    my ($row) = @_;
    my $label = "p$row->{percentile}";
    return sprintf '  %-*s  %s', LABEL_WIDTH, $label, $row->{reason} if $row->{reason};
    return _row($label, map({ us($_) } @$row{qw(base_us file_us)}),
        defined $row->{ratio} ? (decimal($row->{ratio}, 3), bounds($row) . ($row->{differs} ? ' *' : '')) : ());
}

sub _row {
    my ($label, @cells) = @_;
    my $row = sprintf '  %-*s', LABEL_WIDTH, $label;
    $row .= sprintf ' %*s', CELL_WIDTH, $_ for map { $_ // '' } @cells[0, 1];
    $row .= sprintf ' %*s', RATIO_WIDTH, $cells[2] if defined $cells[2];
    $row .= "  $cells[3]" if defined $cells[3];
    return $row =~ s/\s+$//r;
}

sub _environment {
    my ($comparison) = @_;
    my @differences = @{ $comparison->{environment} };
    return _wrapped('  ', $comparison->{environment_known}
        ? 'No differences in machine, rights or settings.'
        : 'Machine, rights and settings cannot be compared: not every file records them.') unless @differences;
    return ('  environment differences (BASE -> FILE)',
        map { _wrapped("    $_->[0]  ", "$_->[1] -> $_->[2]") } @differences);
}

sub _limit {
    my ($comparison) = @_;
    my $limit = $comparison->{limit} or return;
    my $known = defined $limit->{exceeded};
    return ('', _wrapped('  ', sprintf 'limit: the ratio at p%s %s %s%s.', $limit->{percentile},
        !$known ? 'cannot be judged against' : $limit->{exceeded} ? 'is above' : 'is not above',
        $limit->{limit}, $known ? ' beyond chance' : ": $limit->{reason}"));
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
