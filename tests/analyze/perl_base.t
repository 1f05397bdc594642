# SPDX-License-Identifier: GPL-2.0-or-later
# Debian's minimal Perl, the package perl-base, is enough for the text of a report, tables and pictures; what needs more of
# Perl's own modules names the one that is missing. The program is started here, and answers as it does in a test's process.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp qw(tempdir);
use Test::More;

use Analyzer;
use RunCommand;

use constant BASE => qw(
    AutoLoader Carp Carp/Heavy Config Config_git Config_heavy Cwd DynaLoader Errno Exporter Exporter/Heavy Fcntl File/Basename
    File/Glob File/Path File/Spec File/Spec/Unix File/Temp FileHandle Getopt/Long Hash/Util IO IO/File IO/Handle IO/Pipe
    IO/Seekable IO/Select IO/Socket IO/Socket/INET IO/Socket/IP IO/Socket/UNIX IPC/Open2 IPC/Open3 List/Util POSIX Scalar/Util
    SelectSaver Socket Symbol Text/ParseWords Text/Tabs Text/Wrap Tie/Hash XSLoader attributes base builtin bytes constant
    feature fields integer lib locale overload overloading parent re strict utf8 vars warnings warnings/register
);

my $dir     = tempdir(CLEANUP => 1);
chdir "$FindBin::Bin/data" or die $!;
my $names = join ' ', BASE;
file_of("$dir/PerlBase.pm", <<"END");
package PerlBase;
my %is_there = map { ("\$_.pm" => 1) } qw($names);
unshift \@INC, sub {
    return if \$is_there{\$_[1]} || \$_[1] =~ /^(?:Realfeel|unicore)\\b|\\.pl\\z/;
    die "Can't locate \$_[1] in \\\@INC\\n";
};
1;
END

sub on_base { return run($^X, "-I$dir", '-MPerlBase', $analyze, @_) }

for my $command (
    ['small.hist'], ['-v', 'explained.hist'], ['--classic', 'low-latency-2.4.17.hist'], ['explain', 'explained.hist'],
    ['trend', 'small.hist'], ['compare', 'tail.hist', 'tail-mixed.hist'], ['table', 'small.hist', 'events.hist'],
    ['plot', 'histogram', 'small.hist'], ['plot', 'timeline', '-o', "$dir/x.svg", 'explained.hist'],
    ['report', 'small.hist'], ['--version'],
    (map { ['export', "--format=$_", 'small.hist'] } qw(prometheus csv tap junit)),
) {
    my ($status, $out, $err) = run($analyze, @$command);
    is("$status $err", '0 ', "@$command: has an answer with all of Perl");
    is_deeply([on_base(@$command)], [$status, $out, $err], "@$command: has the same answer with perl-base");
}

for ([Encode => '--json', 'small.hist'], ['IO::Uncompress::Gunzip' => 'cpus.hist.gz'], ['Pod::Text' => '--help'],
    ['Math::BigInt' => 'merge', 'small.hist', 'events.hist']) {
    my ($module, @command) = @$_;
    my ($status, $out, $err) = on_base(@command);
    is("$status$out$err", "1realfeel-analyze: Perl's own module $module is missing; install the package perl\n",
        "@command: names $module, which perl-base lacks");
}

done_testing;
