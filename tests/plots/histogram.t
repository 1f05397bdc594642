# SPDX-License-Identifier: GPL-2.0-or-later
# What a histogram draws: the data and the words that gnuplot is given, and what is refused.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Copy qw(copy);
use File::Temp qw(tempdir);
use FindBin;
use lib "$FindBin::Bin/../lib", "$FindBin::Bin/lib";
use Test::More;

use Given;
use Analyzer;
use RunCommand;

my $data     = abs_path("$FindBin::Bin/../analyze/data");
my @old      = map { "$data/$_-2.4.17.hist" } qw(preempt-lolat low-latency);
my $dir      = tempdir(CLEANUP => 1);
chdir $dir or die $!;

sub plot { return run($analyze, 'plot', 'histogram', @_) }

sub script {
    my ($name, $text) = @_;
    mkdir $name;
    chmod 0755, file_of("$name/gnuplot", $text);
}

script('broken', "#!/bin/sh\nexit 3\n");

sub given {
    my @files = @_;
    return (given_by(sub {
        my ($status, undef, $err) = plot(@files);
        is("$status $err", '0 ', "@files");
    }))[0];
}

subtest 'the data of a report' => sub {
    copy("$data/small.hist", 'small.hist') or die $!;
    my $given = given('small.hist');
    is($given->{points}, <<'END', 'each run of cells stands between two counts of 0; the maximum');
2.97 0
2.97 10
3.34 0
3.75 0
3.75 6
4.21 0
5.31 0
5.31 4
5.96 0
150.8 0
150.8 1
169.3 0


153.04 1 1
END
    is($given->{format},  'dumb', 'the plot for a terminal has the format dumb');
    is("@{ $given->{key} }", 'small.hist: 21 periods, max 153.0 us', 'the key has periods and maximum');
    is($given->{title_text}, "Lateness: histogram, 2026-11-20\nLinux 6.1.0-rt7, PREEMPT_RT, rtc /dev/rtc0, 2048 Hz",
        'the title says what is shown, and has date, kernel, source and rate');
    is($given->{x_text}, 'lateness (us)', 'what is drawn');
    is($given->{y_text}, 'periods per bin (20 a decade)', 'the y axis says what is counted');
    is("@$given{qw(x_low x_high y_low y_high x_kind y_kind)}", '2 200 0.7 100 log power', 'the axes have their ranges and are logarithmic');
    is_deeply($given->{limit_name}, [], 'no limit');
    is($given->{note}, '', 'a valid run has no note');
};

subtest 'the interval error of a report' => sub {
    my $given = given('--measure=interval', '-o', 'x.svg', "$data/small.hist");
    like($given->{points}, qr/\A0.005 0\n0.005 8\n0.01 0\n/, '0 has a place on a logarithmic axis');
    like($given->{points}, qr/^1\.\d+ 2\n/m, 'early ones by their magnitude');
    like("@{ $given->{key} }", qr/: 20 samples, max 150\.0 \xc2\xb5s$/, 'the key, in a picture');
    is($given->{x_text}, "interval error, early or late, without its sign (\xc2\xb5s)", 'what is drawn');
};

subtest 'files of 2002' => sub {
    my $given = given(@old);
    my @runs = split /\n\n\n/, $given->{points};
    is(scalar @runs, 3, 'two, and their maxima');
    is($runs[0], join("\n", '0.05 0', '0.05 4915634', '0.1 72380', '0.2 9212', '0.3 1810', '0.4 788', '0.5 164', '0.6 1',
        '0.7 6', '0.8 1', '0.9 0', '1.1 0', '1.1 1', '1.2 3', '1.3 0'), 'files of 2002 have their own buckets, the first from 0.05 ms');
    is($given->{y_text}, 'samples per 0.1 ms bucket', 'the axis of files of 2002 names their buckets');
    like("@{ $given->{key} }", qr/5000000 samples, max < 1\.300 ms/, 'the key of a file of 2002 has a bound of the maximum');
    like(given($old[0], "$data/small.hist")->{points}, qr/\n\n\n0.05 0\n0.05 19\n0.1 1\n0.2 0\n\n\n/, 'a report beside it, too');
};

subtest 'runs that have little to show' => sub {
    my $given = given("$data/empty.hist", "$data/small.hist");
    like($given->{points}, qr/\A2 0\n\n\n2.97 0\n/, 'no sample: no line');
    like($given->{key}[0], qr/^\S+: 0 periods, INVALID$/, 'the key has the verdict of an empty run');
    like($given->{title_text}, qr{\nLinux 6\.1\.0-rt7, nanosleep and rtc /dev/rtc0, 2048 Hz\z}, 'the title says what differs');
    is($given->{note}, 'INVALID: 1 of 2 runs, as they are marked', 'a note says how many runs are invalid');
    my ($status, $out, $err) = plot("$data/empty.hist");
    is("$status $out", '1 ', 'a run without samples is not drawn alone');
    like($err, qr/\Arealfeel-analyze: there are no samples to draw; .*\n\z/, 'the refusal of a run without samples has a reason');
};

