# SPDX-License-Identifier: GPL-2.0-or-later
package Cases;

use strict;
use warnings;
use Exporter 'import';
use File::Basename qw(basename);
use File::Glob ':bsd_glob';
use FindBin;
use Test::More;
use Debian qw(find_program);
use Equipment qw(crossed);
use Guest qw(boot console_tail prerequisites slurp);
use Initramfs qw(initramfs);
use Kernel qw(kernel);

our @EXPORT    = qw(check_cases);
our @EXPORT_OK = qw(image left_by periodic run_cases);

=head1 NAME

Cases - run cases in a guest, and check what each left behind

=head1 SYNOPSIS

    check_cases('test', 'stock', [['one second', 'realfeel -d 1s -o report', 0, sub {
        my ($left) = @_;
        is(whole_report($left->{report})->{status}, 'complete', 'status');
    }]]);

A case is a list: its name, what the guest runs in a shell (see F<init>), the exit status of that, and a check
of the files that it left in its working directory, which are in a hash by their names. Beside these the guest
leaves C<stdout>, C<stderr>, C<status>, C<pids_after> and C<rtc_after>.

=cut

my $ROOT = "$FindBin::Bin/../..";
my $BUILD = "$ROOT/build";
my @HELPERS = qw(hog culprit laggard sleeper);

=head2 check_cases($name, $flavour, $cases, %machine)

Runs the cases in one guest (see run_cases), and checks each.

=cut

sub check_cases {
    my ($name, $flavour, $cases, %machine) = @_;
    my $run = run_cases($name, $flavour, $cases, %machine);
    subtest $_->[0] => \&check_case, $run, @$_ for @$cases;
}

=head2 run_cases($name, $flavour, $cases, %machine)

Runs the cases in one guest with that kernel (see Kernel), and returns what boot() (see Guest) does, which takes the
rest. What the guest leaves goes to a directory of that name. Where a guest cannot be had the tests are skipped, but with
CI=true in the environment they fail. With C<sound> the modules of the sound system's timer are in F</sound>, not loaded;
with C<loop> that of loop devices is loaded. C<programs>, an array, and C<files>, a hash, are to be in the guest, too;
C<alone>, an array of programs, takes the place of all others. Whatever else is given for the machine is for boot().

=cut

sub run_cases {
    my ($name, $flavour, $cases, %machine) = @_;
    my $kernel = eval { prerequisites(); kernel($flavour) } or return without_guest($@);
    my $given = eval { $kernel->{architecture} eq 'arm64' ? crossed('realfeel', @HELPERS) : own() } or return without_guest($@);
    my $run = boot(
        kernel    => $kernel,
        initramfs => initramfs(
            init     => "$FindBin::Bin/init",
            root     => $given->{root},
            programs => $machine{alone} // [@{$given->{programs}}, @{$machine{programs} // []}],
            files    => {guest_files($cases), %{$machine{files} // {}}, $machine{sound} ? sound_files($kernel) : ()},
            modules  => [$machine{disk} ? @{$kernel->{modules}} : (), $machine{loop} ? @{$kernel->{loop}} : ()],
        ),
        directory => "$BUILD/guest/$name",
        %machine,
    );
    is($run->{failure}, undef, 'the guest ran to its end') or diag(console_tail($run->{console}));
    return $run;
}

sub own {
    return {programs => ["$ROOT/realfeel", (map { "$BUILD/$_" } @HELPERS), map { find_program($_) } qw(busybox chrt)]};
}

=head2 image($name)

The file to be made a disk of that name.

=cut

sub image {
    my ($name) = @_;
    return "$BUILD/guest/$name.img";
}

sub without_guest {
    my ($reason) = @_;
    chomp $reason;
    BAIL_OUT($reason) if ($ENV{CI} // '') eq 'true';
    plan(skip_all => $reason);
}

sub guest_files {
    my ($cases) = @_;
    return (
        'etc/passwd'      => "nobody::65534:65534::/:/bin/sh\n",
        (map { ("lib/$_" => slurp("$BUILD/$_")) } qw(fake_root.so fake_rtc.so)),
        map { ("cases/$_->[0]" => "$_->[1]\n") } @$cases,
    );
}

sub sound_files {
    my ($kernel) = @_;
    return map { ('sound/' . basename($_) => slurp($_)) } @{$kernel->{sound}};
}

sub check_case {
    my ($run, $name, $script, $status, $check) = @_;
    my $left = left_by($run, $name);
    defined $left->{status} or return fail("the guest came to the end of: $script");
    is($left->{status}, "$status\n", 'exit status') or diag($left->{stderr});
    is(periodic($left->{rtc_after}), 'no 1024', 'periodic interrupt off, and at the rate of before');
    is($left->{pids_after}, '', 'no process left');
    $check->($left);
}

=head2 left_by($run, $name)

The files that a case left, in a hash by their names.

=cut

sub left_by {
    my ($run, $name) = @_;
    return {map { basename($_) => slurp($_) } glob "$run->{files}/$name/*"};
}

=head2 periodic($rtc)

The periodic interrupt in a copy of /proc/driver/rtc: enabled or not, and its rate. The driver starts with 1024 Hz.

=cut

sub periodic {
    my ($rtc) = @_;
    return join ' ', $rtc =~ /^periodic IRQ (?:enabled|frequency)\s*: (\w+)$/mg;
}

1;
