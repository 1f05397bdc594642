# SPDX-License-Identifier: GPL-2.0-or-later
# The page in a browser: it asks for nothing, complains of nothing, fits every width, and can be read in the light and in
# the dark. SCREENSHOTS=FOLDER keeps what it looked like.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib", "$FindBin::Bin/lib";
use Cwd qw(getcwd);
use File::Copy qw(copy);
use File::Temp qw(tempdir);
use List::Util qw(first);
use Test::More;

use Chromium;
use MadeReport;
use PageChecks;
use RunCommand;

my $analyze = "$FindBin::Bin/../../analyze/realfeel-analyze";
my $program = first { !system "command -v $_ >/dev/null" } qw(chromium chromium-browser google-chrome);
if (!$program) {
    plan skip_all => 'chromium is not installed' unless $ENV{CI};
    plan tests => 1;
    fail('chromium must be installed in CI');
    exit;
}
binmode Test::More->builder->$_, ':encoding(UTF-8)' for qw(output failure_output);
my $screenshots = $ENV{SCREENSHOTS};
my $data = "$FindBin::Bin/data";
chdir tempdir(CLEANUP => 1) or die $!;
copy($_, '.') for glob "$data/*.hist $data/cpus.hist.gz";

my @widths = (320, 375, 480, 600, 768, 1000, 1100, 1280, 1920);

# What is left of A4 and of Letter between the margins that browsers give them, and between wide ones.
my @papers = (600, 718, 740);
my $browser = Chromium->start($program);

# What the browser had to complain of, and the addresses that it asked for beside the page itself.
sub complaints {
    return (
        (map { $_->{entry}{text} } $browser->events('Log.entryAdded')),
        (map { $_->{type} } $browser->events('Runtime.consoleAPICalled')),
        (map { $_->{exceptionDetails}{text} } $browser->events('Runtime.exceptionThrown')),
    );
}

sub requests {
    my ($url) = @_;
    return grep { $_ ne $url && !/^data:/ } map { $_->{request}{url} } $browser->events('Network.requestWillBeSent');
}

sub overhang { return $browser->value('document.documentElement.scrollWidth - document.documentElement.clientWidth') }

# Opens all that is folded.
my $unfolded = "[...document.querySelectorAll('details')].map(e => e.open = true).length";

# What is not seen without scrolling a part of the page sideways, or lies outside its picture.
my $hidden = <<'JS';
(() => {
    const hidden = [], width = document.documentElement.clientWidth + 0.5;
    for (const e of document.querySelectorAll('body *:not(svg *)')) {
        const scrolls = getComputedStyle(e).overflowX != 'visible' && e.scrollWidth > e.clientWidth;
        if (scrolls || e.getBoundingClientRect().right > width) hidden.push(e.tagName + ' ' + e.textContent.trim().slice(0, 60));
    }
    for (const e of document.querySelectorAll('svg text')) {
        const text = e.getBoundingClientRect(), svg = e.closest('svg').getBoundingClientRect();
        const is_out = text.left < svg.left - 1 || text.right > svg.right + 1 || text.top < svg.top - 1 || text.bottom > svg.bottom + 1;
        if (e.textContent.trim() && is_out) hidden.push(e.closest('figure').className + ' ' + e.textContent.trim());
    }
    return hidden;
})()
JS

# Cells of a row that is a list, if nothing says what they are.
my $unnamed = <<'JS';
[...document.querySelectorAll('thead')].filter(e => getComputedStyle(e).display == 'none').flatMap(e =>
    [...e.parentElement.querySelectorAll('td[data-head]')].filter(td => td.dataset.head)
        .filter(td => !/\w/.test(getComputedStyle(td, '::before').content.replace('none', ''))))
    .map(td => td.dataset.head + ' ' + td.textContent)
JS

