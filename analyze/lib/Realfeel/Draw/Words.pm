# SPDX-License-Identifier: GPL-2.0-or-later
# What a picture says of its runs. Exports words of Show::Words to the other modules that draw.
package Realfeel::Draw::Words;
use Realfeel::Base::Modern;

use Exporter 'import';
our @EXPORT_OK = qw(figure finding_words four_digits key notes rounded title words);

use List::Util qw(first max min uniq);
use Realfeel::Base::Units qw(cut cut_middle decimal printable width wrapped);
use Realfeel::Show::Words qw(words);

use constant {
    NAMES_MAX  => 3,
    US_PER_MS  => 1000,
    ROUND      => 10,           # from here on a rounded time has no decimals
    NEXT_UNIT  => 999.95,       # is rounded to 1000
    NAME_LEAST => 12,           # so much of a name is worth more than the count
};

use constant NUMBERS => [qw(no one two three four five six seven eight nine ten eleven twelve)];

# The line of the key: name, CPUs, count, maximum and doubts. Without room the count goes, then the maximum, and finally
# the middle of the name. %$facts is from Draw::Runs.
sub key ($room, $name, $facts) {
    my ($count, @max) = grep { defined } @$facts{qw(count max)};
    my @doubts = @{ $facts->{doubts} };
    my $cpus = defined $facts->{cpus} ? ", $facts->{cpus}" : '';
    my @wishes = map { "$cpus: " . join ', ', @$_ }
        [$count, @max, @doubts], @doubts ? ([@max, @doubts], \@doubts) : ();
    my $least = min(NAME_LEAST, width($name));
    my $told = (first { width($_) + width($name) <= $room } @wishes)
        // (first { width($_) + $least <= $room } @wishes) // $wishes[-1];
    return cut_middle($name, max($least, $room - width($told))) . $told;
}

# Kernel and source and, with room, preemption model and rate: what all share, or by name what differs, if few. Kernels
# of one version with several preemption models are named by it: "Linux 6.1.0-56, four preemption models". Without room,
# the kernel is dropped last.
sub title ($room, @reports) {
    return words('title.2002') if !grep { $_->format ne '2002' } @reports;
    my ($kernels, $models, $sources, $rates) = map { _values($_, @reports) }
        qw(kernel_release preemption source frequency_hz);
    my @parts = (
        _named('kernel', _versions($models, @$kernels)), _models(@$models), _named('source', @$sources),
        @$rates == 1 && $rates->[0] ne 'unknown' ? words('title.rate', rate => @$rates) : '',
    );
    my @titles = map { join ', ', grep { $_ ne '' } @parts[@$_] } [0 .. 3], [0 .. 2], [0, 2, 3], [0, 2], [0];
    return (first { width($_) <= $room } @titles) // cut_middle($titles[-1], $room);
}

# The common version of kernels with several preemption models, if any, else all kernels
sub _versions ($models, @kernels) {
    return @kernels if @kernels == 1 || @$models == 1 || grep { $_ eq 'unknown' } @$models;
    my @versions = uniq map { /\A(\d+(?:\.\d+)+(?:-\d+)?)(?![\w.])/ ? $1 : $_ } @kernels;
    return @versions == 1 ? @versions : @kernels;
}

sub _models (@models) {
    return '' if grep { $_ eq 'unknown' } @models;
    return _listed(@models) if @models < NAMES_MAX;
    return words('title.models', number => NUMBERS->[@models] // scalar @models);
}

sub _values ($key, @reports) {
    return [uniq map {
        my $value = $key eq 'preemption' ? $_->preemption : $_->header($key);
        ($value // '') eq '' ? 'unknown' : printable($value)
    } @reports];
}

sub _named ($name, @values) {
    return words("title.${name}s", number => scalar @values) if @values > NAMES_MAX;
    return words("title.${name}_unknown") if "@values" eq 'unknown';
    return words("title.$name", names => _listed(@values));
}

sub _listed (@names) {
    my $last = pop @names;
    return @names ? words('title.listed', names => join(', ', @names), last => $last) : $last;
}

# The first finding of Model::Explain; '' without any
sub finding_words ($finding = undef, @) {
    return $finding ? words("finding.$finding->{code}", %$finding) : '';
}

# At most three decimals, and never less than the whole part
sub four_digits ($number) {
    my $rounded = sprintf '%.4g', abs $number;
    return decimal($number, max(0, min(3, 4 - length int $rounded)));
}

# Four digits in a suitable unit: "8.190 us", "232.7 ms"
sub figure ($us) {
    my ($unit, $divisor) = $us < NEXT_UNIT ? ('us', 1) : $us < 1e3 * NEXT_UNIT ? ('ms', 1e3) : ('s', 1e6);
    return four_digits($us / $divisor) . " $unit";
}

# In us or ms, with as few digits as are read at a glance
sub rounded ($look, $us) {
    my ($unit, $time) = $us < US_PER_MS ? ('us', $us) : ('ms', $us / US_PER_MS);
    return decimal($time, $time < ROUND ? 1 : 0) . " $look->{symbol}{$unit}";
}

# Up to two lines: which runs or CPUs are invalid and why, else the finding, '' if none; and the remark. Long ones end
# after a word and say how to see all.
sub notes ($look, $finding, $remark, @reports) {
    my @invalid = grep { ($_->verdict // '') eq 'invalid' } @reports;
    my $note = !@invalid ? $finding // '' : words('invalid', told => @reports == 1
        ? printable(join('; ', $invalid[0]->reasons('verdict')) || words('invalid.no_reason'))
        : _number(\@invalid, \@reports));
    return (_folded($look->{width}, $note), cut($remark, $look->{room}));
}

sub _folded ($room, $note) {
    my ($first, $second, @rest) = _lines($room, $note);
    return join "\n", grep { defined } $first // '', $second unless @rest;
    my $end = words('note.rest');
    my ($kept) = _lines($room - width($end), $second);
    return "$first\n$kept$end";
}

sub _lines ($room, $text) {
    return map { cut($_, $room) } split /\n/, wrapped('', $text, $room);
}

sub _number ($invalid, $reports) {
    my $parts = grep { $_->part } @$reports;
    my $what = !$parts ? 'runs' : $parts == @$reports ? 'cpus' : 'both';
    return words("invalid.$what", invalid => scalar @$invalid, of => scalar @$reports);
}

1;
