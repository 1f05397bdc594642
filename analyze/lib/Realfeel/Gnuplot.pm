# SPDX-License-Identifier: GPL-2.0-or-later
package Realfeel::Gnuplot;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(draw format_of);

use File::Basename qw(dirname);
use File::Temp ();
use Realfeel::Units qw(printable);

use constant FORMATS => qw(png svg pdf);

=head1 NAME

Realfeel::Gnuplot - run a gnuplot template, safely

=head1 FUNCTIONS

=head2 format_of($output)

The format that a picture's name asks for: C<png>, C<svg> or C<pdf>; C<dumb>, text for a terminal, when it is undef.
Dies with one line when the name has another extension.

=cut

sub format_of {
    my ($output) = @_;
    return 'dumb' unless defined $output;
    my ($extension) = lc($output) =~ /\.(\w+)\z/;
    for my $format (FORMATS) {
        return $format if defined $extension && $extension eq $format;
    }
    die printable("$output: no kind of picture is known by this name; end it in .png, .svg or .pdf") . "\n";
}

=head2 draw($template, $format, $output, $data, @arguments)

Runs the template on C<$data>, a text, with the arguments FORMAT, PICTURE, DATA and then C<@arguments>, bytes that reach
gnuplot as they are. The picture takes the name C<$output> when it is whole, and nothing is returned; without
C<$output> the picture is returned. Dies with one line when gnuplot is not there or fails, or when the picture cannot be
written. An SVG has no mouse where gnuplot's script for it is not installed.

=cut

sub draw {
    my ($template, $format, $output, $data, @arguments) = @_;
    my $data_file = File::Temp->new;
    print {$data_file} $data and close $data_file
        or die "the data for gnuplot cannot be written: $!; free disk space\n";
    my $picture = _temporary($output);
    my @rest = ($picture->filename, $data_file->filename, @arguments);
    my $complaint = _run($template, $format, @rest);
    $complaint = _run($template, 'still', @rest) if $complaint =~ /javascript/;
    print STDERR $complaint;
    return $format eq 'dumb' ? _text($picture) : _contents($picture) unless defined $output;
    chmod 0666 & ~umask, $picture->filename;
    rename $picture->filename, $output or die _not_written($output);
    return;
}

# Beside the picture, so that it can take its name by a rename.
sub _temporary {
    my ($output) = @_;
    return File::Temp->new unless defined $output;
    return eval { File::Temp->new(DIR => dirname($output), TEMPLATE => '.realfeel-XXXXXXXX') }
        // die _not_written($output);
}

sub _not_written {
    my ($output) = @_;
    return printable("$output cannot be written: $!; choose another name") . "\n";
}

# Returns what gnuplot had to say.
sub _run {
    my @arguments = @_;
    my $said = File::Temp->new;
    my $status = _with_stderr_to($said, sub {
        local $ENV{LC_ALL} = 'C.UTF-8';     # the templates are UTF-8, and gnuplot complains where the locale is not
        no warnings 'exec';
        system { 'gnuplot' } 'gnuplot', '--default-settings', '-c', @arguments;
    });
    die "gnuplot cannot be started: $!; install it (package gnuplot-nox or gnuplot)\n" if $status < 0;
    my $words = _contents($said);
    return $words unless $status;
    print STDERR $words;
    die "gnuplot failed; its own message is above\n";
}

sub _with_stderr_to {
    my ($file, $run) = @_;
    open my $kept, '>&', \*STDERR or die "standard error cannot be kept: $!; close files\n";
    open STDERR, '>&', $file or die "$file cannot be opened: $!; free disk space\n";
    my $status = $run->();
    my $error = $!;
    open STDERR, '>&', $kept;
    $! = $error;
    return $status;
}

# Without what is of no use on a screen: a form feed and empty lines around it, spaces at the ends of lines.
sub _text {
    my ($picture) = @_;
    return _contents($picture) =~ s/[ \f]+$//mgr =~ s/^\n+|\n\K\n+\z//gr;
}

sub _contents {
    my ($file) = @_;
    local $/;
    open my $in, '<', $file->filename or return '';
    return <$in> // '';
}

1;
