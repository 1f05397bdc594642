# SPDX-License-Identifier: GPL-2.0-or-later
# Files that were damaged at random: a clear error or a right answer, and never a warning.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib", "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use Test::More;
use Time::HiRes qw(setitimer ITIMER_PROF);

use Mutation;
use Realfeel::Model::Cpus qw(pooled runs_of);
use Realfeel::Model::Explain;
use Realfeel::Model::Report;
use Realfeel::Show::Why;
use RunCommand;
use Seed;

use constant CPU_S => 10;

my $dir = tempdir(CLEANUP => 1);
my @seeds = map { contents("$FindBin::Bin/data/$_") }
    qw(small.hist events.hist explained.hist empty.hist suspect.hist thread.hist alsa.hist
        low-latency-2.4.17.hist preempt-lolat-2.4.17.hist);

# To the last digit, which sum0 does not keep of large numbers that are text.
sub total {
    my $total = 0;
    $total += $_ for @_;
    return $total;
}

# What a report that was read must agree with: the columns of its text, taken apart in another way.
sub wrong_sums {
    my ($report, $text) = @_;
    $text =~ s/\r$//mg;
    return $report->interval->n == total(map { (split)[1] } grep { /\S/ } split /\n/, $text) ? () : 'samples of 2002'
        if $report->{format} eq '2002';
    my ($names, $rows) = $text =~ /^# histogram\n# ([^\n]*)\n((?:[^#\n][^\n]*\n)*)/m;
    my @names = split ' ', $names // 'from_us to_us interval early lateness';
    my (%sum, %of);
    $of{ $names[$_] } = $_ for 0 .. $#names;
    for my $name (grep { $of{$_} } qw(interval early lateness wakeup)) {
        $sum{ $name eq 'early' ? 'interval' : $name } += total(map { (split)[$of{$name}] } split /\n/, $rows // '');
    }
    return map {
        my $key = $_ eq 'interval' ? 'samples' : 'periods';
        my $values = $_ eq 'interval' ? $report->interval : $report->latency($_);
        $values->n == $sum{$_} && $report->header($key) == $sum{$_} ? () : $_
    } sort keys %sum;
}

# Why wake-ups were late: each that was matched has every part, and there is a text.
sub wrong_parts {
    my ($report) = @_;
    return unless defined Realfeel::Model::Explain::level($report);
    my ($text, @faults) = attempt('', sub { Realfeel::Show::Why::verbose({ reports => [$report] }) });
    push @faults, 'no text' unless $text;
    my $matched = $report->header('parts_matched');
    return (@faults, map { $_->{key} } grep { $_->{distribution}->n != $matched } Realfeel::Model::Explain::parts($report));
}

my @warnings;
local $SIG{__WARN__} = sub { push @warnings, @_ };

# The report in a file with this text, undef where it was refused, and what is wrong about that.
sub outcome {
    my ($text) = @_;
    my $path = file_of("$dir/x", $text);
    my ($report, @faults) = attempt($path, sub { Realfeel::Model::Report->read($path) });
    return ($report, $report ? (wrong_sums($report, $text), wrong_parts($report)) : (), @faults);
}

# What the function returns, undef and what is wrong about it where it died without a reason and a remedy.
sub attempt {
    my ($path, $function) = @_;
    local $SIG{PROF} = sub { die "it hangs\n" };
    setitimer(ITIMER_PROF, CPU_S);
    my $result = eval { $function->() };
    my $error = $@;
    setitimer(ITIMER_PROF, 0);
    my $is_clear = defined $result || $error =~ /\A\Q$path\E(?:, CPU \d+)?(?::\d+)?: [^\n]+[;,] [^\n]+\n\z/;
    return ($result, $is_clear ? () : $error, splice @warnings);
}

# A run on three CPUs, which was read and added up or refused: of what was read each sample is in a sum.
sub outcome_of_run {
    my ($text) = @_;
    my $path = file_of("$dir/x", $text);
    my ($pools, @faults) = attempt($path, sub { [map { pooled($_) } runs_of(Realfeel::Model::Report->read_all($path))] });
    my $samples = total($text =~ /^# samples: (\d+)\r?$/mg);
    return ($pools, @faults) if !$pools || total(map { $_->header('samples') } @$pools) == $samples;
    return ($pools, @faults, "not $samples samples");
}

subtest 'a count with more digits than a floating-point number holds' => sub {
    my ($count, $text) = ('329999999999999964', contents("$FindBin::Bin/data/low-latency-2.4.17.hist"));
    $text =~ s/^0\.2 \K\d+$/$count/m or die 'the bucket is not there';
    my ($report, @faults) = outcome($text);
    is_deeply(\@faults, [], 'a count of many digits is read right');
    is_deeply([wrong_sums($report, $text =~ s/$count/$count + 1/er)], ['samples of 2002'], 'one more would be reported');
};

# What is wrong with the outcome of each case, which is of a text that it makes; some are read, and others refused.
sub cases_are_right {
    my ($what, $outcome, $text, @cases) = @_;
    my (%count, @wrong);
    for my $case (@cases) {
        srand $case;
        my ($read, @faults) = $outcome->($text->());
        $count{ $read ? 'right' : 'refused' }++;
        push @wrong, "SEED=$case: @faults" if @faults;
    }
    is(join("\n", splice @wrong, 0, 5), '', "$what is refused with a reason and a remedy, or read right");
    is_deeply([sort keys %count], [qw(refused right)], "$what: some are refused and some are right") if @cases > 1;
}

cases_are_right('a damaged report', \&outcome, sub {
    my $text = $seeds[rand @seeds];
    $text = damaged($text) for 1 .. 1 + rand 3;
    return $text;
}, cases(600, 20_000));

my $small = contents("$FindBin::Bin/data/small.hist");
my $run = join '', map { $small =~ s/\n/\n# part: $_ of 3\n# cpu: $_\n/r } 1 .. 3;
cases_are_right('a damaged run on several CPUs', \&outcome_of_run, sub { damaged($run) }, cases(60, 2_000));

done_testing;
