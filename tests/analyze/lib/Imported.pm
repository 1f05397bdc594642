# SPDX-License-Identifier: GPL-2.0-or-later
package Imported;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw(analyze bins data dir header import_of imported parts reasons refused written);

use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Temp qw(tempdir);
use Realfeel::Model::Cpus qw(pooled);
use Realfeel::Model::Report;
use Analyzer;
use RunCommand qw(file_of run);
use Test::More;

# Files of other programs, as "realfeel-analyze import" reads them.

my $tests   = abs_path(dirname(__FILE__) . '/..');
my $data    = "$tests/data/import";
my $dir     = tempdir(CLEANUP => 1);

sub analyze { return $analyze }
sub data    { return $data }
sub dir     { return $dir }

# Without a format, as the first lines tell
sub import_of { return run($analyze, 'import', defined $_[0] ? "--format=$_[0]" : (), @_[1 .. $#_]) }

# The reports of the threads, or CPUs, of a file.
sub parts {
    my ($format, $file, @more) = @_;
    my ($status, undef, $err) = import_of($format, '-F', '-o', "$dir/report", @more, -e $file ? $file : "$data/$file");
    is("$status $err", '0 ', join ' ', grep { defined } $format, @more, $file);
    return Realfeel::Model::Report->read_all("$dir/report");
}

# All of them together.
sub imported { return pooled({ reports => [parts(@_)] }) }

sub bins { my ($report) = @_; my $h = $report->columns('histogram'); return map { [map { 0 + $_ } @$_] } map {
    my $i = $_; [map { $h->{$_}[$i] } qw(from_us to_us lateness)] } 0 .. $#{ $h->{from_us} } }

sub header { my ($report, @keys) = @_; return join ' ', map { $report->header($_) // '-' } @keys }

# Of the verdict.
sub reasons { return [split /; /, $_[0]->header('verdict') =~ s/^suspect: //r] }

sub written { my ($name, $text) = @_; return file_of("$dir/$name", $text) }

sub refused {
    my ($format, $text, $pattern, $name, @more) = @_;
    my ($status, $out, $err) = import_of($format, @more, written('bad', $text));
    is("$status $out", '1 ', "$name: nothing is written");
    like($err, qr/\Arealfeel-analyze: \Q$dir\E\/bad(?::\d+)?: [^\n]*$pattern[^\n]*; [^\n]+\n\z/, "$name: one line");
}

1;
