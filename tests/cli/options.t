# SPDX-License-Identifier: GPL-2.0-or-later
# An option that there is not: what was meant, in one line. Those of cyclictest are answered with ours.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FakeRtc;
use Program;
use RunCommand;
use Test::More;

workspace();

sub refused {
    my ($options, $line) = @_;
    my ($status, $out, $err) = run(no_rtc(), program(split ' ', $options));
    is_deeply([$status, $out, $err], [1, '', "realfeel: $line\n"], $options);
}

my %is = (
    '--prioriti=3'        => 'unknown option --prioriti; did you mean --priority?',
    '--pirority 3'        => 'unknown option --pirority; did you mean --priority?',
    '--quiet --dureation' => 'unknown option --dureation; did you mean --duration?',
    '--nope'              => 'unknown option --nope; see --help',
    '--xyz'               => 'unknown option --xyz; see --help',
    '--' . 'x' x 300      => 'unknown option --' . 'x' x 60 . '...; see --help',
    '-z'                  => 'unknown option -z; see --help',
    '-zF'                 => 'unknown option -z; see --help',
    '-Fz'                 => 'unknown option -z; see --help',
    '--quiet -zF'         => 'unknown option -z; see --help',
    '-o -y -z'            => 'unknown option -z; see --help',
    '--pr=3'              => '--pr may be --processes or --priority; give more of it',
    '-n'                  => '--samples: has no value; give one, as in --samples=N',
    '-qn'                 => '--samples: has no value; give one, as in --samples=N',
    '--samples'           => '--samples: has no value; give one, as in --samples=N',
    '--sam'               => '--samples: has no value; give one, as in --samples=N',
    '--check=3'           => '--check: takes no value; leave out =3',
);
refused($_, $is{$_}) for sort keys %is;

my %here = (
    '-l 5000'                              => '-l 5000 is -n 5000',
    '-i 1000'                              => '-i 1000 is -f 1000',
    '-i300'                                => '-i 300 is about -f 3333',
    '-D 60'                                => '-D 60 is -d 60s',
    '-D 2h'                                => '-D 2h is -d 2h',
    '-t'                                   => '-t is -a all',
    '-t 4'                                 => '-t 4 is -a 0-3',
    '-t1'                                  => '-t 1 is -a 0',
    '-S'                                   => '-S is -a all',
    '-h 400'                               => '-h 400 is not needed',
    '-h400'                                => '-h 400 is not needed',
    '--interval=1000 --loops 500'          => '-i 1000 is -f 1000, -l 500 is -n 500',
    '--smp -p 80'                          => '-S is -a all',
    '-mnq -p 95 -S'                        => '-m is not needed, -q would hide the result, -S is -a all',
    '-a -t -n -m -p99 -i200 -d0'           => '-t is -a all, -m is not needed, -i 200 is -f 5000, -d 0 is not needed',
    '-S -m -p99 -i200 -h400 -D 120m'       => '-S is -a all, -m is not needed, -i 200 is -f 5000, -h 400 is not needed, '
        . '-D 120m is -d 120m',
);
refused($_, "options of cyclictest; here $here{$_}") for sort keys %here;
refused($_, 'unknown option -i; see --help') for '-i', '-i x', '-i 2000000';

subtest 'what is answered is taken' => sub {
    for my $ours (map { /\bis (-[nfd] \S+?)(?:,|$)/g } values %here) {
        is((run(program(split(' ', $ours), '--version')))[0], 0, $ours);
    }
};

subtest 'what means the same here, or can, is no habit' => sub {
    like((run(program('-h')))[1], qr/\AUsage: /, '-h');
    like((run(program(qw(-q -h))))[1], qr/\AUsage: /, '-q -h');
    open my $file, '>', '60' or die $!;
    like((run(no_rtc(), program(qw(-D 60 -s rtc -n 1 --best-effort))))[2], qr/60 is not an RTC/, 'a file that is named like a time');
    is((run(program(qw(-p 80 -q -s nanosleep -n 10 --best-effort -o x -- sh -c), 'exit 0', qw(-i 1000 -S))))[0], 0, 'those of a load');
};

done_testing;
