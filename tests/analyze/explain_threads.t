# SPDX-License-Identifier: GPL-2.0-or-later
# Several threads of another program: each is explained by itself, and each of their worst wake-ups is judged by its own
# thread.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib";
use File::Temp qw(tempdir);
use Test::More;

use Analyzer;
use RunCommand;
use Traced;

my $dir = tempdir(CLEANUP => 1);

sub thread {
    my ($part, $late_us, $id, $name, $policy, $priority, %header) = @_;
    return traced_text($late_us, part => "$part of 3", thread => $id, thread_name => $name, thread_policy => $policy,
        thread_priority => $priority, source => 'task', hypervisor => 'kvm', %header);
}

my ($ui, $audio) = ([31, 'ui', 'nice:0'], [30, 'audio', 'rt:80']);
went_to_sleep(-500, $ui, 11);
waking(2, $ui);
preempted(9000, 11, $ui);
my $late_ui = thread(1, 9010, 31, 'ui', 'other', 0);
went_to_sleep(-500, $audio, [40, 'qemu', 'nice:0']);
entry(4000, 'vector_entry', 236, 'timer interrupt');
waking(4002, $audio);
entry(4003, 'vector_exit', 236, 'timer interrupt');
preempted(4005, [40, 'qemu', 'nice:0'], $audio);
my $late_audio = thread(2, 4010, 30, 'audio', 'fifo', 80);
went_to_sleep(-50, [32, 'log', 'nice:0'], 0);
waking(2, [32, 'log', 'nice:0']);
preempted(4, 0, [32, 'log', 'nice:0']);
my $file = file_of("$dir/all.hist", $late_ui . $late_audio . thread(3, 20, 32, 'log', 'other', 0));

my ($status, $text, $err) = run($analyze, 'explain', $file);
is("$status $err", '0 ', 'no warning');
my @sections = split /\n\n/, $text;
like($sections[1], qr/\A  thread 30 audio, fifo 80: 474 us late at worst\n  1 of 1    the timer interrupt was 4 ms late while 'qemu'/,
    'first the thread of the highest priority');
like($sections[2], qr/^  \* 'qemu' \(nice 0\): the hypervisor/m, 'the advice for the first thread is shown');
like($sections[3], qr/\A  thread 31 ui, other: 474 us late at worst\n  1 of 1    'sh' \(nice 0\) ran for 9 ms/,
    'threads of lower priority follow');
like($sections[4], qr/^      chrt -f -p 50 31$/m, 'each command has its thread');
like($sections[5], qr/\A  thread 32 log, other: 474 us late at worst\n  none of the worst/, 'a thread that was never late has a section');
unlike($text, qr/why the worst|several|not recorded/, 'the text says nothing of all threads together');

($status, $text, $err) = run($analyze, $file);
is("$status $err", '0 ', 'the figures: no warning');
like($text, qr/^ +thread +policy +samples .*\n +31 ui +other +20 .*\n +30 audio +fifo 80 +20 /m, 'the table has the policy of each thread');
like($text, qr{^  worst .*: 'sh' \(nice 0\) ran}m, 'the worst wake-up is explained beside the figures');

my $merged = "$dir/pooled.hist";
run($analyze, 'merge', '--pool', '-o', $merged, $file);
($status, $text, $err) = run($analyze, 'explain', '-v', $merged);
is("$status $err", '0 ', 'merged: no warning');
like($text, qr/^  1 +9\.010 ms late: 'sh' \(nice 0\) ran.*^  2 +4\.010 ms late: the timer interrupt was 4\.000 ms late while 'qemu'/ms,
    'the records say which thread was late');
like($text, qr/^      chrt -f -p 50 31$/m, 'each command has its thread in a merged report');
unlike($text, qr/not recorded/, 'each thread has its own records');

($status, $text, $err) = run($analyze, 'report', '-o', "$dir/page.html", $file);
is("$status $err", '0 ', 'the page: no warning');
like(contents("$dir/page.html"), qr/Thread 30 audio.*4 ms late while.*Thread 31 ui.*sh/s, 'the page has a section for each thread');

done_testing;
