# SPDX-License-Identifier: GPL-2.0-or-later
# SIGKILL at any moment of a checkpoint of two CPUs: there is a whole report of both. Every other time it is explained.
# KILLS=N in the environment: N times.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Program;
use Report;
use RunCommand qw(beside contents finish start wait_until);
use Seed;
use Test::More;
use Time::HiRes qw(sleep);

my @CPUS = allowed_cpus();
plan skip_all => 'there is one CPU only' if @CPUS < 2;

my $KILLS = $ENV{KILLS} // ($ENV{CHECK_ALL} ? 60 : 10);
my @EXPLAIN = explain_refusal() ? () : '--explain';
seed();
my @ALL = qw(keeper standby meter0 meter1);
my @WHOM = ((map { [$_] } @ALL), (map { my $i = $_; map { [@ALL[$i, $_]] } $i + 1 .. $#ALL } 0 .. $#ALL));

# Saves one checkpoint after the other and kills in the midst of them. Returns what is wrong with the report.
sub kill_once {
    my ($options, @whom) = @_;
    unlink glob '*';
    my $run = start(realfeel(qw(-s nanosleep -f 8000 -C 0 -o report -a), "$CPUS[0],$CPUS[1]", @$options));
    wait_until(sub { has_begun($run->{pid}, 2) });
    my %pid;
    @pid{@ALL} = ($run->{pid}, children($run->{pid}));
    wait_until(sub { kill USR1 => $pid{keeper}; sleep 0.002; -e 'report' });
    beside(sub { kill USR1 => $pid{keeper}; sleep 0.001 }, sub {
        sleep rand 0.05;
        kill KILL => map { $pid{$_} } @whom;
        kill INT => $pid{keeper};
    });
    finish($run);
    return join '; ', faults(contents('report')), left_over(@whom), grep { $_ ne 'report' && !/\.tmp$/ } glob '*';
}

sub faults {
    my @parts = parse_parts($_[0]);
    return @parts . ' parts' if @parts != 2;
    return map { my $part = $_; map { "part $part->{part}: $_" } Report::faults($part) } @parts;
}

# A temporary name is left only where keeper and standby were killed, and then it is a whole report, too.
sub left_over {
    my (@whom) = @_;
    my @left = glob 'report.*.tmp';
    return @left if "@whom" ne 'keeper standby';
    return map { faults(contents($_)) } @left;
}

workspace();
my @wrong;
for my $number (1 .. $KILLS) {
    my $whom = $WHOM[$number % @WHOM];
    my $wrong = kill_once($number / @WHOM % 2 ? \@EXPLAIN : [], @$whom);
    push @wrong, "kill $number, of the @$whom: $wrong" if $wrong;
}
is("@wrong", '', "$KILLS whole reports of two CPUs, and no other file");

done_testing;
