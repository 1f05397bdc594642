# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Writer;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(report_pieces run_pieces runs_pieces save);

use Errno qw(EEXIST);
use Fcntl qw(O_CREAT O_EXCL O_WRONLY);
use File::Temp ();
use List::Util qw(min);
use Realfeel::Format1::Columns qw(HEADER SETS fault in_order);
use Realfeel::Units qw(printable);

use constant {
    TOGETHER => 1000,       # rows in a piece
    BINNED   => { map { $_ => 1 } qw(histogram slice_bins parts parts_by_lateness) },
};

=head1 NAME

Realfeel::Writer - write reports, and files of any kind

=head1 FUNCTIONS

=head2 report_pieces($report)

The text of a report as realfeel(5) describes it, in pieces: a function that returns the next one, undef after the last.
C<$report> is a hash of C<header>, C<keys> and data sets, of which only the histogram must be there. A data set is a
hash from the columns' names to their values, with the edges of bins as numbers of microseconds; or an array of the
names and a function that returns rows, whole lines, undef after the last.

=head2 run_pieces(@reports)

The same of the reports of a run, one for each CPU: where there are several, each says which part it is.

=head2 runs_pieces(@runs)

The same of several runs, each an array of its reports.

=cut

sub report_pieces {
    my ($report, $part) = @_;
    my $header = $report->{header};
    my @pieces = (
        "# realfeel 1\n",
        defined $part ? "# part: $part\n" : (),
        (map { _line($_, $header->{$_}) } grep { defined $header->{$_} } @{ $report->{keys} }),
        (map { _set($_, $report->{$_}) } grep { $report->{$_} } 'histogram', SETS),
        "# end samples=$header->{samples}\n",
    );
    return _one_after_another(@pieces);
}

sub run_pieces {
    my @reports = @_;
    return report_pieces(@reports) if @reports == 1;
    return _one_after_another(map { report_pieces($reports[$_], 1 + $_ . ' of ' . @reports) } 0 .. $#reports);
}

sub runs_pieces { return _one_after_another(map { run_pieces(@$_) } @_) }

# What several texts and functions return, until the last is at its end.
sub _one_after_another {
    my @pieces = @_;
    return sub {
        while (@pieces) {
            my $piece = ref $pieces[0] ? $pieces[0]->() : shift @pieces;
            return $piece if defined $piece;
            shift @pieces;
        }
        return undef;
    };
}

# What no reader would take is not written.
sub _line {
    my ($key, $value) = @_;
    my $text = printable($value =~ s/\\/\\\\/gr);
    my $fault = HEADER->{$key} && fault($key, HEADER->{$key}, $text);
    die "of these reports $fault; leave out those that are damaged\n" if defined $fault;
    return "# $key: $text\n";
}

sub _set {
    my ($name, $set) = @_;
    my ($names, $rows) = ref $set eq 'HASH' ? _columns($name, $set) : @$set;
    return ("\n\n# $name\n# @$names\n", $rows);
}

sub _columns {
    my ($name, $set) = @_;
    my @names = grep { $set->{$_} } map { $_->[0] } in_order($name, $set);
    my $row = 0;
    return (\@names, sub {
        my @rows = $row .. min($row + TOGETHER, scalar @{ $set->{ $names[0] } }) - 1 or return undef;
        $row += TOGETHER;
        my @columns = map { [@{ $set->{$_} }[@rows]] } @names;
        for my $i (BINNED->{$name} ? grep { $names[$_] =~ /^(?:from|to)_us$/ } 0 .. $#names : ()) {
            $_ = _edge($_) for @{ $columns[$i] };
        }
        return join '', map { my $i = $_; join(' ', map { $_->[$i] } @columns) . "\n" } 0 .. $#rows;
    });
}

sub _edge {
    my ($us) = @_;
    return $us eq 'inf' ? $us : sprintf '%.2f', $us;
}

=head2 save($text, $path, $force)

Writes a text, or pieces like those of C<report_pieces>, to a file, which appears only when it is whole. One whose name
ends in F<.gz> is compressed. A regular file that exists is replaced only with C<$force>; a device or a pipe is written
to, and a link to a file refused, never replaced. Without a path, or when that is C<-> or a link to standard output,
the text goes there. Dies with one line of reason and remedy.

=cut

sub save {
    my ($text, $path, $force) = @_;
    return _print(\*STDOUT, $text, 'standard output') if !defined $path || $path eq '-' || _is_standard_output($path);
    return _pour($text, $path) if -e $path && !-f _ && !-d _;
    my $refusal = _refusal($path, $force);
    die printable("$path: $refusal") . "\n" if $refusal;
    my $temporary = eval { File::Temp->new(TEMPLATE => "$path.XXXXXX", UNLINK => 1) }
        or die printable("$path: cannot be created: $!; choose a folder that you may write to") . "\n";
    $path =~ /\.gz\z/ ? _compress($temporary, $text, $path) : _print($temporary, $text, $path);
    chmod 0666 & ~umask, $temporary->filename;
    _publish($temporary, $path, $force)
        or die printable("$path: " . ($! == EEXIST ? 'has appeared meanwhile' : $!) . '; choose another name') . "\n";
}

# A link such as /dev/stdout, also where it leads to a file.
sub _is_standard_output {
    my ($path) = @_;
    my @there = -l $path ? stat $path : ();
    my @output = stat STDOUT;
    return @there && @output && "@there[0, 1]" eq "@output[0, 1]";
}

# Why no file is to take this name; nothing where one may.
sub _refusal {
    my ($path, $force) = @_;
    return 'is a directory; name a file in it' if -d $path;
    return 'is a link; name the file that it leads to' if -l $path;
    return 'exists; choose another name, or overwrite it with --force' if -e $path && !$force;
    return;
}

sub _pour {
    my ($text, $path) = @_;
    open my $out, '>', $path
        or die printable("$path: cannot be opened: $!; choose another name, or see to your right to write it") . "\n";
    _print($out, $text, $path);
}

# Without the time, so that the same text makes the same file.
sub _compress {
    my ($file, $text, $name) = @_;
    require IO::Compress::Gzip;
    my $out = IO::Compress::Gzip->new($file, -Minimal => 1);
    _print($out, $text, $name);
    $out->close && $file->flush or _fail_print($name, $file);
}

sub _print {
    my ($out, $text, $name) = @_;
    my $next = ref $text ? $text : sub { my $piece = $text; undef $text; return $piece };
    while (defined(my $piece = $next->())) {
        $out->print($piece) or _fail_print($name, $out);
    }
    $out->flush or _fail_print($name, $out);
}

# Perl warns when it has to close what cannot be written to its end.
sub _fail_print {
    my ($name, $out) = @_;
    my $line = printable("$name cannot be written: $!; free some space, or write elsewhere") . "\n";
    $out->close;
    die $line;
}

# The temporary name is removed here: the module that made it would take away others' right to read the file, too.
sub _publish {
    my ($temporary, $path, $force) = @_;
    my $name = $temporary->filename;
    $temporary->sync;
    my $published = $force && -f $path && !-l $path ? rename $name, $path : _give_new_name($name, $path);
    my $error = $!;
    unlink $name;
    $! = $error;
    return $published;
}

# A link refuses a name that exists, which no test before it can do as surely. Where the file system has no links, the
# name is made ours first.
sub _give_new_name {
    my ($name, $path) = @_;
    return 1 if link $name, $path;
    return 0 if $! == EEXIST || !sysopen my $claim, $path, O_WRONLY | O_CREAT | O_EXCL;
    return 1 if rename $name, $path;
    my $error = $!;
    unlink $path;
    $! = $error;
    return 0;
}

1;
