# SPDX-License-Identifier: GPL-2.0-or-later
# The report so far is saved while the run goes on, each time whole, in place of the last one; and what comes of it when a
# call fails.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use List::Util qw(uniq);
use Report;
use RunCommand;
use Sim;
use Test::More;

my $UNSAVED   = 'the report so far has not been saved, but the run goes on';
my $FOLLOWS   = 'the report follows on standard output';
my $ELSEWHERE = 'or name another file with --output';
my $KILL_ALL  = 'KILL keeper standby meter0';

sub saves {
    my ($options, @rows) = @_;
    for (@rows) {
        my ($script, @outcome) = @$_;
        ends_so("@$options: $script", simulate([qw(-s nanosleep -f 100 -o report), @$options], script => [split /; /, $script]), @outcome);
    }
}

# What a checkpoint has, no later kill can take.
saves([qw(-d 3s -C 1s)],
    ["0.9 $KILL_ALL" => 'exit 137'],
    ["1.5 $KILL_ALL" => 'exit 137', 'checkpoint 100, valid'],
    ["2.5 $KILL_ALL" => 'exit 137', 'checkpoint 200, valid'],
    ["0.5 USR1 keeper; 0.6 $KILL_ALL" => 'exit 137', 'checkpoint 49, valid'],
    ["1.5 USR1 keeper; 1.6 $KILL_ALL" => 'exit 137', 'checkpoint 149, valid'],
    ['0.5 USR1 keeper' => 'exit 0', 'complete 298, valid'],
);
saves([qw(-d 10s -C 1500ms)], ["3.6 $KILL_ALL" => 'exit 137', 'checkpoint 300, valid']);    # looked at once a second
saves([qw(-C 0)],
    ["10 $KILL_ALL" => 'exit 137'],
    ["10 USR1 keeper; 20 $KILL_ALL" => 'exit 137', 'checkpoint 999, valid'],
);
saves([qw(-d 1d)],
    ['keeper:fallocate64:1 ENOSPC' => 'exit 1', "write report: No space left on device; make room for 4 MB, $ELSEWHERE"]);
saves([qw(-n 20)],
    ['keeper:fallocate64:1 ENOSPC' => 'exit 1', "write report: No space left on device; make room for 1 MB, $ELSEWHERE"]);
saves([qw(-d 1d -a), '0-3'],
    ['keeper:fallocate64:1 ENOSPC' => 'exit 1', "write report: No space left on device; make room for 16 MB, $ELSEWHERE"]);

# A disk that is filled during the run has the room that was reserved. A file system that cannot reserve any is no reason.
saves([qw(-d 3s -C 1s)], ['keeper:fallocate64:2+ ENOSPC' => 'exit 0', 'complete 298, valid']);
saves([qw(-d 3s)], ['keeper:fallocate64:1 EOPNOTSUPP' => 'exit 0', 'complete 298, valid']);

# The room that is kept is given up at the moment when a report takes as much, and is taken again behind a checkpoint.
my $log = simulate([qw(-s nanosleep -f 100 -d 2s -C 1s -o report)], script => ['set trace keeper'])->{log};
is_deeply([$log =~ /keeper calls \d+ (fallocate64|ftruncate64|fsync|renameat2?)$/mg], ['fallocate64',
    qw(ftruncate64 fallocate64 ftruncate64 fsync renameat2 fsync fallocate64),
    qw(ftruncate64 fallocate64 ftruncate64 fsync renameat fsync)], 'the room for a report is kept until it is written');

# All further calls fail, too.
saves([qw(-d 3s -C 1s)],
    ['keeper:renameat:1+ EIO' => 'exit 1', "write report: Input/output error; $UNSAVED", "write report: Input/output error; $FOLLOWS",
        'checkpoint 100, valid'],
    ['keeper:fsync:2+ EIO' => 'exit 1', "write report: Input/output error; $UNSAVED", "write report: Input/output error; $FOLLOWS",
        'checkpoint 100, valid'],
    ['keeper:write:3+ ENOSPC' => 'exit 1', "write report: No space left on device; $UNSAVED",
        "write report: No space left on device; $FOLLOWS",
        'write to standard output: No space left on device; the report is lost', 'checkpoint 100, valid'],
);

# Of failures in a row the first is said.
saves([qw(-d 6s -C 1s)], ['keeper:fsync:2+ EIO' => 'exit 1', "write report: Input/output error; $UNSAVED",
    "write report: Input/output error; $FOLLOWS", 'checkpoint 100, valid']);

# One test: this call of the keeper fails at its first time, at its second, and so on. A checkpoint that fails is said and
# made up for; the report is in the file, or on standard output.
sub fails_at_each {
    my ($call, $error, @expected) = @_;
    my (@outcomes, @faults, $calls);
    my @options = (qw(-s nanosleep -f 10 -d 2s -C 1s -o report));
    $calls = () = simulate(\@options, script => ['set trace keeper'])->{log} =~ /keeper calls \d+ $call$/mg;
    for my $number (1 .. $calls) {
        my $run = simulate(\@options, script => ["keeper:$call:$number $error"]);
        push @outcomes, join '; ', outcome($run);
        push @faults, map { "call $number: $_" } faults_of($run);
        push @faults, "call $number: no report" if grep { /follows/ && parse_report($run->{out})->{status} ne 'complete' } outcome($run);
    }
    ok($calls, "$call is called");
    is_deeply([uniq(@outcomes), @faults], [map { join '; ', @$_ } @expected], "$call fails with $error");
}

my $WHOLE = ['exit 0', 'complete 18, valid'];
for (['EIO', 'Input/output error'], ['ENOSPC', 'No space left on device'], ['EFBIG', 'File too large']) {
    my ($error, $text) = @$_;
    my $later = ['exit 0', "write report: $text; $UNSAVED", 'complete 18, valid'];
    my $printed = ['exit 1', "write report: $text; $FOLLOWS", 'checkpoint 10, valid'];
    fails_at_each('write', $error, $later, $printed);
    fails_at_each('ftruncate64', $error, $WHOLE, $later, $printed);    # that of the file which keeps room is no matter
    fails_at_each('fsync', $error, $later, $WHOLE, $printed);    # that of the folder is no matter
    fails_at_each('renameat', $error, $printed);                 # the first report that is saved has no other to replace
}
fails_at_each('fallocate64', 'EOPNOTSUPP', $WHOLE);

# Another program makes a file of this name.
ends_so('a file takes the name', simulate([qw(-s nanosleep -f 100 -d 3s -C 1s -o report)], at => 'report-2',
    prepare => sub { file_of('late', "other\n") }, script => ['0.5 rename late report']),
    'exit 1', 'report appeared during the run; the report is in report-2 instead', 'complete 298, valid');

my $run = simulate([qw(-s nanosleep -f 100 -d 3s -C 1s -o folder/report)], prepare => sub { mkdir 'folder' },
    script => ['0.5 rename folder away', '1.5 rename away/report first', '2.5 rename away folder']);
is("$run->{status} $run->{err}", '0 ' . $run->{err} =~ s/^realfeel: .*\n//mgr, 'the folder is away for a while: nothing is to be said');
is(whole_report(contents('first'))->{samples}, 100, 'a checkpoint is where the folder is');
is(whole_report(contents('folder/report'))->{status}, 'complete', 'the report is saved where it was asked for');

$run = simulate([qw(-s nanosleep -f 100 -d 3s -C 1s -o -)]);
is(whole_report($run->{out})->{status}, 'complete', 'standard output is written to at the end alone');

done_testing;
