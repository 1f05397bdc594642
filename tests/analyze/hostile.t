# SPDX-License-Identifier: GPL-2.0-or-later
# What a file or the command line holds cannot steer a terminal, is shown as UTF-8 that is whole, and cannot keep the
# program busy. Damaged reports of all kinds are given to all commands by verbs_fuzz.t.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib", "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use IO::Compress::Gzip qw(gzip $GzipError);
use Test::More;

use Analyzer;
use RunCommand;

my $data    = "$FindBin::Bin/data";
chdir tempdir(CLEANUP => 1) or die $!;

# The escape, C1's, an override of the direction of writing, and no UTF-8.
my $evil = "\e[31m\xc2\x9b31m\xe2\x80\xae\xff";
my $shown = '\x1b[31m\xc2\x9b31m\xe2\x80\xae\xff';

sub changed {
    my ($file, $name, $change) = @_;
    local $_ = contents("$data/$name");
    $change->();
    return file_of($file, $_);
}

sub is_harmless {
    my ($name, @words) = @_;
    my (undef, $out, $err) = run($analyze, @words);
    my $text = $out . $err;
    ok(utf8::decode($text), "$name: is UTF-8");
    unlike($text, qr/[^\n\PC]/, "$name: holds no control character");
    return $out . $err;
}

subtest 'names of files' => sub {
    my $run = "$evil.hist";
    file_of($run, contents("$data/tail.hist"));
    file_of("$evil.bad", "# realfeel 2\n");
    my @commands = (
        ['stats'], ['-v'], ['--classic'], ['--json'], ['explain'], ['trend'], ['trend', '--json'], ['table'],
        ['table', '--csv', '--rows=run'], ['compare', "$data/tail.hist"], ['compare', '-v', "$data/tail.hist"], ['report'],
        ['plot', 'histogram'], ['plot', 'overlay'], ['merge', '-o', "$data/tail.hist"],
        map { ['export', "--format=$_"] } qw(rt-tests cyclictest prometheus csv tap junit),
    );
    for my $command (@commands) {
        my $words = join ' ', map { s{.*/}{}r } @$command;
        is_harmless("$words, $_", @$command, $_) for $run, "$evil.bad";
    }
    for my $command (qw(stats trend merge)) {
        is_harmless("$command, $_", $command, $_) for "$evil.none", "$run#7", "$run, CPU 3";
    }
};

subtest 'usage errors' => sub {
    is_harmless("@$_[0 .. $#$_ - 1]", @$_) for [$evil], ['stats', "--$evil"], ['plot', $evil], ['export', "--format=$evil", 'x'],
        ['import', "--format=$evil", 'x'], ['table', "--rows=$evil", 'x'], ['table', "--show=$evil", 'x'],
        ['table', "--rows=$evil", "$data/small.hist"], ['report', '-o', $evil, 'x'], ['plot', 'histogram', '-o', $evil, 'x'],
        (map { ['audit', "--$_=$evil", 'x'] } qw(unit period duration)), ['merge', "--period=$evil", 'x'],
        map { ['compare', "--$_=$evil", 'x'] } qw(at seed fail-above measure);
    like(is_harmless('a letter', "--x$evil"), qr/unknown option --x\Q$shown\E;/, 'the option is named');
};

