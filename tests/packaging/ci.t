#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The examples for test harnesses pass on what realfeel made of the run, be it good, too late, impossible or a failure.
use strict;
use warnings;
use Cwd qw(abs_path);
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Path qw(make_path);
use File::Temp qw(tempdir);
use RunCommand qw(run contents file_of);
use Test::More;

my $root = abs_path("$FindBin::Bin/../..");
my $ci   = "$root/packaging/ci";
my $dir  = tempdir(CLEANUP => 1);
chdir $dir or die $!;
mkdir 'bin' or die $!;

sub command { my ($name, $text) = @_; file_of("bin/$name", "#!/bin/sh\n$text"); chmod 0755, "bin/$name" or die $! }

# In place of realfeel: a report with the limit as ENDING says, and the exit status.
command('realfeel', <<"END");
for word; do case \$previous in -o) file=\$word ;; esac; previous=\$word; case \$word in --output=*) file=\${word#--output=} ;; esac; done
case \$ENDING in
4|1) echo "realfeel: no \$ENDING here" >&2 ;;
0) sed -e 's/^# status:/# max: kept\\n# max_ns: 900000\\n&/' -e 's/^# policy:/# latency_p99_us: 12.01\\n# latency_max_us: 153.04\\n&/' \\
   '$root/tests/analyze/data/small.hist' >"\$file" ;;
2) sed -e 's/^# status:/# max: exceeded\\n# max_ns: 90000\\n&/' -e 's/^# \\(periods\\|missed\\): .*/# \\1: unknown/' \\
   '$root/tests/analyze/data/small.hist' >"\$file" ;;
esac
exit \$ENDING
END
command('rstrnt-report-result', 'echo "result $3 $4 $5"');
command('rstrnt-report-log',    'test -s "$2" && echo log');
symlink "$root/analyze/realfeel-analyze", 'bin/realfeel-analyze' or die $!;
$ENV{PATH} = "$dir/bin:$ENV{PATH}";

delete $ENV{PERL_TEST_HARNESS_DUMP_TAP};    # what is proved here is no test of ours
my %ending = (good => 0, late => 2, impossible => 4, failed => 1);

subtest 'results as TAP' => sub {
    my %status = (good => 0, late => 1, impossible => 4, failed => 1);
    my %lines = (good => 'ok 3 - within --max', late => 'not ok 3 - within --max', impossible => '1..0 # SKIP realfeel: no 4 here',
        failed => 'not ok 1 - measured');
    for my $name (sort keys %ending) {
        local $ENV{ENDING} = $ending{$name};
        my ($status, $out, $err) = run("$ci/realfeel-tap", "$name.hist", '-d', '1s');
        is("$status $err", "$status{$name} ", "$name: exit status");
        ok((grep { $_ eq $lines{$name} } split /\n/, $out), "$name: the line says so") or diag $out;
        local $ENV{TAP_SKIP_STATUS} = 0;
        file_of('t.sh', "exec '$ci/realfeel-tap' $name-again.hist -d 1s\n");
        my ($proved, $told) = run('prove', '--exec', '/bin/sh', 't.sh');
        is($proved, $name =~ /good|impossible/ ? 0 : 1, "$name: prove agrees") or diag $told;
    }
    local $ENV{ENDING} = 0;
    my ($status, $out) = run("$ci/realfeel-tap", 'good.hist', '-d', '1s');
    like("$status $out", qr/^1 Bail out! good\.hist is there already/, 'an old report is not taken for the new one');
};

# In a tree like Linaro's, with a library of the same functions, as root.
subtest "LAVA, by Linaro's test-definitions" => sub {
    make_path('automated/linux', 'automated/lib', 'automated/utils');
    run('cp', '-r', "$ci/linaro", 'automated/linux/realfeel');
    file_of('automated/lib/sh-test-lib', <<'END');
check_root() { :; }
install_deps() { echo "$1 $2" >../../installed; }
create_out_dir() { rm -rf "$1"; mkdir "$1"; }
report_skip() { echo "$1 skip" >>"$RESULT_FILE"; }
report_fail() { echo "$1 fail" >>"$RESULT_FILE"; }
END
    file_of('automated/utils/send-to-lava.sh', qq{#!/bin/sh\ncp "\$1" "$dir/sent"\n});
    chmod 0755, 'automated/utils/send-to-lava.sh' or die $!;
    my ($params, $steps) = contents("$ci/linaro/realfeel.yaml") =~ /^params:\n(.*?)^run:\n.*?\n(    - .*)/ms;
    my %param = $params =~ /^  (\w+): "?(.*?)"?$/mg;
    my @steps = $steps =~ /^    - (.*)$/mg;
    is(join(' ', sort grep { !/^OPTARG$/ } keys %{{ map { $_ => 1 } "@steps" =~ /\$(\w+)/g }}), join(' ', sort keys %param),
        'all parameters are used');
    my %says = (good => qr/^measured-to-the-end pass\n(?s:.*)^within-max pass\n(?s:.*)^max pass 153\.04 us\np99 pass 12\.01 us\n/m,
        late => qr/\A(?!.*^missed ).*^within-max fail$/ms, impossible => qr/\Arealfeel skip\n\z/, failed => qr/\Arealfeel fail\n\z/);
    for my $name (sort keys %ending) {
        local @ENV{'ENDING', keys %param} = ($ending{$name}, values %param);
        my ($status, $out, $err) = run('/bin/sh', '-c', join "\n", @steps);
        is("$status $err", $name =~ /good|late/ ? '0 ' : "0 realfeel: no $ending{$name} here\n", "$name: the job goes on");
        like(contents('sent'), $says{$name}, "$name: LAVA gets the result");
        my @strange = grep { !/^[\w.-]+ (?:pass|fail|skip)(?: -?[\d.]+(?: \w+)?)?$/ } split /\n/, contents('sent');
        is("@strange", '', "$name: send-to-lava.sh can read the result");
    }
    is(contents('automated/installed'), "realfeel false\n", 'the package is installed before');
};

subtest 'restraint and tmt' => sub {
    my %says = (good => "log\nresult realfeel PASS 153\n", late => "log\nresult realfeel FAIL 153\n",
        impossible => "result realfeel SKIP 0\n", failed => "result realfeel FAIL 0\n");
    for my $name (sort keys %ending) {
        local $ENV{ENDING} = $ending{$name};
        my ($status, $out, $err) = run("$ci/restraint/runtest.sh");
        is("$status $out$err", "0 $says{$name}", $name);
    }
    like(contents("$ci/restraint/metadata"), qr/^entry_point=\.\/runtest\.sh$/m, 'what restraint starts');
    like(contents("$ci/realfeel.fmf"), qr/^  test: \.\/runtest\.sh\n  path: \/restraint$/m, 'what tmt starts');
};

subtest 'the form of YAML files' => sub {
    plan skip_all => 'yamllint is missing: apt-get install yamllint' if (run('yamllint', '--version'))[0];
    my ($status, $out) = run('yamllint', '-d', '{extends: default, rules: {line-length: {max: 120}, document-start: disable}}',
        "$ci/linaro/realfeel.yaml", "$ci/realfeel.fmf");
    is("$status $out", '0 ', 'yamllint finds nothing');
};

done_testing();