subtest 'names reach gnuplot as they are' => sub {
    for my $name ("it's.hist", 'a "b".hist', 'a_b^{c}.hist', "m\xc3\xbc\xc3\x9f.hist", '`touch x`.hist', '$(touch x).hist', '%d\\n.hist') {
        copy("$data/small.hist", $name) or die $!;
        is_deeply(given($name)->{key}, ["$name: 21 periods, max 153.0 us"], $name);
    }
    copy("$data/small.hist", "a\nb.hist") or die $!;
    is_deeply(given("a\nb.hist")->{key}, ["a\\x0ab.hist: 21 periods, max 153.0 us"], 'a newline is written with an escape');
    ok(!-e 'x', 'no shell runs what is in a name');
};

subtest 'what is refused' => sub {
    copy("$data/small.hist", 'in.png') or die $!;
    link 'in.png', 'link.png' or die $!;
    symlink 'elsewhere.png', 'linked.png' or die $!;
    for my $case (
        ['small.hist is one of the files', '-o', 'small.hist', 'small.hist'],
        ['x: no kind of picture', '-o', 'x', 'small.hist'],
        ['in.png is one of the files', '-o', 'in.png', 'in.png'],
        ['link.png is one of the files', '-o', 'link.png', 'in.png'],
        ['none/x.png: cannot be created: No such file', '-o', 'none/x.png', 'small.hist'],
        ['linked.png: is a link', '-o', 'linked.png', 'small.hist'],
        ['none.hist: cannot be opened', '-o', 'x.png', 'small.hist', 'none.hist'],
        ['13 reports are too many', ('small.hist') x 13],
        ["$old[0]: has no lateness", '--measure=lateness', $old[0]],
    ) {
        my ($message, @arguments) = @$case;
        my ($status, $out, $err) = plot(@arguments);
        is("$status $out", '1 ', "$message: exit status");
        like($err, qr/\Arealfeel-analyze: \Q$message\E.*; .*\n\z/, "$message: message");
    }
    is(contents('in.png'), contents('small.hist'), 'the input is untouched');
    ok(!-e 'x.png', 'no picture of some of the files');
};

subtest 'a gnuplot that does not work is an error' => sub {
    file_of('kept.png', 'before');
    for my $case (['none', 'gnuplot cannot be started: No such file .*; install it'], ['broken', 'gnuplot failed;']) {
        my ($path, $message) = @$case;
        local $ENV{PATH} = "$dir/$path";
        my ($status, undef, $err) = run($^X, $analyze, 'plot', 'histogram', '-o', 'kept.png', 'small.hist');
        is($status, 1, "$path: exit status");
        like($err, qr/\Arealfeel-analyze: $message.*\n\z/, "$path: message");
        is(contents('kept.png'), 'before', "$path: the picture that was there is kept");
    }
    is_deeply([glob '.realfeel-*'], [], 'no file is left behind');
};

subtest 'a picture that is cut off' => sub {
    for (['', 'png'], ['', 'svg'], ['', 'pdf'], ['trap "" XFSZ; ', 'png']) {
        my ($before, $name) = ($_->[0], "full.$_->[1]");
        my ($status, undef, $err) = run('sh', '-c', $before . 'ulimit -f 8; exec "$@"', 'sh',
            $^X, $analyze, 'plot', 'histogram', '-o', $name, 'small.hist');
        is($status, 1, "$before$name: exit status");
        like($err, qr/\Arealfeel-analyze: $name cannot be written: File too large; .*\n\z/, "$before$name: message");
        ok(!-e $name, "$before$name: does not appear");
    }
};

subtest 'a disk that is full' => sub {
    script('cut', <<'END');
#!/bin/sh
echo '<svg>' > "$(printf "$(sed -n 's/^picture = "\(.*\)"$/\1/p' "$2")")"
END
    local $ENV{PATH} = "$dir/cut:$ENV{PATH}";
    is_deeply([plot('-o', 'full.svg', 'small.hist')],
        [1, '', "realfeel-analyze: full.svg cannot be drawn to its end; free disk space\n"],
            'a picture that is cut off is an error though gnuplot ends well');
    ok(!-e 'full.svg', 'no picture that is cut off appears');
};

subtest 'a gnuplot that is killed' => sub {
    script('killed', "#!/bin/sh\nkill -TERM \$\$\n");
    local $ENV{PATH} = "$dir/killed:$ENV{PATH}";
    is_deeply([plot('-o', 'x.png', 'small.hist')],
        [1, '', "realfeel-analyze: gnuplot was killed by signal 15; see signal(7), and try again\n"], 'the message names the signal');
};

subtest 'a gnuplot without its script for the mouse' => sub {
    script('mouseless', <<'END');
#!/bin/sh
format=$(sed -n 's/^format = "\(.*\)"$/\1/p' "$2")
[ "$format" = svg ] && echo 'warning: Failed to insert javascript file /none' >&2
echo "$format</svg>" > "$(printf "$(sed -n 's/^picture = "\(.*\)"$/\1/p' "$2")")"
END
    local $ENV{PATH} = "$dir/mouseless:$ENV{PATH}";
    is_deeply([plot('-o', 'x.svg', 'small.hist')], [0, '', ''], 'a gnuplot without its script for the mouse draws without a word');
    is(contents('x.svg'), "still</svg>\n", 'a picture without one');
};

subtest 'statistics need no gnuplot' => sub {
    local $ENV{PATH} = "$dir/none";
    my ($status, $out, $err) = run($^X, $analyze, 'small.hist');
    is("$status $err", '0 ', 'exit status');
    like($out, qr/ p50 /, 'statistics are listed without gnuplot');
};

done_testing;