subtest 'headers' => sub {
    my $texts = join '|', qw(verdict source clock schedule command cpu_model hostname kernel_release policy preemption version);
    changed('texts.hist', 'explained.hist', sub { s/^# (?:$texts): .*\K/$evil/mg; s/^(?=# command)/# label: $evil\n# load: $evil\n/m });
    is_harmless("texts, $_->[0]", @$_, 'texts.hist') for ['stats'], ['-v'], ['--json'], ['explain'], ['trend'], ['report'],
        ['compare', '-v', "$data/explained.hist"], ['table', '--rows=label', '--columns=load'], ['plot', 'timeline', '-o', 'x.svg'],
        ['plot', 'exceedance'], ['plot', 'matrix'], map { ['export', "--format=$_"] } qw(rt-tests prometheus tap junit);
    for my $key (qw(started samples max_ns priority)) {
        changed('number.hist', 'explained.hist', sub { s/^# $key: \K.*/$evil/m or s/^(?=# command)/# $key: $evil\n/m });
        is_harmless("$key, @$_", @$_, 'number.hist') for ['-v'], ['--json'];
    }
};

subtest 'names of threads' => sub {
    my $name = "$evil\\x0a\x9b" =~ s/\e/\\x1b/r;
    my $part = contents("$data/task.hist") =~ s/^# thread_name: \K.*/$name/mr;
    file_of('threads.hist', join '', map { my $n = $_; $part =~ s/\n\K/# part: $n of 3\n/r =~ s/^# thread: \K.*/$n/mr } 1 .. 3);
    my @commands = (['stats'], ['-v'], ['judge', '-v', '--max=100us'], ['trend'], ['trend', '-v', '--max=1us'], ['table'],
        ['table', '--csv', '--rows=run'], ['report'], ['--json'], ['plot', 'overlay'],
        map { ['export', "--format=$_"] } qw(prometheus csv tap junit));
    for my $command (@commands) {
        my $text = is_harmless("@$command", @$command, 'threads.hist');
        unlike($text, qr/^\\x9b/m, "@$command: a name ends no line");
    }
    like((run($analyze, 'threads.hist'))[1], qr/^ +2 \Q$shown\E\\x0a\\x9b +fifo 80 +40 /m, 'each is named');
};

subtest 'what is printed' => sub {
    my $print = 'output("\e[1;31mNO\e[0m\e]0;x\a\x9b31m\xc2\x9b\n")';
    my $out = (run($^X, "-I$FindBin::Bin/../../analyze/lib", '-MRealfeel::Files=output', '-e', $print))[1];
    is($out, "\e[1;31mNO\e[0m\\x1b]0;x\\x07\\x9b31m\\xc2\\x9b\n", 'only colours steer a terminal');
};

subtest 'a merged report' => sub {
    my $label = $evil =~ s/\e//r;
    changed('label.hist', 'small.hist', sub { s/^(?=# command)/# label: \\x1b$label\n/m });
    is((run($analyze, 'merge', '-o', 'merged.hist', ('label.hist') x 2))[0], 0, 'is written');
    like(contents('merged.hist'), qr/^# label: \Q$shown\E$/m, 'with what steers a terminal escaped');
    like((run($analyze, '--json', 'merged.hist'))[1], qr/"label": "\\u001b\[31m\\u009b31m\\u202e\\ufffd"/, 'and reads the same');
};

subtest 'long values of UTF-8' => sub {
    my $load = "stress \xc3\xa9\xe6\xbc\xa2" x 60;
    changed('long.hist', 'events.hist', sub { s/^(?=# samples)/# load: $load\n/m });
    for my $words (['stats'], ['-v'], ['table', '--rows=load', '--columns=host'], ['plot', 'histogram'], ['report']) {
        my $text = is_harmless($words->[0], @$words, 'long.hist');
        unlike($text, qr/\\x/, "$words->[0]: is cut between characters");
    }
};

subtest 'PERL_UNICODE' => sub {
    changed('accent.hist', 'small.hist', sub { s/^(?=# command)/# label: \xc3\xa9\xff\n/m });
    rename 'accent.hist', "\xc3\xa9.hist";
    for my $command (['stats'], ['-v'], ['--json'], ['table', '--rows=label'], ['report'], ["--\xc3\xa9"], ["\xc3\xa9\xc3\xa9"]) {
        my @plain = run($analyze, @$command, "\xc3\xa9.hist");
        for my $set (qw(S SADL)) {
            local $ENV{PERL_UNICODE} = $set;
            is_deeply([run($analyze, @$command, "\xc3\xa9.hist")], \@plain, "$command->[0], $set");
        }
    }
};

sub compressed {
    my ($text) = @_;
    gzip \$text => \my $compressed or die $GzipError;
    return $compressed;
}

subtest 'what would take long' => sub {
    my %file = (
        'long.gz'  => [compressed("# realfeel 1\n# x: " . 'a' x 1e8), qr/: expands to far more than a report does; /],
        'long'     => ["# realfeel 1\n# x: " . 'a' x 2e7, qr/:2: has a line longer than any report has; /],
        'lines.gz' => [compressed("# realfeel 1\n" . "# x: a\n" x 1e7), qr/: expands to far more than a report does; /],
    );
    for my $name (sort keys %file) {
        my @limited = ('sh', '-c', 'ulimit -v 300000; ulimit -t 60; exec "$@"', 'sh', $analyze);
        my ($status, $out, $err) = run(@limited, file_of($name, $file{$name}[0]));
        is("$status$out", '1', "$name is refused");
        like($err, $file{$name}[1], 'with the reason');
    }
    file_of('fits.gz', compressed(contents("$data/small.hist") =~ s/^# command: \K/'a' x 1.6e7/mer));
    is((run($analyze, 'fits.gz'))[0], 0, 'as long as it may be, a line is read');
};

subtest 'no place for temporary files' => sub {
    plan skip_all => 'only root may write where no file can be, others get another folder: run as root' if $>;
    plan skip_all => 'there is no folder in which nobody can create a file' unless -d '/proc/self/fd' && !-e '/proc/self/fd/x';
    for my $words (['plot', 'histogram', "$data/small.hist"], ['trend', '--plot', "$data/tail.hist"]) {
        my ($status, $out, $err) = run('env', 'TMPDIR=/proc', $analyze, @$words);
        is("$status$out", 1, "$words->[0]: exit status");
        like($err, qr{\Arealfeel-analyze: no file can be created in /proc: [^\n]+; set TMPDIR to [^\n]+\n\z}, "$words->[0]: the reason");
    }
};

done_testing;