# The least contrast of any text with what is behind it, as WCAG defines it: 4.5 is easy to read, 3 will do for what is large.
my $contrast = <<'JS';
(() => {
    const channel = c => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    const numbers = colour => colour.match(/[\d.]+/g).map(Number);
    const luminance = c => 0.2126 * channel(c[0]) + 0.7152 * channel(c[1]) + 0.0722 * channel(c[2]);
    const behind = e => {
        for (; e; e = e.parentElement) {
            const c = numbers(getComputedStyle(e).backgroundColor);
            if (c.length < 4 || c[3] > 0) return c;
        }
        return [255, 255, 255];
    };
    const least = { text: [99, ''], picture: [99, ''], line: [99, ''] };
    const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const element = walker.currentNode.parentElement;
        if (!walker.currentNode.data.trim()) continue;
        const kind = element.closest('svg') ? 'picture' : 'text', style = getComputedStyle(element);
        const colour = kind == 'text' ? style.color : style.fill;
        const ratio = contrast(luminance(numbers(colour)), luminance(behind(element)));
        if (ratio < least[kind][0]) least[kind] = [ratio, walker.currentNode.data.trim() + ' ' + colour];
    }
    for (const path of document.querySelectorAll('svg path:not(.gridline):not(defs path)')) {
        const colour = getComputedStyle(path).stroke;
        const ratio = colour == 'none' ? 99 : contrast(luminance(numbers(colour)), luminance(behind(path)));
        if (ratio < least.line[0]) least.line = [ratio, path.closest('figure').className + ' ' + colour];
    }
    return least;
})()
JS

