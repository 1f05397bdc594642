# SPDX-License-Identifier: GPL-2.0-or-later
# What a page says of runs that realfeel --explain measured: why wake-ups were late.
use strict;
use warnings;
use File::Copy qw(copy);
use File::Temp qw(tempdir);
use FindBin;
use lib map { "$FindBin::Bin/$_" } qw(../../analyze/lib ../lib lib ../plots/lib);
use Test::More;

use MakeExplained;
use PageChecks;

my $micro = "\xc2\xb5s";
my $data  = "$FindBin::Bin/data";
chdir tempdir(CLEANUP => 1) or die $!;
copy("$data/$_.hist", '.') or die "$_: $!" for qw(asked explained small);

sub section_of { my ($page) = @_; return $page =~ m{<h2>Why it was late</h2>(.*?)</section>}s ? $1 : '' }

subtest 'one run' => sub {
    my $page = drawn_page('explained.hist');
    stands_alone($page, 'explained.hist');
    my $section = section_of(opened($page));
    my $seen = seen($section);
    like($seen, qr/the parts of 1 of 20 wake-ups are unknown/, 'the section begins with what is not known');
    like($seen, qr/with --explain each wake-up is about 4\.3 $micro later/, 'the section says what --explain costs');
    like($seen, qr/due to expiry\s*425\.6\s*33\.4 %/, 'the section has the parts of the lateness');
    like($seen, qr/1 of 4: 'dash' \(nice 0\) was not preempted for 340/, 'the section has the causes of the worst wake-ups');
    like($seen, qr/task\s*perl\s*1\s*449\.297/, 'the section says which task had the CPU');
    like($section, qr{<code>preempt=full</code><br>see Documentation/admin-guide/}, 'the section has a remedy');
    like($section, qr{try it:<br><code>realfeel-try preempt-full -- realfeel}, 'the section says how to try a remedy');
    is_deeply([$section =~ /<figure class="([\w-]+)"/g], [qw(parts timeline)], 'the section has both pictures');
    like($section, qr{<pattern [^>]*>\s*<path .*?</pattern>}s, 'the pictures have hatches');
    like($page, qr{<h2>Worst wake-ups</h2>.*371\.0 \S+ late: &#39;dash&#39; \(nice 0\) was not preempted for }s,
        'each of the worst wake-ups has a sentence');
    unlike(seen($page), qr/^parts_lateness_sum_ns|^expiry_/m, 'the figures of the parts stand there once');
    like($page, qr{class="headline">.*<h2>Why it was late</h2>.*<figure class="percentiles">}s,
        'why it was late stands behind the answer, before the first picture');
    is(section_of(page('small.hist')), '', 'the page of a run without --explain has no such section');
    my @captions = page('asked.hist') =~ m{<figcaption>(.*?)</figcaption>}g;
    is_deeply([grep { /lateness|latest|\bdue\b/ } @captions], [], 'no caption says that a request is due or late');
};

subtest 'a remedy of several commands' => sub {
    make_explained('interrupted.hist', wakeups => [[100, 45, 11, 16, 74, 13]], header => { kernel_release => '6.12.0' },
        blame => [[[900, 'interrupt', 'reschedule-IPI', '-', '-'], [959, qw(self realfeel rt:95 -)]]]);
    my $section = section_of(opened(page('interrupted.hist')));
    like($section, qr{<code>cd /sys/fs/cgroup (?:&amp;&amp;|&&) mkdir -p measured\necho \+cpuset (?:&gt;|>)cgroup\.subtree_control\n},
        'each command of a remedy has a line');
};

# The parts alone; names that mean something to HTML.
subtest 'several runs, and names' => sub {
    make_explained('parts.hist', wakeups => [[100, 15, 11, 28, 0, 11]]);
    make_explained('named.hist', wakeups => [[100, 45, 11, 16, 74, 13]],
        blame => [[[100, 'task', '<script>&"', qw(rt:97 pid:1)], [159, qw(self realfeel rt:95 -)]]]);
    my $page = page('parts.hist', 'named.hist');
    stands_alone($page, 'named.hist');
    my $section = section_of(opened($page));
    is_deeply([$section =~ /<figure class="([\w-]+)"/g], [qw(parts parts timeline)], 'the section has the pictures that each run allows');
    like(seen($section), qr/^Run parts\n.*^Run named\n/ms, 'each run has its name');
    unlike($section, qr/<script/, 'a name is no tag');
    like($section, qr/&lt;script&gt;&amp;(?:&quot;|")/, 'a name is text in the table');
    like($section, qr{&lt;script(?:&gt;|>)&amp;\\x22}, 'a name is text in the picture');
    like(seen($page), qr/parts: not compared: they were traced with --explain=parts and --explain=blame/, 'other levels are not compared');
    make_explained('other.hist', wakeups => [[100, 45, 11, 16, 74, 13]]);
    like(seen(page('parts.hist', 'other.hist')), qr/parts: by the medians of these runs, with other 'blocked again' is 74\.0 $micro longer/,
        'the comparison says which part differs');
};

done_testing;
