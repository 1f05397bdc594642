# SPDX-License-Identifier: GPL-2.0-or-later
# How many files the processes of a run have open, and what is said before it when that is too many.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FakeRoot;
use Listing;
use Program;
use Report;
use RunCommand qw(run start finish wait_until);
use Test::More;

my @RING = qw(-s ring -n 1000 --processes=65);
my @CPUS = allowed_cpus();

my ($configured) = (run(qw(getconf _NPROCESSORS_CONF)))[1] =~ /(\d+)/;

# Options, the limit, and how many would be open.
my @TOO_MANY = (
    [[@RING], 190, 194],
    [[qw(-s nanosleep -n 5 -a 0-15)], 100, 144],
    [[qw(-s nanosleep -n 5 -a 0-15 --explain=parts)], 100, 144],
    [[qw(-s ring -n 5 --processes=256 -a 0-15)], 500, 576],
    [['-s', "task:$$", qw(-n 5 --explain)], 60, 69 + 44 * $configured],
);

workspace();
plan skip_all => 'needs prlimit: apt-get install util-linux' if (run(qw(which prlimit)))[0];

for (@TOO_MANY) {
    my ($options, $limit, $needed) = @$_;
    my @limited = ('prlimit', "--nofile=$limit", fake_root(cpus => 16), program(@$options));
    my $line = "one process may have up to $needed files open; raise the limit of open files (ulimit -n, now $limit)";
    subtest "$needed files, $limit allowed" => sub {
        my ($status, undef, @lines) = check(@limited, '--check');
        is("@{[of_area('files', @lines)]}", $line, '--check');
        my ($got, $out, $err) = run(@limited, qw(-q -o report));
        is("$got $out", '1 ', 'nothing is measured');
        like($err, qr/^realfeel: \Q$line\E$/m, 'and it is said why');
        ok(!-e 'report', 'no report');
    };
}

subtest 'just as many as are needed' => sub {
    my ($status, $out, $err) = run(qw(prlimit --nofile=194), program(@RING, qw(-q -o -)));
    is("$status $err", '0 ', 'are enough');
    is(whole_report($out)->{samples}, 1000, 'for the whole ring');
};

# What a process has open, by the names, besides the standard descriptors.
sub files_of {
    my ($pid) = @_;
    return map { readlink // '' } grep { m{(\d+)\z} && $1 > 2 } glob "/proc/$pid/fd/*";
}

# The pipes of its ring, which the keeper has not, a meter makes when it has let go of what is not its own.
subtest 'on several CPUs' => sub {
    my $run = start(program(qw(-s ring -d 2s -C 0 -q -o report -a), join(',', @CPUS)));
    my @meters;
    wait_until(sub {
        (undef, @meters) = children($run->{pid});
        my %kept = map { $_ => 1 } files_of($run->{pid});
        return @meters == @CPUS && !grep { !grep { /^pipe:/ && !$kept{$_} } files_of($_) } @meters;
    });
    is_deeply([grep { m{/proc/\d+/stat$|cgroup\.events$} } map { files_of($_) } @meters], [], 'a meter has nothing of another');
    is((finish($run))[0], 0, 'exit status');
};

done_testing;