# Of a page with pictures: they are images, which only their own text made; seen in the light, and turned for the dark.
sub pictures_show_well {
    my ($name) = @_;
    my $page = contents("$name.html");
    my $count = () = $page =~ /<img src="data:/g;
    $browser->look(1280, 'dark');
    $browser->open_page('file://' . getcwd() . "/$name.html");
    $browser->value($unfolded);
    is($browser->value('[...document.images].filter(e => e.naturalWidth > 100 && getComputedStyle(e).filter != "none").length'),
        $count, "$name: each picture is drawn, and less bright in the dark");
    my $url = 'file://' . getcwd() . '/' . file_of("$name.open.html", opened($page) =~ s/\bimg \{ display/svg { display/r);
    $browser->look(1280, 'light');
    $browser->open_page($url);
    is($browser->value('document.querySelectorAll("svg").length'), $count, "$name: $count pictures");
    my $least = $browser->value($contrast);
    cmp_ok($least->{picture}[0], '>', 4.5, "$name: their texts can be read: '$least->{picture}[1]'") if $least->{picture}[1];
    cmp_ok($least->{line}[0], '>', 2, "$name: their lines can be seen: '$least->{line}[1]'") if $least->{line}[1];
    is_deeply($browser->value($hidden), [], "$name: nothing lies outside of a picture");
}

sub shows_well {
    my ($name, @files) = @_;
    my ($status, undef, $err) = run($analyze, 'report', '-o', "$name.html", @files);
    is("$status $err", '0 ', "$name: written");
    my $url = 'file://' . getcwd() . "/$name.html";
    for my $scheme (qw(light dark)) {
        $browser->look(1280, $scheme);
        $browser->open_page($url);
        $browser->value($unfolded);
        is_deeply([complaints()], [], "$name, $scheme: nothing on the console");
        is_deeply([requests($url)], [], "$name, $scheme: no request");
        my $least = $browser->value($contrast);
        cmp_ok($least->{text}[0], '>', 4.5, "$name, $scheme: the text can be read: '$least->{text}[1]'");
        for my $width ($scheme eq 'light' ? @widths : 375) {
            $browser->look($width, $scheme);
            is(overhang(), 0, "$name, $scheme: $width px: no scrolling sideways");
            is_deeply($browser->value($hidden), [], "$name, $scheme: $width px: nothing is hidden");
            is_deeply($browser->value($unnamed), [], "$name, $scheme: $width px: each cell of a list has its head");
            file_of("$screenshots/$name-$scheme-$width.png", $browser->picture) if $screenshots;
        }
    }
    for my $width (@papers) {
        $browser->look($width, 'light', 'print');
        is_deeply($browser->value($hidden), [], "$name: nothing is clipped on paper, $width px wide");
        file_of("$screenshots/$name-paper-$width.png", $browser->picture) if $screenshots;
    }
    is($browser->value('document.querySelectorAll("script, iframe, object, embed, img:not([src^=\'data:image/svg+xml;base64,\'])").length'),
        0, "$name: nothing that runs");
    pictures_show_well($name);
}

subtest 'what these tests would see' => sub {
    my $url = 'file://' . getcwd() . '/' . file_of('bad.html', <<'HTML');
<!DOCTYPE html><html><body><script>console.error('x'); throw 'y'</script><img src="http://127.0.0.1:9/x.png">
<div style="width: 2000px; color: #eee">wide</div><div style="width: 9em; overflow-x: auto"><pre>scrolls sideways, much</pre></div>
<figure class="f"><svg width="90" height="20"><text x="50" y="10">outside of it</text></svg></figure></body></html>
HTML
    $browser->look(1280, 'light');
    $browser->open_page($url);
    cmp_ok(scalar(() = complaints()), '>', 1, 'complaints');
    is_deeply([requests($url)], ['http://127.0.0.1:9/x.png'], 'requests');
    cmp_ok(overhang(), '>', 700, 'what is too wide');
    is_deeply($browser->value($hidden), ['DIV wide', 'DIV scrolls sideways, much', 'f outside of it'], 'what is hidden');
    cmp_ok($browser->value($contrast)->{text}[0], '<', 2, 'what cannot be read');
};

my @slices = map { my $s = $_; [map { 20 + 5 * sin($s) + 300 * ($_ / 1024)**40 } 1 .. 1024] } 1 .. 12;
for my $i (1 .. 12) {
    made("run-$i.hist", [map { [map { $_ * (1 + $i / 20) } @$_] } @slices], kernel_release => "6.$i.0-a-kernel-with-a-long-name",
        load => $i % 2 ? 'none' : 'stress-ng', kernel_command_line => 'quiet ' . join ' ', map { "parameter$_=$i" } 1 .. 20);
}
my $name = 'w' x 120;
my $evil = q{<script>console.error(1)</script><img src="http://127.0.0.1:9/y.png">"'&amp;} . 'x' x 300;
made("<script>alert(1)<\\script><b>$name.hist", \@slices, verdict => "invalid: $evil", kernel_release => $evil,
    source => $evil, load => $evil, command => $evil, hostname => $evil);

subtest 'one run'    => sub { shows_well('one', 'events.hist') };
subtest 'no samples' => sub { shows_well('empty', 'empty.hist') };
subtest 'of 2002'       => sub { shows_well('old', 'low-latency-2.4.17.hist', 'preempt-lolat-2.4.17.hist') };
subtest 'two runs'   => sub { shows_well('two', 'run-1.hist', 'run-12.hist') };
made_cpus('many.hist', { map { $_ => [@slices[0, 1]] } 0 .. 63 }, verdict => { (map { $_ => 'valid' } 0 .. 62), 63 => 'suspect: x' });
subtest 'four CPUs'  => sub { shows_well('cpus', 'cpus.hist.gz') };
subtest '64 CPUs'    => sub { shows_well('many', 'many.hist', 'cpus.hist.gz') };
made("node-$_.hist", \@slices, hostname => "node-$_.a-long-name.of-a-rack.example.org",
    verdict => $_ % 4 ? 'valid' : 'suspect: x') for 1 .. 20;
subtest 'twenty'     => sub { shows_well('twenty', 'empty.hist', map { "node-$_.hist" } 1 .. 20) };
subtest 'hostile'    => sub { shows_well('hostile', 'run-1.hist', glob('*script*')) };

done_testing;
