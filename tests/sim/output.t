# SPDX-License-Identifier: GPL-2.0-or-later
# Where the report goes: what was there is never lost, what was measured neither, and no other file is left.
use strict;
use warnings;
use Cwd qw(getcwd);
use FindBin;
use lib "$FindBin::Bin/../lib";
use POSIX qw(mkfifo);
use Program;
use RunCommand;
use Sim;
use Test::More;

my $WHOLE   = 'complete 50, valid';
my $LONG    = 'complete 250, valid';
my $FOLLOWS = 'the report follows on standard output';
my $FULL    = "write /dev/full: No space left on device; $FOLLOWS";
my $LOST    = 'write to standard output: No space left on device; the report is lost';
my $ELSE    = 'report appeared during the run; the report is in report-2 instead';
my @REPORT  = qw(-o report);
my @SAVED   = qw(-C 1s -n 250);    # with two checkpoints

sub put { return map { file_of($_, "other\n") } @_ }

# One test: a run of half a second, with these options, ends so, with its report at that place, and without an effect on what
# was there. Returns the report.
sub goes_to {
    my ($name, $at, $options, $of, @outcome) = @_;
    my ($report) = ends_so($name, simulate([qw(-s nanosleep -f 100 -n 50), @$options], at => $at, %$of), @outcome);
    return $report;
}

# A default name is that of the kernel, numbered where it is taken, whatever has it.
my @default = map { "6.1.0-sim$_.hist" } '', '-2', '-3';
goes_to('the default name', $default[0], [], {}, 'exit 0', $WHOLE);
goes_to('two default names are taken', $default[2], [], { prepare => sub { put(@default[0, 1]) } }, 'exit 0', $WHOLE);
goes_to('links to nothing take default names before and during the run', $default[2], [], {
    prepare => sub { symlink 'nothing', $_ for $default[0], 'late' }, script => ["0.2 rename late $default[1]"] }, 'exit 0', $WHOLE);
goes_to('a pipe has the default name', $default[1], [], { prepare => sub { mkfifo($default[0], 0600) } }, 'exit 0', $WHOLE);

# What the user sees.
my $run = simulate([qw(-s nanosleep -f 100 -n 50 -o -)], at => '-');
ends_so('standard output', $run, 'exit 0', $WHOLE);
like($run->{err}, qr/\Alateness .*\n.*\nmissed .*\nreport    standard output\nrun       valid\n\z/, 'the result is on standard error');
$run = simulate([qw(-s nanosleep -f 100 -n 50 -q), @REPORT]);
ends_so('--quiet', $run, 'exit 0', $WHOLE);
is("$run->{out}$run->{err}", '', '--quiet prints nothing');

# A name that is taken, before the run or during it. Nobody reads the pipe, so opening it would take for ever.
goes_to('a file exists', 'none', \@REPORT, { prepare => sub { put('report') } },
    'exit 1', '--output=report: exists; name another, or overwrite it with --force');
goes_to('--force and a file', 'report', ['--force', @REPORT], { prepare => sub { put('report') } }, 'exit 0', $WHOLE);
goes_to('--force and a file that is made during the run', 'report', ['--force', @REPORT], { script => ['0.2 put report other'] },
    'exit 0', $WHOLE);
my %LATE = (
    'a file'             => sub { put('late') },
    'a pipe'             => sub { mkfifo('late', 0600) },
    'a link to a device' => sub { symlink '/dev/null', 'late' },
    'a link to a file'   => sub { symlink 'other', 'late' },
    'a directory'        => sub { mkdir 'late' },
);
for my $what (sort keys %LATE) {
    for my $force ($what eq 'a file' ? [] : ([], ['--force'])) {
        goes_to("$what takes the name during the run, @$force", 'report-3', [@$force, @REPORT], {
            prepare => sub { put('other', 'report-2'); $LATE{$what}->() }, script => ['0.2 rename late report'] },
            'exit 1', $ELSE =~ s/-2/-3/r, $WHOLE);
    }
}
goes_to('a pipe is what it was at the start', '-', [qw(-o pipe)], { under => ['cat=0'],
    prepare => sub { mkfifo('pipe', 0600); put('late') }, script => ['0.2 rename pipe away', '0.3 rename late pipe'] }, 'exit 0', $WHOLE);

