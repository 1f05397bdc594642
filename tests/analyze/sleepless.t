# SPDX-License-Identifier: GPL-2.0-or-later
# What interrupted a thread that never slept: how often, for how long, and what. The data are made by hand.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp qw(tempdir);
use JSON::PP;
use Test::More;

use Analyzer;
use RunCommand;

my $dir  = tempdir(CLEANUP => 1);
my $text = contents("$FindBin::Bin/data/sleepless.hist");

sub explained { return run($analyze, 'explain', @_) }

# The interruptions in the text with something replaced
sub interruptions_with {
    my ($what, $by) = @_;
    (my $other = $text) =~ s/$what/$by/ or die "no $what\n";
    return decode_json((explained('--json', file_of("$dir/x.hist", $other)))[1])->[0]{explanation}{interruptions};
}

my ($status, $out, $err) = explained('-v', file_of("$dir/spin.hist", $text));
is("$status $err", '0 ', 'explain has no complaint');
like($out, qr/^  what interrupted 'spin' in the last 10 ms of the run\n  4 times, for 3 ms at most, 30\.2 % of the time$/m,
    'the text says how often and for how long it was interrupted');
my ($table) = $out =~ /^(  kind .*?)\n\n/ms;
is($table, <<'END' =~ s/\n\z//r, 'the table has the culprits, longest first');
  kind       name             times  a second  longest us   share
  task       hog                  1     100.0    2996.000  30.0 %
  interrupt  eth0                 1     100.0      10.000   0.1 %
  interrupt  timer interrupt      2     200.0       5.000   0.1 %
  softirq    TIMER                1     100.0       3.000   0.0 %
END
unlike((explained("$dir/spin.hist"))[1], qr/more with -v/, '-v is not offered, as it would show no more');

my $found = interruptions_with('(?!)|^', '');
is_deeply([@$found{qw(seconds times us most_us)}], [0.01, 4, 3018, 3000], 'JSON has the same sums');
is_deeply([map { "$_->{kind} $_->{name} $_->{times} $_->{us} $_->{most_us}" } @{ $found->{culprits} }],
    ['task hog 1 2996 2996', 'interrupt eth0 1 10 10', 'interrupt timer interrupt 2 9 5', 'softirq TIMER 1 3 3'],
    'JSON has the sums of each culprit');

is(interruptions_with(qr/^0 -?\d.*(?=# end)/ms, ''), undef, 'without any record, nothing is known');

$found = interruptions_with(qr/^0 -20.*\n0 -10.*\n0 1000.*\n0 1005.0.*\n0 1005.5.*\n0 1008.*\n/m, '');
is_deeply([@$found{qw(seconds times us)}], [0.008, 2, 3010], 'if the ring held less, the time begins at its first record');
$found = interruptions_with(qr/^0 2504/m, "0 2504.000 1 vector_exit timer\\x20interrupt - - - -\n"
    . "0 2600.000 1 vector_entry timer\\x20interrupt - - - -\n0 2607");
is_deeply([map { "$_->{name} $_->{times} $_->{us} $_->{most_us}" } grep { $_->{name} =~ /^(?:hog|timer)/ } @{ $found->{culprits} }],
    ['hog 1 2989 2989', 'timer interrupt 3 16 7'], 'two ticks in one interruption count as two');
$found = interruptions_with(qr/^0 2500.*\n/m, "0 2500.000 1 lost - - - 9 -\n");
is_deeply([@$found{qw(times us most_us)}, map { $_->{us} } grep { $_->{kind} eq 'unknown' } @{ $found->{culprits} }],
    [4, 2514, 2496, 504], 'what was not recorded is no interruption');
$found = interruptions_with(qr/^0 7000.*\n0 7010.*\n/m, "0 6000.000 1 switch_out spin 4711 nice:0 Z -\n"
    . "0 6000.000 1 switch_in swapper/1 0 - - -\n");
is_deeply([@$found{qw(seconds times us)}], [0.006, 3, 3008], 'what comes after the end of the thread does not count');
$found = interruptions_with(qr/^0 \d.*(?=# end)/ms, '');
is_deeply($found, { seconds => 0.01, times => 0, us => 0, most_us => 0, culprits => [] }, 'an undisturbed thread has no interruptions');
like((explained("$dir/x.hist"))[1], qr/^  nothing interrupted 'spin' in the last 10 ms of the run$/m,
    'the text says that nothing interrupted it');

($status, $out, $err) = run($analyze, 'report', "$dir/spin.hist");
is("$status $err", '0 ', 'report has no complaint');
like($out, qr{what interrupted 'spin'|what interrupted &#39;spin&#39;}i, 'the page says what interrupted the thread, too');

done_testing;
