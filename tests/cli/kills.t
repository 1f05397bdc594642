# SPDX-License-Identifier: GPL-2.0-or-later
# SIGKILL at any moment of a checkpoint: the report that is there is whole. KILLS=N in the environment: N times.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FakeRtc;
use Program;
use Report;
use RunCommand qw(beside contents finish start wait_until);
use Seed;
use Test::More;
use Time::HiRes qw(sleep);

my $KILLS = $ENV{KILLS} // ($ENV{CHECK_ALL} ? 200 : 12);
seed();
my @WHOM = (['keeper'], ['meter'], ['standby'], ['meter', 'keeper'], ['meter', 'standby'], ['standby', 'keeper']);

# Saves one checkpoint after the other and kills in the midst of them. Returns what is wrong with the report.
sub kill_once {
    my (@whom) = @_;
    unlink glob '*';
    my $run = start(fake_rtc(log => 'log'), realfeel(qw(-f 8000 -C 0 -o report)));
    my $meter = wait_for_reads('log', 20);
    my ($standby) = grep { $_ != $meter } children($run->{pid});
    my %pid = (keeper => $run->{pid}, meter => $meter, standby => $standby);
    wait_until(sub { kill USR1 => $pid{keeper}; sleep 0.002; -e 'report' });
    beside(sub { kill USR1 => $pid{keeper}; sleep 0.001 }, sub {
        sleep rand 0.05;
        kill KILL => map { $pid{$_} } @whom;
        kill INT => $pid{keeper} if "@whom" eq 'standby';
    });
    finish($run);
    return join '; ', (map { faults_of($_) } 'report', left_over(@whom)), grep { !/^(?:report|log)$/ } glob '*';
}

# Where those who write it are killed there is nobody left to remove the temporary name of a report that was about to take its own.
sub left_over {
    my (@whom) = @_;
    return "@whom" eq 'standby keeper' ? glob 'report.*.tmp' : ();
}

sub faults_of {
    my ($file) = @_;
    my $text = contents($file);
    unlink $file;
    return map { "$file: $_" } Report::faults(parse_report($text));
}

workspace();
my @wrong;
for my $number (1 .. $KILLS) {
    my $whom = $WHOM[$number % @WHOM];
    my $wrong = kill_once(@$whom);
    push @wrong, "kill $number, of the @$whom: $wrong" if $wrong;
}
is("@wrong", '', "$KILLS whole reports, and no other file that is not one");

done_testing;