# The folder is that of the start, wherever it is at the end and whatever has its name.
my $AWAY = 'the folder containing folder/report was moved during the run; the report is in ' . getcwd() . '/away/report';
for (['moved', '0.2 rename folder away'], ['moved, and replaced by a link', '0.2 rename folder away', '0.3 rename link folder']) {
    my ($what, @script) = @$_;
    goes_to("the folder is $what", 'away/report', [@SAVED, qw(-o folder/report)], { script => \@script,
        prepare => sub { mkdir $_ for qw(folder other); symlink 'other', 'link' } }, 'exit 1', $AWAY, $LONG);
}
goes_to('the folder is removed', '-', [qw(-o gone/report)], {
    prepare => sub { mkdir $_ for qw(gone empty) }, script => ['0.2 rename empty gone'] },
    'exit 1', "write gone/report: No such file or directory; $FOLLOWS", $WHOLE);

# What an option is given is not the beginning of a load.
goes_to("@$_", '--', $_, {}, 'exit 0', $WHOLE)
    for [qw(-o --)], [qw(--output --)], ['-o--'], ['--output=--'], [qw(--label -- -o --)];
goes_to('-o -- -- LOAD', '--', [qw(-o --), actor('sleep=9')], {}, 'exit 0', "$WHOLE; load: signal 15, by the run");

# Nowhere to write.
goes_to('a full device', '-', [qw(-o /dev/full)], {}, 'exit 1', $FULL, $WHOLE);
for (
    ['a full standard output', [qw(-o -)], 'exec "$@" >/dev/full', $LOST],
    ['a full device, and a full standard output', [qw(-o /dev/full)], 'exec "$@" >/dev/full', $FULL, $LOST],
    ['a closed standard output', [qw(-o -)], 'exec "$@" >&-', '--output=-: standard output is closed; name a file'],
    ['a limit on the size of files', [qw(-n 5000000 -o report)], 'ulimit -f 1000; exec "$@"',
        'write report: File too large; make room for 4 MB, or name another file with --output'],
) {
    my ($name, $options, $shell, @said) = @$_;
    goes_to($name, 'none', $options, { shell => $shell }, 'exit 1', @said);
}
for ('ulimit -f 8192; exec "$@"', map { "exec \"\$\@\" $_" } '<&-', '>&-', '2>&-', '<&- >&- 2>&-') {
    goes_to("a report is written: $_", 'report', \@REPORT, { shell => $_ }, 'exit 0', $WHOLE);
}

# The command line is one line of the report, and a shell reads it back.
my $name = "it's \\x41 \"\$HOME\"\n\t\x7f\xc3\xa9";
my $command = goes_to('a name of all kinds of characters', $name, ['-o', $name], {}, 'exit 0', $WHOLE)->{command};
like($command, qr/\A[^\x00-\x1f\x7f]*\xc3\xa9[^\x00-\x1f\x7f]*\z/, 'the command line has no control character, and UTF-8 as it is');
$command =~ s/\\(?:(\\)|x([0-9a-f]{2}))/$1 || chr hex $2/ge;
my (undef, $words) = run('sh', '-c', "printf '%s\\0' $command");
is_deeply([split /\0/, $words], [program(qw(-s nanosleep -f 100 -n 50 -o), $name)], 'a shell reads every word back');

# All kinds of file systems.
my @NO_FLAG = 'any:renameat2:1+ EINVAL';
my %SYSTEM = (
    'all that Linux has'         => [],
    'a rename without a flag'    => \@NO_FLAG,
    'neither that nor hard links' => [@NO_FLAG, 'any:linkat:1+ EPERM'],
);
for my $system (sort keys %SYSTEM) {
    my @script = @{ $SYSTEM{$system} };
    goes_to("$system: checkpoints", 'report', [@SAVED, @REPORT], { script => \@script }, 'exit 0', $LONG);
    goes_to("$system: a long name", 'n' x 255, ['-o', 'n' x 255], { script => \@script }, 'exit 0', $WHOLE);
    goes_to("$system: a file takes the name during the run", 'report-2', \@REPORT, { prepare => sub { put('late') },
        script => [@script, '0.2 rename late report'] }, 'exit 1', $ELSE, $WHOLE);

    for my $when (0.5, 2.3) {
        my $run = simulate([qw(-s nanosleep -f 100), @SAVED, @REPORT], script => [@script, "$when KILL keeper standby meter0"]);
        is_deeply($run->{others}, [], "$system: nothing is left where all are killed after $when s");
    }

    # The first of the random names under which it is written is known by a run that is killed.
    my ($taken) = @{ simulate(\@REPORT, script => [@script, 'keeper:unlinkat:1 KILL keeper'])->{others} };
    goes_to("$system: the temporary name $taken is taken", 'report', [@SAVED, @REPORT], { prepare => sub { put($taken) },
        script => \@script }, 'exit 0', $LONG);
}

done_testing;
