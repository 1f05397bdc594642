# SPDX-License-Identifier: GPL-2.0-or-later
# The loads that are installed: --load=list and --help name them, and the program finds them where it is installed itself.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Cwd qw(getcwd);
use File::Copy qw(copy);
use File::Path qw(make_path);
use Program;
use RunCommand qw(run file_of);
use Test::More;

my @SHIPPED = sort map { m{([^/]+)\.job$} ? $1 : () } glob "$FindBin::Bin/../../packaging/*.job";

my ($status, $out, $err) = run(program('--load=list'));
is("$status $err", '0 ', '--load=list: exit status');
is_deeply([sort $out =~ /^(\S+) +\S/mg], \@SHIPPED, '--load=list: every load that ships');
is_deeply([grep { length > 79 } split /\n/, $out], [], '--load=list: a line for each');
my ($help) = map { s/\n\s+/ /gr } (run(program('--help')))[1] =~ /(--load=(?:.*\n {20,})*.*)/;
is_deeply([sort $help =~ /\b(@{[join '|', @SHIPPED]})\b/g], \@SHIPPED, '--help: every load that ships');

workspace();
make_path('usr/bin', 'usr/share/realfeel');
copy((program())[0], 'usr/bin/realfeel') or die $!;
chmod 0755, 'usr/bin/realfeel' or die $!;
my $folder = getcwd() . '/usr/share/realfeel';
is((run('usr/bin/realfeel', '--load=list'))[1], '', 'no load is installed');
file_of("$folder/mine.job", "# Load: of this lab\ncpu 1\n");
is((run('usr/bin/realfeel', '--load=list'))[1], "mine    of this lab\n", 'a load that was put there is listed');
is((run('usr/bin/realfeel', qw(--load=mine -- true)))[2], "realfeel: true: --load=$folder/mine.job is already the load; leave one out\n",
    'a load that was put there is found');
unlink "$folder/mine.job";
rmdir $folder or die $!;
is_deeply([(run('usr/bin/realfeel', '--load=list'))[0, 2]],
    [1, "realfeel: no loads are installed: $folder: No such file or directory; give --load a stress-ng job file\n"],
    'the program is installed alone');

done_testing;
