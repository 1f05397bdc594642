# SPDX-License-Identifier: GPL-2.0-or-later
# An option that does not exist is refused with a pointer to --help, one of cyclictest with the option to use instead.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FakeRtc;
use Program;
use RunCommand;
use Test::More;

workspace();

for my $options ('--prioriti=3', '--pr=3', '-z', '-Fz', '-n', '--samples', '--interval=1000') {
    subtest $options => sub {
        my ($status, $out, $err) = run(no_rtc(), program(split ' ', $options));
        my ($name) = $options =~ /(\w)(?:=.*)?$/;
        is("$status $out", '1 ', 'nothing is measured');
        like($err, qr/\A[^\n]*$name[^\n]*\n.*--help.*\n\z/, 'two lines');
    };
}

my %USE = (
    '-l 5000'           => '-l is an option of cyclictest; use -n N',
    '-i300'             => '-i is an option of cyclictest; use -f HZ: -i 500 is -f 2000',
    '-t'                => '-t is an option of cyclictest; use -a LIST: -t 4 is -a 0-3',
    '-t4'               => '-t is an option of cyclictest; use -a LIST: -t 4 is -a 0-3',
    '-q -p 80 -S -i 9'  => '-S is an option of cyclictest; use -a all',
    '-m -p95 -i1000'    => '--max=-p95: not a time; leave out -m of cyclictest, as memory is always locked',
    '-mp95'             => '--max=p95: not a time; leave out -m of cyclictest, as memory is always locked',
    '-h 400'            => '-h is an option of cyclictest; not needed: the report has a histogram',
    '-qh400'            => '-h is an option of cyclictest; not needed: the report has a histogram',
    '-H 400'            => '-H is an option of cyclictest; not needed: the report has a histogram',
    '-D 60'             => '-D 60 is an option of cyclictest; use -d 60s',
    '-D 2h'             => '-D 2h is an option of cyclictest; use -d 2h',
);
for my $options (sort keys %USE) {
    my ($status, $out, $err) = run(no_rtc(), program(split ' ', $options));
    is_deeply([$status, $out, $err], [1, '', "realfeel: $USE{$options}\n"], $options);
}

subtest 'options of our own' => sub {
    is((run(program(split(' ', $_), '--version')))[0], 0, $_) for map { /use (-[nfad] (?=\d|all)\S+)/, / is (-[fa] \S+)/ } values %USE;
    open my $file, '>', '60' or die $!;
    like((run(no_rtc(), program(qw(-D 5sm -n 1))))[2], qr/\Arealfeel: (?!-D)/, 'what is no time is a file');
    like((run(no_rtc(), program(qw(-D 60 -s rtc -n 1 --best-effort))))[2], qr/60 is not an RTC/, 'a file whose name looks like a time');
    is((run(program(qw(-p 80 -q -s nanosleep -n 10 --best-effort -o x -- sh -c), 'exit 0', qw(-i 1000 -S))))[0], 0,
        'options of a load are not taken for ours');
};

done_testing;
