# SPDX-License-Identifier: GPL-2.0-or-later
# The program of the load is looked for before anything is measured, as it is going to be started.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FakeRtc;
use Listing;
use Program;
use RunCommand qw(run);
use Test::More;

sub in_workspace {
    my ($name, $test) = @_;
    subtest $name => sub { workspace(); $test->() };
}

# What cannot be started.
my @REFUSED = (
    [["$FindBin::Bin/../../COPYING"], 'start \S+: Permission denied; name a program that can be run, after --'],
    [['nosuch'], 'start nosuch: No such file or directory; name a program that can be run, after --'],
    [['/'],      'start /: (?:Permission denied|Is a directory); name a program that can be run, after --'],
    [[],         'no command after --; .*'],
);
for (@REFUSED) {
    my ($command, $line) = @$_;
    in_workspace "no load: @$command" => sub {
        my ($status, $out, $err) = run(fake_rtc(log => 'log'), realfeel(qw(-n 1 -o report --), @$command));
        is($status, 1, 'exit status');
        like($err, qr/\A(?:realfeel: warning: .*\n)*realfeel: $line\n\z/, 'what it says');
        ok(!-e 'report', 'no report');
        is_deeply([grep { $_->{event} eq 'read' } events('log')], [], 'nothing measured');
        return if !@$command;
        my ($found, undef, @lines) = check(no_rtc(), realfeel(qw(--check -a all --), @$command));
        like("@{[of_area('load', @lines)]}", qr/\A$line\z/, '--check finds it, too');
        is($found, 1, 'exit status');
    };
}

sub write_program {
    my ($file) = @_;
    open my $out, '>', $file or die "$file: $!";
    print $out "#!/bin/sh\n";
    close $out;
    chmod 0755, $file or die $!;
}

# The folders of PATH are searched in turn: the program may be in the second, or in the current one.
for my $path ('sub', 'none:sub', 'sub:', '', undef) {
    in_workspace 'a load of PATH=' . ($path // 'nothing') => sub {
        local $ENV{PATH} = $path;
        mkdir 'sub' or die $!;
        write_program(($path // '') =~ /\bsub/ && $path ne 'sub:' ? 'sub/here' : 'here');
        delete $ENV{PATH} if !defined $path;
        my $program = defined $path ? 'here' : 'true';
        my (undef, undef, @lines) = check(realfeel(qw(-s nanosleep --check --), $program));
        like("@{[of_area('load', @lines)]}", qr/\Aok\b/, 'is found');
    };
}

# That a file can be run by root says nothing of the user behind sudo, whose the load is.
in_workspace 'a load that the user behind sudo may not run' => sub {
    plan skip_all => 'only root can have another user behind it: run as root' if $>;
    write_program('mine');
    chmod 0700, 'mine' or die $!;
    chmod 0755, '.' or die $!;
    local @ENV{qw(SUDO_UID SUDO_GID)} = (12345, 12345);
    my (undef, undef, @lines) = check(realfeel(qw(-s nanosleep --check -- ./mine)));
    like("@{[of_area('load', @lines)]}", qr/\Astart .*: Permission denied; /, 'is refused');
};

done_testing;
