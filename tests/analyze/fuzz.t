# SPDX-License-Identifier: GPL-2.0-or-later
# Files that were damaged at random: a clear error or a right answer, and never a warning. MUTATIONS=N in the
# environment: N files.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../analyze/lib", "$FindBin::Bin/../lib", "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use Test::More;

use Mutation;
use Realfeel::Model::Cpus qw(pooled runs_of);
use Realfeel::Model::Explain;
use Realfeel::Model::Report;
use Realfeel::Show::Explain;
use RunCommand;
use Seed;

my $MUTATIONS = $ENV{MUTATIONS} // ($ENV{CHECK_ALL} ? 20_000 : 2_000);
my $dir = tempdir(CLEANUP => 1);
seed();
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
        if $report->format eq '2002';
    my ($names, $rows) = $text =~ /^# histogram\n# ([^\n]*)\n((?:[^#\n][^\n]*\n)*)/m;
    my @names = split ' ', $names // 'from_us to_us interval early lateness';
    my (%sum, %of);
    $of{ $names[$_] } = $_ for 0 .. $#names;
    for my $name (grep { $of{$_} } qw(interval early lateness wakeup)) {
        $sum{ $name eq 'early' ? 'interval' : $name } += total(map { (split)[$of{$name}] } split /\n/, $rows // '');
    }
    return map {
        my $key = $_ eq 'interval' ? 'samples' : 'periods';
        $report->$_->n == $sum{$_} && $report->header($key) == $sum{$_} ? () : $_
    } sort keys %sum;
}

# What is told of why wake-ups were late: each that was matched has every part, and there is a text.
sub wrong_parts {
    my ($report) = @_;
    return unless defined Realfeel::Model::Explain::level($report);
    my ($text, @faults) = attempt('', sub { Realfeel::Show::Explain::verbose({ reports => [$report] }) });
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
    local $SIG{ALRM} = sub { die "it hangs\n" };
    alarm 30;
    my $result = eval { $function->() };
    my $error = $@;
    alarm 0;
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

subtest 'a count of so many digits that only whole numbers hold it' => sub {
    my ($count, $text) = ('329999999999999964', contents("$FindBin::Bin/data/low-latency-2.4.17.hist"));
    $text =~ s/^0\.2 \K\d+$/$count/m or die 'the bucket is not there';
    my ($report, @faults) = outcome($text);
    is_deeply(\@faults, [], 'is read right');
    is_deeply([wrong_sums($report, $text =~ s/$count/$count + 1/er)], ['samples of 2002'], 'one more would be told');
};

my (@wrong, %count);
for my $number (1 .. $MUTATIONS) {
    my $text = $seeds[rand @seeds];
    $text = damaged($text) for 1 .. 1 + rand 3;
    my ($report, @faults) = outcome($text);
    $count{$report ? 'right' : 'refused'}++;
    push @wrong, "number $number: @faults" if @faults;
}
is(join("\n", @wrong[0 .. ($#wrong < 4 ? $#wrong : 4)]), '', 'each is refused with a reason and a remedy, or right');
cmp_ok($count{$_}, '>', $MUTATIONS / 50, "$count{$_} were $_") for qw(right refused);

subtest 'a run on several CPUs' => sub {
    my $small = contents("$FindBin::Bin/data/small.hist");
    my $run = join '', map { $small =~ s/\n/\n# part: $_ of 3\n# cpu: $_\n/r } 1 .. 3;
    my %of_run;
    @wrong = ();
    for my $number (1 .. $MUTATIONS / 10) {
        my ($pools, @faults) = outcome_of_run(damaged($run));
        $of_run{$pools ? 'right' : 'refused'}++;
        push @wrong, "number $number: @faults" if @faults;
    }
    is(join("\n", @wrong[0 .. ($#wrong < 4 ? $#wrong : 4)]), '', 'is refused with a reason and a remedy, or right');
    cmp_ok($of_run{$_}, '>', $MUTATIONS / 500, "$of_run{$_} were $_") for qw(right refused);
};

done_testing;
