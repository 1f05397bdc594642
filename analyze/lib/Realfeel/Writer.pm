# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Writer;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(report_text save);

use Errno qw(EEXIST);
use File::Temp ();
use Realfeel::Format1 ();
use Realfeel::Units qw(printable);

use constant SETS => qw(histogram runs slices slice_bins events);

=head1 NAME

Realfeel::Writer - write reports, and files of any kind

=head1 FUNCTIONS

=head2 report_text($report)

The text of a report as realfeel(5) describes it. C<$report> is a hash like the one that L<Realfeel::Format1> reads:
C<header>, C<keys> and the data sets, of which only the histogram must be there. Edges of bins are microseconds.

=cut

sub report_text {
    my ($report) = @_;
    my $header = $report->{header};
    return join '', "# realfeel 1\n",
        (map { "# $_: " . _escape($header->{$_}) . "\n" } grep { defined $header->{$_} } @{ $report->{keys} }),
        (map { "\n\n" . _set($_, $report->{$_}) } grep { $report->{$_} } SETS),
        "# end samples=$header->{samples}\n";
}

sub _escape {
    my ($value) = @_;
    return printable($value =~ s/\\/\\\\/gr);
}

sub _set {
    my ($name, $set) = @_;
    my @names = grep { $set->{$_} } map { $_->[0] } @{ Realfeel::Format1::COLUMNS->{$name} };
    my @columns = map { /^(?:from|to)_us$/ ? [map { _edge($_) } @{ $set->{$_} }] : $set->{$_} } @names;
    return join '', "# $name\n", '# ' . join(' ', @names) . "\n",
        map { my $row = $_; join(' ', map { $_->[$row] } @columns) . "\n" } 0 .. $#{ $columns[0] };
}

sub _edge {
    my ($us) = @_;
    return $us eq 'inf' ? $us : sprintf '%.2f', $us;
}

=head2 save($text, $path, $force)

Writes the text to a file, which appears only when it is whole. One that exists is replaced only with C<$force>. Without
a path, or when that is C<->, the text goes to standard output. Dies with one line of reason and remedy.

=cut

sub save {
    my ($text, $path, $force) = @_;
    return _print(\*STDOUT, $text, 'standard output') if !defined $path || $path eq '-';
    die printable("$path: exists; choose another name, or overwrite it with --force") . "\n" if -e $path && !$force;
    my $temporary = eval { File::Temp->new(TEMPLATE => "$path.XXXXXX", UNLINK => 1) }
        or die printable("$path: cannot be made beside its name: $!; choose a folder that you may write to") . "\n";
    _print($temporary, $text, $path);
    chmod 0666 & ~umask, $temporary->filename;
    _publish($temporary, $path, $force)
        or die printable("$path: " . ($! == EEXIST ? 'came up meanwhile' : $!) . '; choose another name') . "\n";
}

sub _print {
    my ($out, $text, $name) = @_;
    print {$out} $text and $out->flush
        or die printable("$name: cannot be written: $!; free space where it goes") . "\n";
}

# A link refuses a name that exists, which no test before it can do as surely. The temporary name is removed here: the
# module that made it would take away others' right to read the file, too.
sub _publish {
    my ($temporary, $path, $force) = @_;
    $temporary->sync;
    my $published = $force ? rename $temporary->filename, $path : link $temporary->filename, $path;
    my $error = $!;
    unlink $temporary->filename;
    $! = $error;
    return $published;
}

1;
