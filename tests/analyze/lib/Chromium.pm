# SPDX-License-Identifier: GPL-2.0-or-later
# A headless Chromium, spoken to by its DevTools protocol over two pipes: JSON, each message with a zero byte at its end.
package Chromium;
use strict;
use warnings;

use File::Temp qw(tempdir);
use JSON::PP ();
use POSIX ();

use constant PATIENCE_S => 300;     # only to end what hangs

# Without what it would fetch for itself.
use constant OPTIONS => qw(--headless --no-sandbox --disable-gpu --disable-dev-shm-usage --remote-debugging-pipe --no-first-run
    --disable-background-networking --disable-component-update --disable-sync --disable-extensions --hide-scrollbars);

sub start {
    my ($class, $program) = @_;
    my $profile = tempdir(CLEANUP => 1);
    pipe my $commands, my $to    or die "pipe: $!";
    pipe my $from, my $answers or die "pipe: $!";
    my $pid = fork // die "fork: $!";
    if (!$pid) {
        setpgrp;
        local @ENV{qw(HOME TMPDIR)} = ($profile) x 2;     # it removes nothing when it is killed
        open STDOUT, '>', '/dev/null' or die $!;
        open STDERR, '>', "$profile/stderr" or die $!;
        # They may be 3 and 4 themselves, the wrong way round.
        POSIX::dup2(fileno $commands, 13);
        POSIX::dup2(fileno $answers, 14);
        POSIX::dup2($_ + 10, $_) for 3, 4;
        exec { $program } $program, OPTIONS, "--user-data-dir=$profile", 'about:blank' or POSIX::_exit(127);
    }
    $to->autoflush;
    close $_ for $commands, $answers;
    my $self = bless { pid => $pid, to => $to, from => $from, id => 0, rest => '', events => [] }, $class;
    my $target = $self->ask('Target.createTarget', url => 'about:blank')->{targetId};
    $self->{session} = $self->ask('Target.attachToTarget', targetId => $target, flatten => JSON::PP::true)->{sessionId};
    $self->ask("$_.enable") for qw(Page Runtime Log Network);
    return $self;
}

# What the browser answers to a command.
sub ask {
    my ($self, $method, %parameters) = @_;
    my $id = ++$self->{id};
    my %session = $self->{session} ? (sessionId => $self->{session}) : ();
    print { $self->{to} } JSON::PP::encode_json({ id => $id, method => $method, params => \%parameters, %session }), "\0"
        or die "the browser has gone: $!";
    my $answer = $self->_wait(sub { ($_[0]{id} // 0) == $id });
    die "$method: $answer->{error}{message}\n" if $answer->{error};
    return $answer->{result};
}

# Reads messages until one is what is awaited; the others are kept.
sub _wait {
    my ($self, $is_awaited) = @_;
    my $deadline = time + PATIENCE_S;
    while (1) {
        while ($self->{rest} =~ s/\A([^\0]*)\0//) {
            my $message = JSON::PP::decode_json($1);
            push @{ $self->{events} }, $message if $message->{method};
            return $message if $is_awaited->($message);
        }
        my $ready = '';
        vec($ready, fileno $self->{from}, 1) = 1;
        select($ready, undef, undef, 1) and (sysread $self->{from}, $self->{rest}, 1 << 20, length $self->{rest}
            or die "the browser has ended\n");
        die "no answer from the browser in @{[PATIENCE_S]} s\n" if time > $deadline;
    }
}

# Opens a page and waits until it is there. What happened meanwhile is in events().
sub open_page {
    my ($self, $url) = @_;
    $self->{events} = [];
    my $result = $self->ask('Page.navigate', url => $url);
    die "$url: $result->{errorText}\n" if $result->{errorText};
    my $is_loaded = sub { ($_[0]{method} // '') eq 'Page.loadEventFired' };
    $self->_wait($is_loaded) unless grep { $is_loaded->($_) } @{ $self->{events} };
}

# The parameters of all events of this kind since a page was opened.
sub events {
    my ($self, $method) = @_;
    return map { $_->{params} } grep { $_->{method} eq $method } @{ $self->{events} };
}

# The value of a script's last expression.
sub value {
    my ($self, $script) = @_;
    my $answer = $self->ask('Runtime.evaluate', expression => $script, returnByValue => JSON::PP::true);
    die "$script: $answer->{exceptionDetails}{text}\n" if $answer->{exceptionDetails};
    return $answer->{result}{value};
}

# The medium is screen or print.
sub look {
    my ($self, $width, $scheme, $medium) = @_;
    $self->ask('Emulation.setDeviceMetricsOverride',
        width => $width, height => 900, deviceScaleFactor => 1, mobile => JSON::PP::false);
    $self->ask('Emulation.setEmulatedMedia', media => $medium // 'screen',
        features => [{ name => 'prefers-color-scheme', value => $scheme }]);
}

# The whole page as the bytes of a PNG.
sub picture {
    my ($self) = @_;
    require MIME::Base64;
    return MIME::Base64::decode_base64(
        $self->ask('Page.captureScreenshot', format => 'png', captureBeyondViewport => JSON::PP::true)->{data});
}

sub DESTROY {
    my ($self) = @_;
    local ($?, $!);
    kill KILL => -$self->{pid};
    waitpid $self->{pid}, 0;
}

1;
